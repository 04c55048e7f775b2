"""The referee: enforces the rules and the seat order, and runs contests of bots over gRPC."""
