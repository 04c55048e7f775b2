"""A sum over another, such as deal points over deals, with an interval over blocks.

The matches of a block are played with the same cards: a block is one measurement, and where blocks are not equally
large their sums vary together. The variance is that of the ratio estimator (Cochran 1977, "Sampling techniques",
section 6.4): the sum over blocks of (y - r x)^2, times G / (G - 1), over the square of the sum of all x.
"""

from dataclasses import dataclass

from aluette_referee.contest.student import half_width

__all__ = ["Ratio"]


@dataclass(slots=True)
class Ratio:
    """Sums over blocks of y, x, and their squares and product; all of whole numbers or halves, and so exact."""

    blocks: int = 0
    y: float = 0
    x: float = 0
    yy: float = 0
    xx: float = 0
    xy: float = 0

    def add(self, other: "Ratio", sign: int = 1) -> None:
        """Count the blocks of another, with its y turned round where `sign` is -1."""
        self.blocks += other.blocks
        self.y += sign * other.y
        self.x += other.x
        self.yy += other.yy
        self.xx += other.xx
        self.xy += sign * other.xy

    @property
    def value(self) -> float | None:
        """The ratio; None of nothing."""
        return self.y / self.x if self.x else None

    @property
    def margin(self) -> float | None:
        """Half the width of its 95 % interval; None under six degrees of freedom, or where all blocks came out alike."""
        if not self.x or self.blocks < 2:
            return None
        r = self.y / self.x
        squares = self.yy - 2 * r * self.xy + r * r * self.xx
        freedom = self.blocks - 1
        return half_width(squares * self.blocks / freedom / self.x**2, freedom)
