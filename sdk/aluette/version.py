"""The numbers that say which version of what this is, each defined here and nowhere else."""

__all__ = ["PROTOCOL", "PROTOCOL_MINOR", "RECORD_FORMAT", "__version__"]

__version__ = "0.1.0"

PROTOCOL = 1
"""Major version of the wire: the `v1` of package `aluette.v1`. A different major is refused."""

PROTOCOL_MINOR = 1
"""Counts the additions within the major version; both sides ignore what they do not know."""

RECORD_FORMAT = 1
"""Format of a match record (`aluette.record`); a reader refuses a number it does not know."""
