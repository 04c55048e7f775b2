"""Results as HTML pages that stand alone: no request to anywhere, no script but our own, the same bytes each time."""
