"""What is in a group of exceptions, as nurseries raise them."""

from collections.abc import Iterator
from typing import cast

__all__ = ["leaves"]


def leaves(error: BaseException) -> Iterator[BaseException]:
    """The exceptions in a group and in the groups in it; of any other exception that itself."""
    if isinstance(error, BaseExceptionGroup):
        for inner in cast("BaseExceptionGroup[BaseException]", error).exceptions:
            yield from leaves(inner)
    else:
        yield error
