"""`aluette league`: its verbs, in files by who uses them: the operator's machine, owners, operators, and everybody."""
