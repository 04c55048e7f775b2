"""Live play: the wire, the bots' processes, and the loop that plays matches.

Everything here is trio, but for `service` (gRPC's asyncio) and `bridge`, the one file that sees both.
"""
