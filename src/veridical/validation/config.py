"""Settings of a validation. The defaults stand here; their bounds in the configuration's schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from veridical.errors import ConfigurationError

BYTES_PER_MB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class FuzzyMatching:
    """Quotes that differ in a few characters, and paraphrases."""

    enabled: bool = True
    similarity_threshold: float = 0.85
    max_edit_distance: int = 3
    algorithm: str = "levenshtein"


@dataclass(frozen=True, slots=True)
class ExactMatching:
    """Quotes that stand as they are."""

    enabled: bool = True
    case_sensitive: bool = False
    normalize_whitespace: bool = True


@dataclass(frozen=True, slots=True)
class SemanticMatching:
    """Passages on the same subject. Sizes are characters."""

    enabled: bool = True
    chunk_size: int = 500
    overlap_size: int = 100
    similarity_threshold: float = 0.75


@dataclass(frozen=True, slots=True)
class ContextValidation:
    """What stands around a quote. The window is characters on each side."""

    enabled: bool = True
    context_window: int = 200
    section_awareness: bool = True


@dataclass(frozen=True, slots=True)
class PerformanceLimits:
    """Bounds of one run."""

    max_document_size_mb: float = 50
    max_claims: int = 1000
    max_processing_time_seconds: float = 120
    max_memory_mb: float = 0

    @property
    def max_document_bytes(self) -> int:
        """The size limit in bytes."""
        return int(self.max_document_size_mb * BYTES_PER_MB)


@dataclass(frozen=True, slots=True)
class ValidationConfig:
    """All settings of a validation."""

    fuzzy_matching: FuzzyMatching = field(default_factory=FuzzyMatching)
    exact_matching: ExactMatching = field(default_factory=ExactMatching)
    semantic_matching: SemanticMatching = field(default_factory=SemanticMatching)
    context_validation: ContextValidation = field(default_factory=ContextValidation)
    performance_limits: PerformanceLimits = field(default_factory=PerformanceLimits)

    @classmethod
    def from_mapping(cls, settings: Mapping[str, Any] | None) -> ValidationConfig:
        """Defaults with `settings` over them, which may stand under a `validation_config` key.

        Raises ConfigurationError for an unknown key, a wrong type or a value out of range.
        """
        if settings is None:
            return cls()
        plain = _unwrapped(settings)
        _check(plain)
        defaults = cls()
        config = cls(
            **{
                group.name: _with_settings(getattr(defaults, group.name), plain.get(group.name, {}))
                for group in fields(cls)
            }
        )
        semantic = config.semantic_matching
        if semantic.overlap_size >= semantic.chunk_size:
            raise ConfigurationError(
                f"configuration: semantic_matching.overlap_size ({semantic.overlap_size}) must be "
                f"less than semantic_matching.chunk_size ({semantic.chunk_size})"
            )
        return config

    def to_mapping(self) -> dict[str, Any]:
        """All settings as plain data, ready for JSON."""
        return asdict(self)


def _unwrapped(settings: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(settings, Mapping):
        raise ConfigurationError(
            f"configuration: expected an object of settings, got {type(settings).__name__}"
        )
    if set(settings) == {"validation_config"}:
        return _unwrapped(settings["validation_config"])
    return dict(settings)


def _with_settings(group: Any, settings: Mapping[str, Any]) -> Any:
    """A group with some settings changed. In JSON 3.0 is a whole number, so it is made one."""
    whole = {setting.name for setting in fields(group) if setting.type == "int"}
    return replace(group, **{k: int(v) if k in whole else v for k, v in settings.items()})


def _check(settings: dict[str, Any]) -> None:
    from veridical.validation.schema_errors import first_errors
    from veridical.validation.schemas import load_schema

    problems = first_errors(load_schema("validation_config"), settings)
    if problems:
        known = ", ".join(sorted(load_schema("validation_config")["properties"]))
        raise ConfigurationError(
            "configuration: "
            + "; ".join(p.describe() for p in problems)
            + f". The groups of settings are {known}; `veridical config` prints all defaults."
        )
