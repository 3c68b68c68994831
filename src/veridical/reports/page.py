"""Pages that are complete in themselves: their style and script inside them, nothing else.

Every report is a template of the folder beside this module. Whatever a template puts out is
escaped; `|isolated`, `|visible` and `|label` say how text that somebody else wrote is shown.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.compiler import CodeGenerator
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from markupsafe import Markup

from veridical.look import stylesheet
from veridical.reports.markup import escape, isolated, label, visible
from veridical.reports.words import confidence_word, count, first_words, percent
from veridical.sources.transcript import clock

_FOLDER = Path(__file__).parent
_BREAK = re.compile(r"\s*\n\s*")


@dataclass(frozen=True, slots=True)
class ReportParts:
    """A report apart from its page, for pages that bring their own frame and `look/base.css`.

    `body` goes into an element of the class `report`, which all rules of `style` are bound to;
    `script` runs after it. Neither style nor script stands in `body`.
    """

    body: str
    style: str
    script: str


@lru_cache
def asset(name: str) -> str:
    """A file of the folder `assets`, its lines ending in line feeds."""
    return (_FOLDER / "assets" / name).read_text("utf-8").replace("\r\n", "\n")


@lru_cache
def report_style(name: str) -> str:
    """The style of a report beyond `look/base.css`: its own, and what all reports share."""
    return f".report {{\n{asset('page.css')}\n{asset(name)}}}\n"


def page(template: str, title: str, *, style: str | None = None, **context: Any) -> str:
    """A page that carries its style and script, and may use them and load nothing.

    `template` is the name of a kind: `templates/<kind>.html`, with `assets/<kind>.css`, unless
    `style` is given in its place, and, where there is one, `assets/<kind>.js`.
    """
    own = report_style(f"{template}.css") if style is None else style
    return _rendered(
        template,
        frame="page.html",
        title=title,
        style=Markup(stylesheet("base.css") + own),  # noqa: S704  # our own
        script=Markup(_script(template)),  # noqa: S704  # our own
        **context,
    )


def parts(template: str, **context: Any) -> ReportParts:
    """The same apart from its page, and without its title."""
    body = _rendered(template, frame="part.html", title="", **context)
    return ReportParts(body, report_style(f"{template}.css"), _script(template))


def _script(template: str) -> str:
    name = f"{template}.js"
    return asset(name) if (_FOLDER / "assets" / name).exists() else ""


def _rendered(template: str, **context: Any) -> str:
    return environment().get_template(f"{template}.html").render(context)


class _Flowing(Extension):
    """Line breaks of a template are for those who read it: beside markup they are nothing, and
    between words they are a space.
    """

    def filter_stream(self, stream: TokenStream) -> Iterable[Token]:
        """The tokens of a template, the words between its tags flowing."""
        for token in stream:
            if token.type == "data":
                yield Token(token.lineno, "data", _BREAK.sub(_flow, token.value))
            else:
                yield token


def _flow(found: re.Match[str]) -> str:
    start, end, text = found.start(), found.end(), found.string
    if start == 0 or end == len(text) or text[start - 1] == ">" or text[end] == "<":
        return ""
    return " "


@cache
def environment() -> Environment:
    """The templates of pages, compiled once."""
    made = engine(_escaped, extensions=[_Flowing])
    made.filters.update(
        clock=clock, comma="{:,}".format, confidence_word=confidence_word, count=count,
        digest=_digest, first_words=first_words, isolated=isolated, label=label, percent=percent,
        visible=visible,
    )  # fmt: skip
    return made


def engine(shown: Callable[[Any], str], **options: Any) -> Environment:
    """Templates whose every value is put out as `shown` has it, which must escape all but `Markup`;
    a name that a template uses and nobody gave is an error.
    """
    made = Environment(
        loader=FileSystemLoader(_FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        auto_reload=False,
        cache_size=-1,
        **options,
    )
    made.code_generator_class = _Code
    return made


def _escaped(value: Any) -> str:
    """What stands in a page for a value: text that HTML can hold, and that is no markup."""
    return value if type(value) is Markup else escape(str(value))


class _Code(CodeGenerator):
    """Puts values out as `shown` has them, and not through Jinja's own escaping as well, which
    takes longer than all else in a large report. A Jinja that did not know these methods would
    escape by itself again.
    """

    def _output_child_pre(self, *_: Any) -> None:
        self.write("environment.finalize(")

    def _output_child_post(self, *_: Any) -> None:
        self.write(")")


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
