"""What a transcript is scored against: sections of criteria, and how their scores add up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class CriterionType(StrEnum):
    """How a criterion is scored: yes or no, on a scale, by named options, or by the clock."""

    BOOLEAN = "boolean"
    GRADED = "graded"
    ENUM = "enum"
    TIMING = "timing"


class NotObserved(StrEnum):
    """What becomes of a required criterion that was not observed."""

    TREAT_AS_MISSED = "treat_as_missed"
    EXCLUDE_WITH_WARNING = "exclude_with_warning"


@dataclass(frozen=True, slots=True)
class Grading:
    """The ends of a graded criterion's scale; `max_score` is the greater, and the better."""

    min_score: float
    max_score: float


@dataclass(frozen=True, slots=True)
class EnumOption:
    """An option of an enum criterion and the number that stands for it: higher is better."""

    value: str
    score: float


@dataclass(frozen=True, slots=True)
class TimingTarget:
    """From which event to which, and within how many seconds.

    Up to `target_seconds` the criterion is met, up to `max_seconds` it is met in part, beyond that
    missed. At least one of them is set; with one alone nothing is met in part.
    """

    start_event: str
    end_event: str
    target_seconds: float | None = None
    max_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class EvidenceRules:
    """What a verdict must rest on.

    `min_evidence` verified quotes at distinct places; 0 says that evidence is impossible. Without
    `require_verbatim_quote` words that say the same are evidence too.
    """

    min_evidence: int = 1
    require_verbatim_quote: bool = True


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that show something when they are said.

    `speakers` are labels, or patterns of them with `*` and `?`, of those whose words count; empty
    means anybody's.
    """

    phrase: str
    speakers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CueGroup:
    """Cues of which any one will do, under a name: an element, an option or an event."""

    name: str
    cues: tuple[Cue, ...]


@dataclass(frozen=True, slots=True)
class Cues:
    """What the offline scorer looks for.

    `met` and `missed` show that verdict. `elements` are the parts of a whole: the share of them
    that was said is the score. `options` are those of an enum, `events` what the clock runs
    between; an event may be in the cues of any criterion.
    """

    met: tuple[Cue, ...] = ()
    missed: tuple[Cue, ...] = ()
    elements: tuple[CueGroup, ...] = ()
    options: tuple[CueGroup, ...] = ()
    events: tuple[CueGroup, ...] = ()

    def all_cues(self) -> Iterator[Cue]:
        """Every cue, in a fixed order."""
        yield from self.met
        yield from self.missed
        for group in (*self.elements, *self.options, *self.events):
            yield from group.cues


@dataclass(frozen=True, slots=True)
class CriterionSource:
    """The words of a procedure that a criterion comes from, as they stand there.

    `page` counts from 1, None where the document has no pages; `section` is the heading above.
    """

    document: str
    quote: str
    page: int | None = None
    section: str | None = None

    @property
    def place(self) -> str:
        """Document, page and section, on one line."""
        page = "" if self.page is None else f"page {self.page}"
        return ", ".join(filter(None, (self.document, page, self.section)))


@dataclass(frozen=True, slots=True)
class Criterion:
    """One thing that is scored.

    `source` is what of a procedure it comes from, where it was drafted from one. `grading` is set
    for graded criteria, `options` for enums (in the order of the file) and `timing` for timing
    criteria, and for no others. `weight` is relative to those of the other
    criteria of its section.
    """

    id: str
    title: str
    type: CriterionType
    description: str = ""
    required: bool = False
    weight: float = 1.0
    grading: Grading | None = None
    options: tuple[EnumOption, ...] = ()
    timing: TimingTarget | None = None
    evidence: EvidenceRules = EvidenceRules()
    cues: Cues | None = None
    source: CriterionSource | None = None

    @property
    def scale(self) -> tuple[float, float]:
        """The least and the greatest score: 0 and 1 but for graded criteria and enums."""
        if self.grading is not None:
            return self.grading.min_score, self.grading.max_score
        if self.options:
            scores = [option.score for option in self.options]
            return min(scores), max(scores)
        return 0.0, 1.0

    def texts(self) -> Iterator[str]:
        """What it says in words: title, description, options, events, and phrases of cues."""
        yield from (self.title, self.description)
        yield from (option.value for option in self.options)
        if self.timing is not None:
            yield from (self.timing.start_event, self.timing.end_event)
        if self.cues is not None:
            yield from (cue.phrase for cue in self.cues.all_cues())


@dataclass(frozen=True, slots=True)
class Section:
    """Criteria that are scored together, in one call. The weights of all sections add up to 1."""

    id: str
    title: str
    weight: float
    criteria: tuple[Criterion, ...]
    description: str = ""

    def criterion(self, criterion_id: str) -> Criterion | None:
        """The criterion with that id, if there is one."""
        return next((c for c in self.criteria if c.id == criterion_id), None)


@dataclass(frozen=True, slots=True)
class Template:
    """What a rubric is called, and which version of it this is."""

    id: str
    name: str
    version: str
    description: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoringRules:
    """Scores from which a section passes or only needs improvement, from 0 to 1."""

    pass_threshold: float = 0.8
    needs_improvement_threshold: float = 0.6
    required_not_observed: NotObserved = NotObserved.TREAT_AS_MISSED


@dataclass(frozen=True, slots=True)
class ModelRules:
    """How a model is asked: calls at once, attempts after the first, and the longest quote."""

    concurrency: int = 5
    max_retries: int = 2
    evidence_quote_max_chars: int = 300


@dataclass(frozen=True, slots=True)
class Rubric:
    """A rubric whose parts fit together; `rubrics.file.load_rubric` makes one of a file.

    `sha256` is that of its content, however the file was written.
    """

    template: Template
    sections: tuple[Section, ...]
    scoring: ScoringRules = ScoringRules()
    llm: ModelRules = ModelRules()
    sha256: str = ""

    def section(self, section_id: str) -> Section | None:
        """The section with that id, if there is one."""
        return next((s for s in self.sections if s.id == section_id), None)
