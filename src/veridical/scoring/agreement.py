"""How far scorecards agree with people who scored the same transcripts."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from veridical.errors import ValidationError, require_package
from veridical.judging.metrics import Rate
from veridical.scoring.scorecard import (
    SCORED,
    CriterionScore,
    CriterionVerdict,
    Scorecard,
    normalized,
)
from veridical.validation.schema_errors import shorten

# How far two raters agree, and how much of that is more than chance.


if TYPE_CHECKING:
    from nltk.metrics.agreement import AnnotationTask

_DECIMALS = 6
"""Decimals that are reported: the same on every machine."""

_VALUE_DECIMALS = 3
"""Decimals of values on an interval scale. Alpha looks at each two values that differ."""

NOTHING = "there is nothing that both rated"
ONE_LABEL = "undefined: both gave the same label every time, so chance alone explains it"
ONE_VALUE = "undefined: both gave the same value every time, so chance alone explains it"


@dataclass(frozen=True, slots=True)
class Coefficient:
    """Agreement beyond chance: 1 is perfect, 0 what chance gives, below 0 is worse than chance.

    `value` is None where it is not defined, and `note` says why.
    """

    value: float | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often the first rater said one thing and the second another (or the same)."""

    first: str
    second: str
    count: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two raters on the same items.

    `agreed` is the share on which they say the same, with a 95 % Wilson interval. `kappa` is
    Cohen's, `alpha` Krippendorff's for nominal data. `table` holds the counts that are not 0,
    in the order of the labels.
    """

    agreed: Rate
    kappa: Coefficient
    alpha: Coefficient
    table: tuple[Confusion, ...]

    @property
    def n(self) -> int:
        """The items that both rated."""
        return self.agreed.of

    def to_mapping(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {
            "n": self.n,
            "agreement": self.agreed.to_mapping(),
            "kappa": asdict(self.kappa),
            "alpha": asdict(self.alpha),
            "confusion": [asdict(cell) for cell in self.table],
        }


def measure_agreement(pairs: Sequence[tuple[str, str]]) -> Agreement:
    """Percent agreement, kappa and alpha of what two raters said of each item.

    Raises MissingExtraError without nltk, which computes the coefficients.
    Source: Cohen, Educational and Psychological Measurement 20, 1960; Krippendorff, Computing
    Krippendorff's Alpha-Reliability, 2011.
    """
    counts = Counter(pairs)
    agreed = Rate(sum(first == second for first, second in pairs), len(pairs))
    table = tuple(Confusion(*pair, counts[pair]) for pair in sorted(counts))
    undefined = _undefined(pairs, ONE_LABEL)
    if undefined is not None:
        return Agreement(agreed, undefined, undefined, table)
    task = _task(pairs)
    return Agreement(agreed, _rounded(task.kappa()), _rounded(task.alpha()), table)


def interval_alpha(pairs: Sequence[tuple[float, float]]) -> Coefficient:
    """Krippendorff's alpha of values on an interval scale, taken to three decimals.

    Raises MissingExtraError without nltk. Source: as `measure_agreement`.
    """
    values = [(round(a, _VALUE_DECIMALS), round(b, _VALUE_DECIMALS)) for a, b in pairs]
    return _undefined(values, ONE_VALUE) or _rounded(_task(values, interval=True).alpha())


def require_nltk() -> None:
    """Raises MissingExtraError where the library that computes the coefficients is missing."""
    require_package("nltk", "Agreement between raters", "agreement")


def _undefined(pairs: Sequence[tuple[Hashable, Hashable]], one: str) -> Coefficient | None:
    """The coefficients are quotients; nltk calls them 1 where the divisor is 0. We do not."""
    require_nltk()
    if not pairs:
        return Coefficient(None, NOTHING)
    return Coefficient(None, one) if len({label for pair in pairs for label in pair}) == 1 else None


def _task(pairs: Sequence[tuple[Hashable, Hashable]], *, interval: bool = False) -> AnnotationTask:
    from nltk.metrics.agreement import AnnotationTask
    from nltk.metrics.distance import binary_distance, interval_distance

    rows = [(rater, item, pair[rater]) for item, pair in enumerate(pairs) for rater in (0, 1)]
    return AnnotationTask(rows, distance=interval_distance if interval else binary_distance)


def _rounded(value: float) -> Coefficient:
    return Coefficient(round(float(value), _DECIMALS) + 0.0)


# What people said of the criteria of transcripts, in a CSV file.


MAX_ROWS = 20_000
"""Ratings that a file may hold."""

_COLUMNS = ("transcript", "criterion_id", "verdict", "score")
_REQUIRED = ("criterion_id", "verdict")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_MOST_FIELD_CHARS = 10_000
_MOST_NUMBER_CHARS = 40


@dataclass(frozen=True, slots=True)
class HumanRating:
    """What a person said of a criterion. `line` is that of the file, `score` on its scale."""

    line: int
    transcript: str
    criterion_id: str
    verdict: CriterionVerdict
    score: float | None = None


def _wrong(name: str, line: int, told: str) -> ValidationError:
    return ValidationError(f"{name}: line {line}: {told}")


def read_ratings(text: str, name: str) -> tuple[HumanRating, ...]:
    """The ratings in a CSV file: columns criterion_id, verdict, and optionally transcript and
    score. `name` is the file's, for errors.

    Raises ValidationError that names the line: an unknown or missing column, a verdict that there
    is not, a score that is no number or goes with a verdict that carries none, the same rating
    twice.
    """
    found: dict[tuple[str, str], HumanRating] = {}
    for line, row in _rows(text, name):
        rating = _rating(row, line, name)
        key = (rating.transcript, rating.criterion_id)
        if (first := found.setdefault(key, rating)) is not rating:
            raise _wrong(
                name,
                line,
                f"criterion {shorten(rating.criterion_id)} of this transcript was rated on line "
                f"{first.line} already; give the ratings of each person in a file of their own",
            )
    if not found:
        raise ValidationError(f"{name}: there are no ratings in it, only the names of columns")
    return tuple(found.values())


def _rows(text: str, name: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows that are not blank, by column, with the number of their line."""
    if "\0" in text:
        raise ValidationError(f"{name} is not CSV: it holds a NUL character")
    # What stands between the columns: a comma, or what spreadsheets of other countries write.
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=delimiter)
    count = 0
    try:
        header = [field.strip().casefold().replace(" ", "_") for field in next(reader, [])]
        _require_columns(header, name)
        for row in reader:
            line = reader.line_num
            if not any(field.strip() for field in row):
                continue
            count += 1
            if count > MAX_ROWS:
                raise ValidationError(f"{name}: more than {MAX_ROWS:,} ratings; split the file")
            if len(row) != len(header):
                raise _wrong(name, line, f"{len(row)} fields, the first line names {len(header)}")
            if any(len(field) > _MOST_FIELD_CHARS for field in row):
                raise _wrong(name, line, "a field is too long")
            yield line, dict(zip(header, map(str.strip, row), strict=True))
    except csv.Error as problem:
        raise _wrong(name, reader.line_num, f"not CSV: {problem}") from None


def _require_columns(header: Sequence[str], name: str) -> None:
    known = ", ".join(_COLUMNS)
    missing = [column for column in _REQUIRED if column not in header]
    if missing:
        raise _wrong(
            name,
            1,
            f"no column {' and '.join(missing)}; the first line must name the columns, of {known}, "
            "with commas, semicolons or tabs between them",
        )
    for column in header:
        if column not in _COLUMNS:
            raise _wrong(name, 1, f"unknown column {shorten(column)}; there are {known}")
        if header.count(column) > 1:
            raise _wrong(name, 1, f"column {column} is there twice")


def _rating(row: Mapping[str, str], line: int, name: str) -> HumanRating:
    said, written = row["verdict"].casefold(), row.get("score", "")
    if said not in set(CriterionVerdict):
        known = ", ".join(CriterionVerdict)
        raise _wrong(name, line, f"verdict {shorten(row['verdict'])} is not one of {known}")
    if not row["criterion_id"]:
        raise _wrong(name, line, "criterion_id is empty")
    if written and (len(written) > _MOST_NUMBER_CHARS or not _NUMBER.fullmatch(written)):
        raise _wrong(name, line, f"score {shorten(written)} is not a number")
    verdict, score = CriterionVerdict(said), float(written) if written else None
    if score is not None and verdict not in SCORED:
        raise _wrong(
            name,
            line,
            f"score {score:g} with {verdict}, which carries no score; leave the score empty, or "
            "write met, partial or missed",
        )
    return HumanRating(
        line,
        row.get("transcript", ""),
        row["criterion_id"],
        verdict,
        score,
    )


# How far that agrees with scorecards.


_HASH_PREFIX = re.compile(r"[0-9a-fA-F]{8,64}")


@dataclass(frozen=True, slots=True)
class Unmatched:
    """A rating that no scorecard has anything to compare with, and why."""

    rating: HumanRating
    reason: str


@dataclass(frozen=True, slots=True)
class Measured:
    """Agreement of scorecards, who come first, with people: of one criterion, or all.

    `interval` is alpha of the scores from 0 to 1 of those pairs of which both have one, `scored` of
    them; None where no person gave a score.
    """

    verdicts: Agreement
    interval: Coefficient | None
    scored: int

    def to_mapping(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        interval = None if self.interval is None else asdict(self.interval)
        return {**self.verdicts.to_mapping(), "intervalAlpha": interval, "scored": self.scored}


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """All that was measured. `unrated` counts the criteria of the scorecards that nobody rated."""

    overall: Measured
    criteria: Mapping[str, Measured]
    ratings: int
    unmatched: tuple[Unmatched, ...]
    unrated: int

    def to_mapping(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {
            "overall": self.overall.to_mapping(),
            "criteria": [
                {"criterionId": name, **measured.to_mapping()}
                for name, measured in self.criteria.items()
            ],
            "ratings": self.ratings,
            "unmatched": [
                {
                    "line": item.rating.line,
                    "transcript": item.rating.transcript,
                    "criterionId": item.rating.criterion_id,
                    "reason": item.reason,
                }
                for item in self.unmatched
            ],
            "unratedCriteria": self.unrated,
        }


@dataclass(frozen=True, slots=True)
class _Pair:
    rating: HumanRating
    score: CriterionScore
    human_value: float | None


def compare_with_people(
    cards: Sequence[Scorecard], ratings: Sequence[HumanRating], name: str
) -> AgreementReport:
    """Agreement per criterion and over all. `name` is the ratings' file, for errors.

    A rating belongs to the scorecard whose transcript has that name, path or SHA-256's beginning;
    without a transcript to the only scorecard. One that belongs to none is reported.

    Raises ValidationError for two scorecards of one transcript, a transcript that fits several, a
    rating without a transcript where there are several scorecards, two ratings that turn out to be
    of the same thing, a score off the criterion's scale or against its verdict, and ratings that
    have nothing in common with the scorecards; MissingExtraError without nltk.
    """
    require_nltk()
    index = _Index(cards, name)
    pairs: list[_Pair] = []
    unmatched: list[Unmatched] = []
    rated: dict[tuple[int, str], int] = {}
    for rating in ratings:
        at = index.card_of(rating)
        score = None if at is None else index.criteria[at].get(rating.criterion_id)
        if at is None or score is None:
            unmatched.append(Unmatched(rating, index.why_not(at)))
            continue
        before = rated.setdefault((at, rating.criterion_id), rating.line)
        if before != rating.line:
            told = f"the same transcript and criterion as on line {before}"
            raise _wrong(name, rating.line, told)
        pairs.append(_Pair(rating, score, _human_value(rating, score, name)))
    if not pairs:
        first = "".join(f"; line {u.rating.line}: {u.reason}" for u in unmatched[:1])
        raise ValidationError(
            f"{name}: none of {len(ratings):,} ratings is of a criterion of the scorecards{first}"
        )
    return AgreementReport(
        overall=_measured(pairs),
        criteria=_grouped(pairs),
        ratings=len(ratings),
        unmatched=tuple(unmatched),
        unrated=sum(map(len, index.criteria)) - len(rated),
    )


class _Index:
    """Scorecards by their transcripts, and their criteria by id."""

    def __init__(self, cards: Sequence[Scorecard], name: str) -> None:
        hashes: dict[str, str] = {}
        for card in cards:
            transcript = card.transcript
            if transcript.sha256 in hashes:
                raise ValidationError(
                    f"two scorecards are of the same transcript: {hashes[transcript.sha256]} and "
                    f"{transcript.name}; compare the scorecards of one run at a time"
                )
            hashes[transcript.sha256] = transcript.name
        self._cards = cards
        self._name = name
        self.criteria: list[dict[str, CriterionScore]] = [
            {score.review.criterion_id: score for part in card.sections for score in part.criteria}
            for card in cards
        ]

    def card_of(self, rating: HumanRating) -> int | None:
        """Which scorecard a rating is about; None where it is about none of them."""
        if not rating.transcript and len(self._cards) == 1:
            return 0
        if not rating.transcript:
            raise _wrong(
                self._name,
                rating.line,
                f"no transcript is named, and there are {len(self._cards)} scorecards; add a "
                "column transcript with its name or SHA-256",
            )
        names = [card.transcript.name for card in self._cards]
        found = [at for at, name in enumerate(names) if name == rating.transcript]
        if not found:
            # A scorecard names the path that it was made from, a person the file.
            files = [re.split(r"[/\\]", name)[-1] for name in names]
            found = [at for at, name in enumerate(files) if name == rating.transcript]
        if not found and _HASH_PREFIX.fullmatch(rating.transcript):
            prefix = rating.transcript.lower()
            hashes = [card.transcript.sha256 for card in self._cards]
            found = [at for at, sha256 in enumerate(hashes) if sha256.startswith(prefix)]
        if len(found) > 1:
            raise _wrong(
                self._name,
                rating.line,
                f"{len(found)} scorecards are of a transcript {shorten(rating.transcript)}; write "
                "its path or more of its SHA-256",
            )
        return found[0] if found else None

    def why_not(self, at: int | None) -> str:
        """Why there is nothing to compare a rating with."""
        if at is None:
            return "no scorecard is of this transcript"
        unscored = any(part.failure and not part.criteria for part in self._cards[at].sections)
        return "the scorecard has no such criterion" + (
            ", and a section of it was not scored" if unscored else ""
        )


def _human_value(rating: HumanRating, score: CriterionScore, name: str) -> float | None:
    if rating.score is None:
        return None
    least, greatest = score.scale
    of_scale = f"the scale of {shorten(rating.criterion_id)}, {least:g} to {greatest:g}"
    if not least <= rating.score <= greatest:
        raise _wrong(name, rating.line, f"score {rating.score:g} is not on {of_scale}")
    value = normalized(rating.score, score.scale)
    # Between the ends people differ in what is met and what is partial; at them nobody does.
    ends = {0.0: ("least", CriterionVerdict.MISSED), 1.0: ("greatest", CriterionVerdict.MET)}
    end, only = ends.get(value, ("", rating.verdict))
    if rating.verdict is not only:
        told = f"{rating.verdict} with score {rating.score:g}, the {end} of {of_scale}"
        raise _wrong(name, rating.line, f"{told}; mend the verdict or the score")
    return value


def _grouped(pairs: Sequence[_Pair]) -> dict[str, Measured]:
    groups: dict[str, list[_Pair]] = {}
    for pair in pairs:
        groups.setdefault(pair.rating.criterion_id, []).append(pair)
    return {name: _measured(groups[name]) for name in sorted(groups)}


def _measured(pairs: Sequence[_Pair]) -> Measured:
    verdicts = [(pair.score.review.verdict.value, pair.rating.verdict.value) for pair in pairs]
    values = [
        (normalized(pair.score.review.score, pair.score.scale), pair.human_value)
        for pair in pairs
        if pair.score.review.score is not None and pair.human_value is not None
    ]
    any_scored = any(pair.human_value is not None for pair in pairs)
    return Measured(
        measure_agreement(verdicts), interval_alpha(values) if any_scored else None, len(values)
    )
