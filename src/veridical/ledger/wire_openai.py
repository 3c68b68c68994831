"""Citations in replies of OpenAI's APIs: annotations of a text.

Source: `output_text` of the Responses API and the message of Chat Completions in the API's
reference. A file citation has only the place in the text where it belongs; the others have a range,
whose end the reference calls the last character and the service's replies have just after it.
"""

from __future__ import annotations

from collections.abc import Iterator

from veridical.errors import ValidationError
from veridical.ledger.limits import MAX_ANSWER_CHARS
from veridical.ledger.wire_given import (
    MAX_CITATIONS,
    CitedAnswer,
    Given,
    GivenCitation,
)
from veridical.ledger.wire_web_selectors import linked_words, without_directives
from veridical.sources.span import Span

_KINDS = ("file_citation", "url_citation", "container_file_citation")
_CITED = ("annotations", "citations")
"""Where a part has citations; in a text of the answer the first are read."""

_FILE_PATH = "file_path"
"""An annotation that is no citation: a file that the model made."""


def answer_from_openai(reply: object) -> CitedAnswer:
    """The answer in a reply with its annotations.

    `reply` is a response of the Responses API, its `output`, the `content` of a message, one
    `output_text`, or a message of Chat Completions. Other parts (reasoning, tool calls, refusals)
    are passed over, unless they have citations, which are then `unread`.

    Annotations quote nothing.
    Raises ValidationError that names the path of what is not as the APIs have it.
    """
    parts: list[str] = []
    citations: list[GivenCitation] = []
    length = uncited = 0
    for part, text in _parts(Given(reply, "reply")):
        citations.extend(_unread(part, *_CITED[text is not None :]))
        if text is None:
            continue
        parts.append(text.text())
        cited = [
            _citation(item, length, len(parts[-1]))
            for item in part.at("annotations").items()
            if item.at("type").text() != _FILE_PATH
        ]
        citations.extend(cited)
        uncited += not cited
        length += len(parts[-1])
        if length > MAX_ANSWER_CHARS or len(citations) > MAX_CITATIONS:
            raise ValidationError(
                f"{text.path}: the answer has more than {MAX_ANSWER_CHARS:,} characters or "
                f"{MAX_CITATIONS:,} citations",
                {"path": text.path, "constraint": "maxLength"},
            )
    return CitedAnswer("".join(parts), tuple(citations), uncited)


def _parts(reply: Given) -> Iterator[tuple[Given, Given | None]]:
    """Each part of a reply with its text, not yet read; None where it is none of the answer."""
    if isinstance(reply.value, list):
        for item in reply.items():
            yield from _parts_of(item)
    elif reply.at("output").value is not None:
        for item in reply.at("output").items():
            yield from _parts_of(item)
    elif isinstance(reply.at("content").value, str):
        yield reply, reply.at("content")
    else:
        yield from _parts_of(reply)


def _parts_of(item: Given) -> Iterator[tuple[Given, Given | None]]:
    inner = item.at("content").items() if item.at("type").text() == "message" else (item,)
    for part in inner:
        yield part, part.at("text") if part.at("type").text() == "output_text" else None


def _unread(part: Given, *names: str) -> Iterator[GivenCitation]:
    for name in names:
        if part.at(name).value:
            kind = part.at("type").value
            yield part.at(name).unread(
                kind if isinstance(kind, str) else name, "such citations are not read"
            )


def _citation(item: Given, before: int, length: int) -> GivenCitation:
    """The citation of a text of `length` characters, with `before` of the answer before it."""
    kind = item.at("type").text()
    if kind not in _KINDS:
        raise item.at("type").refused(f"must be one of {', '.join(_KINDS)}", "enum")
    nested = item.at(kind)  # Chat Completions puts the fields under the name of the type.
    fields = item if nested.value is None else nested
    if kind == "file_citation":
        index = fields.at("index")
        if index.whole() > length:
            raise index.refused(f"must lie in the text of {length:,} characters", "maximum")
        place = Span(index.whole(), index.whole())
    else:
        place = fields.span("start_index", "end_index")
        if place.end > length:
            raise fields.at("end_index").refused(
                f"must lie in the text of {length:,} characters", "maximum"
            )
    span = Span(before + place.start, before + place.end)
    if kind == "url_citation":
        title, url = fields.at("title").text_or_none(), fields.at("url").text()
        return GivenCitation(
            kind, span, title=title, url=without_directives(url), unchecked=linked_words(url)
        )
    name, file_id = fields.at("filename").text_or_none(), fields.at("file_id").text()
    return GivenCitation(kind, span, title=name, file_id=file_id)
