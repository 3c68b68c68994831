"""JUnit XML, which every CI system shows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.etree import ElementTree as ET

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Found(NamedTuple):
    """Why a case did not pass: a `failure`, an `error`, or in doubt and so `skipped`; its type, and
    what is told of it.
    """

    tag: str
    type: str
    message: str
    text: str = ""


class Case(NamedTuple):
    """A test case; `more` are attributes beyond its names. It passed where nothing was `found`."""

    group: str
    name: str
    found: Found | None = None
    output: str = ""
    properties: Sequence[tuple[str, str]] = ()
    more: Mapping[str, str] = {}


class Suite(NamedTuple):
    """A test suite; `more` are attributes beyond its name and counts."""

    name: str
    cases: Sequence[Case]
    output: str = ""
    more: Mapping[str, str] = {}


def render_suites(name: str, suites: Sequence[Suite]) -> str:
    """Test suites as an XML document. Characters that XML cannot hold are left out."""
    cases = [case for suite in suites for case in suite.cases]
    more = suites[0].more if suites else {}
    root = ET.Element("testsuites", {"name": name, **_counts(cases), **more})
    for suite in suites:
        skipped = [case for case in suite.cases if case.found and case.found.tag == "skipped"]
        counts = {**_counts(suite.cases), **suite.more, "skipped": str(len(skipped))}
        element = ET.SubElement(root, "testsuite", {"name": legal(suite.name), **counts})
        for case in suite.cases:
            _add_case(element, case)
        _add_output(element, suite.output)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, "unicode") + "\n"


def legal(text: str) -> str:
    """The text without the characters that XML 1.0 cannot hold, not even escaped."""
    return _ILLEGAL.sub("", text)


def _counts(cases: Sequence[Case]) -> dict[str, str]:
    tags = [case.found.tag for case in cases if case.found]
    return {
        "tests": str(len(cases)),
        "failures": str(tags.count("failure")),
        "errors": str(tags.count("error")),
    }


def _add_case(suite: ET.Element, case: Case) -> None:
    named = {"classname": legal(case.group), "name": legal(case.name)}
    element = ET.SubElement(suite, "testcase", {**named, **_legal(case.more)})
    if case.properties:
        properties = ET.SubElement(element, "properties")
        for name, value in case.properties:
            ET.SubElement(properties, "property", {"name": name, "value": legal(value)})
    if found := case.found:
        type_ = {"type": legal(found.type)} if found.tag != "skipped" else {}  # which has none
        told = {**type_, "message": legal(found.message)}
        ET.SubElement(element, found.tag, told).text = legal(found.text) or None
    _add_output(element, case.output)


def _add_output(element: ET.Element, text: str) -> None:
    if text:
        ET.SubElement(element, "system-out").text = legal(text)


def _legal(attributes: Mapping[str, str]) -> dict[str, str]:
    return {name: legal(value) for name, value in attributes.items()}
