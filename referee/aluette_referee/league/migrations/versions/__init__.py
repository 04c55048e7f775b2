"""How a league's tables came about, step by step; run by `database.upgrade`, never by hand."""
