"""The built-in bots: `random`, `lowest`, `careful` and `human`; they depend on `aluette` alone."""
