"""How templates become pages: escaped by default, one inline script at most, and leave for that script alone to run.

A page may load nothing and send nothing: its content security policy allows its own style and the script whose
SHA-256 it names. So what a team calls itself is text, whatever it is.
"""

import base64
import hashlib
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

__all__ = ["render", "source"]


def render(template: str, *, script: str = "", **values: Any) -> str:
    """The page of a template that extends `base.html.j2`; `script` is what may run in it."""
    if "</script" in script.lower():
        raise ValueError("a script that ends its own element")
    page = _environment().get_template(template)
    return page.render(script=Markup(script), policy=_policy(script), source=source, **values)  # noqa: S704


def source(name: str) -> Markup:
    """A file of the templates' folder as it is: a script or a style of ours."""
    environment = _environment()
    assert environment.loader is not None
    return Markup(environment.loader.get_source(environment, name)[0])  # noqa: S704 - written by us


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("aluette_referee.report.html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    return environment


def _policy(script: str) -> str:
    hashed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    parts = ["default-src 'none'", "style-src 'unsafe-inline'", "img-src data:"]
    if script:
        parts.append(f"script-src 'sha256-{hashed}'")
    return "; ".join([*parts, "base-uri 'none'", "form-action 'none'"])
