"""What can be set of bulk work, with its limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

from veridical.bulk.tables import Task
from veridical.errors import ConfigurationError
from veridical.validation.config import ValidationConfig

MEBIBYTE = 1024 * 1024

MOST_WORKERS = 512
_WORDS = {Task.VALIDATE: "quote", Task.JUDGE: "claim"}
_MOST_SECONDS = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Columns:
    """What the columns of the input are called. `words` is the quote, or the claim to be judged;
    without a name it is "quote" or "claim", as the task is.
    """

    claim_id: str = "claim_id"
    document_id: str = "document_id"
    words: str = ""
    evidence_type: str = "evidence_type"

    @classmethod
    def of(cls, task: Task, given: Mapping[str, str] | None = None) -> Columns:
        """The usual names for a task, but for those that are `given`, by the usual name.

        Raises ConfigurationError for a name that is not one of the usual ones, or two columns that
        would be the same.
        """
        usual = {"claim_id": "claim_id", "document_id": "document_id"}
        words = _WORDS[task]
        usual |= {words: "words"} | ({"evidence_type": "evidence_type"} if words == "quote" else {})
        unknown = sorted(set(given or {}) - set(usual))
        if unknown:
            raise ConfigurationError(
                f"There is no column {unknown[0]!r} to name; there are {', '.join(usual)}."
            )
        named = {own: name for name, own in usual.items()} | {
            usual[name]: there for name, there in (given or {}).items()
        }
        twice = [name for name in named.values() if list(named.values()).count(name) > 1]
        if twice or not all(named.values()):
            raise ConfigurationError(f"Two columns cannot both be {(twice or [''])[0]!r}.")
        return cls(**named)


@dataclass(frozen=True, slots=True)
class BulkSettings:
    """How claims are checked. None of it but `config` and `columns` changes what comes out.

    `shard_rows` is about how many claims are one piece of work, `shard_document_bytes` how much
    text of documents goes with them at most. `group_seconds` bounds the work on one document with
    up to `group_rows` of its claims. `memory_bytes` bounds each worker (0: no bound).
    """

    task: Task = Task.VALIDATE
    columns: Columns = field(default_factory=Columns)
    config: ValidationConfig = field(default_factory=ValidationConfig)
    workers: int = 1
    shard_rows: int = 5_000
    shard_document_bytes: int = 128 * MEBIBYTE
    group_rows: int = 500
    group_seconds: float = 120.0
    memory_bytes: int = 4096 * MEBIBYTE

    def __post_init__(self) -> None:
        for name, kind in (("task", Task), ("columns", Columns), ("config", ValidationConfig)):
            _require_kind(name, getattr(self, name), kind)
        if not self.columns.words:
            named = replace(self.columns, words=_WORDS[self.task])
            object.__setattr__(self, "columns", named)  # what is frozen is so from here on
        bounds = {
            "workers": (1, MOST_WORKERS),
            "shard_rows": (1, 10_000_000),
            "shard_document_bytes": (1, 1 << 40),
            "group_rows": (1, 1_000_000),
            "group_seconds": (0.01, _MOST_SECONDS),
        }
        for name, (least, most) in bounds.items():
            value = getattr(self, name)
            _require_number(name, value, is_whole=isinstance(least, int))
            if not least <= value <= most:
                raise ConfigurationError(
                    f"{name}: {value:g} does not lie between {least:g} and {most:g}"
                )
        _require_number("memory_bytes", self.memory_bytes, is_whole=True)
        if self.memory_bytes and self.memory_bytes < 256 * MEBIBYTE:
            raise ConfigurationError("memory_bytes: a worker needs at least 256 MB")

    def deciding(self) -> dict[str, object]:
        """What decides on the result, and on how the work is cut: a run can only be resumed with
        the same.
        """
        free = {"workers", "group_seconds", "memory_bytes", "task", "columns", "config"}
        plain = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in free}
        columns = {f.name: getattr(self.columns, f.name) for f in fields(Columns)}
        return {
            "task": self.task.value, "columns": columns, "config": self.config.to_mapping(), **plain
        }  # fmt: skip


def _require_kind(name: str, value: object, kind: type) -> None:
    if not isinstance(value, kind):
        raise ConfigurationError(f"{name}: {value!r} is no {kind.__name__}")


def _require_number(name: str, value: object, *, is_whole: bool) -> None:
    kinds = (int,) if is_whole else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds):
        wanted = "a whole number" if is_whole else "a number"
        raise ConfigurationError(f"{name}: {value!r} is not {wanted}")
