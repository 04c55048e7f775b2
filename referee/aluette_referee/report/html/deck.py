"""The cards as one inline SVG with a symbol each: `card-3D`, `card-QC` ..., and `card-back`.

Each is 100 by 150. A suit is told by its sign's shape, by its letter in the corners, and by the gaps in the frame as
on Spanish cards (coins none, cups one, swords two, batons three); colour only helps. Signs and figures are drawn
in `shapes.svg`; this file places them.
"""

from collections.abc import Iterator
from functools import cache
from typing import Final

from markupsafe import escape

from aluette.cards import CARDS, Card, Rank, Suit
from aluette_referee.report.html.environment import source

__all__ = ["sprite"]

Place = tuple[float, float, float, float]
"""Where a suit sign stands: x, y, its size (1 is 100 high), and how far it is turned."""

_INK: Final = {Suit.COINS: "#7a4e00", Suit.CUPS: "#a83a00", Suit.SWORDS: "#00548a", Suit.BATONS: "#00643f"}
_ROUND: Final[dict[Rank, tuple[int, ...]]] = {
    Rank.TWO: (1, 1),
    Rank.THREE: (1, 1, 1),
    Rank.FOUR: (2, 2),
    Rank.FIVE: (2, 1, 2),
    Rank.SIX: (2, 2, 2),
    Rank.SEVEN: (2, 3, 2),
    Rank.EIGHT: (3, 2, 3),
    Rank.NINE: (3, 3, 3),
}
"""The signs of coins and cups: rows, and how many side by side."""
_LONG: Final[dict[Rank, tuple[int, ...]]] = {
    Rank.THREE: (3,),
    Rank.FOUR: (2, 2),
    Rank.FIVE: (3, 2),
    Rank.SIX: (3, 3),
    Rank.SEVEN: (4, 3),
    Rank.EIGHT: (4, 4),
    Rank.NINE: (3, 3, 3),
}
"""Those of swords and batons."""
_ALONE: Final[dict[Card, tuple[str, tuple[Place, ...]]]] = {
    Card.D3: ("monsieur", ((27, 93, 0.34, 0), (73, 93, 0.34, 0))),
    Card.C3: ("madame", ((22, 95, 0.3, 0), (50, 95, 0.3, 0), (78, 95, 0.3, 0))),
    Card.D2: ("borgne", ((66, 88, 0.46, 0),)),
    Card.C2: ("vache", ((30, 44, 0.32, 0), (70, 44, 0.32, 0))),
    Card.B2: ("oak", ((50, 70, 0.88, -38), (50, 70, 0.88, 38))),
    Card.S2: ("letter", ((50, 70, 0.88, -38), (50, 70, 0.88, 38))),
}
"""The named cards that are no plain pattern: a drawing, and the signs beside it."""
_COURT: Final = {Rank.VALET: (82, 47), Rank.CAVALIERE: (85, 44), Rank.KING: (84, 48)}
"""Where the figure holds up its sign."""


@cache
def sprite() -> str:
    """The `<svg>` to put into a page once; then `<use href="#card-3D"/>` shows a card."""
    shapes = source("shapes.svg").replace(' xmlns="http://www.w3.org/2000/svg"', "")
    inner = shapes[shapes.index("<symbol") : shapes.rindex("</svg>")]
    symbols = "\n".join([*map(_symbol, CARDS), _back()])
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="sprite" width="0" height="0" aria-hidden="true">\n'
        f"{inner}{symbols}\n</svg>"
    )


def _symbol(card: Card) -> str:
    ink = _INK[card.suit]
    index = f'<text x="6" y="21">{card}</text><text x="6" y="21" transform="rotate(180 50 75)">{card}</text>'
    return (
        f'<symbol id="card-{card}" viewBox="0 0 100 150" fill="{ink}" font-family="Georgia,serif" font-weight="700">'
        '<rect x=".75" y=".75" width="98.5" height="148.5" rx="8" fill="#fffdf6" stroke="#8d8672" stroke-width="1.5"/>'
        f'<path d="{_frame(card.suit)}" stroke="{ink}" stroke-width="1.5"/>'
        f'<g font-size="20" font-family="system-ui,sans-serif">{index}</g>{"".join(_face(card))}</symbol>'
    )


def _face(card: Card) -> Iterator[str]:
    if card.rank in _COURT:
        x, y = _COURT[card.rank]
        yield f'<use href="#court-{card.rank.letter}" color="{_INK[card.suit]}"/>'
        yield _sign(card.suit, (x, y, 0.3, 0))
        return
    drawing, places = _ALONE.get(card) or ("", tuple(_places(card)))
    yield from (_sign(card.suit, place) for place in places)
    if drawing:
        yield f'<use href="#{drawing}"/>'
    if card.title:
        fit = ' textLength="74" lengthAdjust="spacingAndGlyphs"' if len(card.title) > 11 else ""
        yield (
            '<path d="M4 114 11 120.5 4 127H96L89 120.5 96 114Z" fill="#fff0c2" stroke="#6b4700"/>'
            f'<text x="50" y="124.5" font-size="12" text-anchor="middle" fill="#2b2118"{fit}>{escape(card.title)}</text>'
        )


def _places(card: Card) -> Iterator[Place]:
    if card.rank is Rank.ACE:
        yield (50, 75, 0.86, 0)
        return
    rows = (_LONG if card.suit >= Suit.SWORDS else _ROUND)[card.rank]
    top, bottom = (28, 110) if card.title else (28, 122)
    height = (bottom - top) / len(rows)
    size = min(0.9 * height, 62 if card.suit >= Suit.SWORDS else 78 / max(*rows, 2)) / 100
    for row, count in enumerate(rows):
        for place in range(count):
            yield (50 + (place - (count - 1) / 2) * 80 / max(*rows, 2), top + (row + 0.5) * height, size, 0)


def _sign(suit: Suit, place: Place) -> str:
    x, y, size, turned = place
    turn = f" rotate({turned:g})" if turned else ""
    return f'<use href="#suit-{suit.letter}" transform="translate({x:g} {y:g}){turn} scale({size:g})"/>'


def _frame(suit: Suit) -> str:
    """The lines above and below, with the suit's gaps."""
    gaps, (start, end), gap = int(suit), (40, 60), 3.5
    length = (end - start - gap * gaps) / (gaps + 1)
    lines = ""
    for number in range(gaps + 1):
        begin = start + number * (length + gap)
        lines += f"M{begin:g} 7h{length:g}M{begin:g} 143h{length:g}"
    return lines


def _back() -> str:
    lozenges = "".join(
        f"M{12 + 10.85 * column:g} {12 + 9.7 * row:g}l4 4.5-4 4.5-4-4.500Z"
        for row in range(13)
        for column in range(8)
    )
    return (
        '<symbol id="card-back" viewBox="0 0 100 150">'
        '<rect x=".75" y=".75" width="98.5" height="148.5" rx="8" fill="#fffdf6" stroke="#8d8672" stroke-width="1.5"/>'
        '<rect x="5" y="5" width="90" height="140" rx="5" fill="#27415f"/>'
        f'<path d="{lozenges}" fill="#f0b429" fill-opacity=".55"/></symbol>'
    )
