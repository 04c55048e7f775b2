"""One file a step. The first line of each says what changes."""
