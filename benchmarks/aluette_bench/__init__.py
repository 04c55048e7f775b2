"""How fast the referee is, against what gRPC itself can do, measured side by side in one run."""
