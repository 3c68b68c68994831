"""The judge that a user asked for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.cli.choices import parse_choice
from veridical.cli.models import language_model, names_a_model
from veridical.errors import ConfigurationError
from veridical.judging.judge import OperatingPoint

if TYPE_CHECKING:
    from veridical.judging.judge import Judge
    from veridical.models.protocol import LanguageModel


class JudgeKind(StrEnum):
    """A kind of judge."""

    READER = "reader"
    NLI = "nli"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class JudgeChoice:
    """What the options of a command say of the judge, unchecked."""

    judge: str | None
    point: str
    model: str | None = None
    base_url: str | None = None
    model_path: str | None = None
    calibration: str | None = None

    @property
    def kind(self) -> JudgeKind:
        """The judge that was named, or the one that the other options ask for."""
        if self.judge is not None:
            return parse_choice(JudgeKind, self.judge, option="--judge")
        if self.model_path is not None:
            return JudgeKind.NLI
        named = names_a_model(self.model, self.base_url)
        return JudgeKind.MODEL if named else JudgeKind.READER

    @property
    def files(self) -> list[str]:
        """The files that the judge is made from."""
        folder = Path(self.model_path) if self.model_path else None
        found = sorted(map(str, folder.iterdir())) if folder and folder.is_dir() else []
        return [*found, self.calibration] if self.calibration else found

    def language_model(self) -> LanguageModel:
        """The language model. Raises ConfigurationError where none is named."""
        return language_model(self.model, self.base_url)


def make_judge(choice: JudgeChoice) -> Judge:
    """The judge. Raises ConfigurationError for options that do not fit together."""
    point = parse_choice(OperatingPoint, choice.point, option="--point")
    kind = choice.kind
    if choice.model_path is not None and kind is not JudgeKind.NLI:
        raise ConfigurationError(f"--model-path goes with --judge nli, not with --judge {kind}")
    if choice.judge is not None and choice.model is not None and kind is not JudgeKind.MODEL:
        raise ConfigurationError(f"--model goes with --judge model, not with --judge {kind}")
    judge = _judge(kind, choice, point)
    if choice.calibration is None:
        return judge
    from veridical.judging.calibration import CalibratedByUser, read_calibration

    return CalibratedByUser(judge, read_calibration(choice.calibration))


def _judge(kind: JudgeKind, choice: JudgeChoice, point: OperatingPoint) -> Judge:
    if kind is JudgeKind.MODEL:
        from veridical.judging.model_judge import ModelJudge

        return ModelJudge(choice.language_model(), point=point)
    if kind is JudgeKind.NLI:
        from veridical.judging.nli import NliJudge

        if choice.model_path is None:
            raise ConfigurationError(
                "--judge nli needs --model-path: a folder with model.onnx, tokenizer.json and "
                "config.json"
            )
        return NliJudge(choice.model_path, point=point)
    from veridical.judging.reader_judge import ReaderJudge

    return ReaderJudge(point)
