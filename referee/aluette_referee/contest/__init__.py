"""What a contest is, who plays whom and when, and what the results add up to: pure values and functions."""
