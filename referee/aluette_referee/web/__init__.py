"""A league's pages, feeds and forms. They are made from `league.queries` and change what `league.registry` changes; nothing is decided here."""
