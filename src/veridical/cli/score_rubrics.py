"""`veridical score rubrics`: the rubrics that are shipped."""

from __future__ import annotations

from veridical.cli.terminal import out, out_data
from veridical.errors import ConfigurationError
from veridical.reports.words import count
from veridical.scoring.rubrics.file import rubric_from_text, shipped_names, shipped_text


def run(name: str | None) -> None:
    """Print the names of all, or the text of one."""
    names = shipped_names()
    if name is None:
        width = max(map(len, names))
        for each in names:
            out(f"{each:{width}}  {_told(each)}")
        return
    if name not in names:
        raise ConfigurationError(f"no rubric {name!r} is shipped; there are {', '.join(names)}")
    out_data(shipped_text(name).encode())


def _told(name: str) -> str:
    rubric = rubric_from_text(shipped_text(name), name)
    criteria = sum(len(section.criteria) for section in rubric.sections)
    return (
        f"{rubric.template.name}: {count(len(rubric.sections), 'section')}, "
        f"{criteria} {'criterion' if criteria == 1 else 'criteria'}"
    )
