"""How templates become pages: everything escaped, nothing that is not there passed over."""

from functools import cache
from typing import Any, cast

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from aluette.version import __version__
from aluette_referee.report.visible import visible
from aluette_referee.web.assets import address

__all__ = ["render"]


def render(template: str, **values: Any) -> str:
    """The text of a page."""
    return _environment().get_template(template).render(values)


@cache
def _environment() -> Environment:
    environment = Environment(
        # The viewer is that of reports.
        loader=ChoiceLoader(
            [PackageLoader("aluette_referee.web"), PackageLoader("aluette_referee.report.html")]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    cast("dict[str, Any]", environment.globals).update(asset=address, software=__version__)
    environment.filters.update(visible=visible, moment=_moment, signed=_signed)
    return environment


def _moment(at: str) -> str:
    """A time as people read it, to the minute."""
    return at[:16].replace("T", " ")


def _signed(value: float) -> str:
    """`+12`, `−3`, and nothing for no change."""
    number = round(value)
    return "" if number == 0 else f"{number:+d}".replace("-", "\u2212")
