"""What people see of results: pure functions from values to text."""
