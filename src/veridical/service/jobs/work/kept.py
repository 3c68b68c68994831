"""What was paid for is not paid for again: answers of a model, kept with the steps of a job."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections import Counter
from dataclasses import asdict, replace
from typing import Any

from veridical.answering.wire import answer_to_wire
from veridical.errors import VeridicalError
from veridical.evaluation.chat import Answerer, read_reply
from veridical.evaluation.run import ChatError, ChatResponse, EvalRun
from veridical.ledger.canonical import compact_bytes
from veridical.models.protocol import FinishReason, LanguageModel, ModelReply, ModelRequest
from veridical.service.jobs.workers import Steps

_DECIMALS = 3


class KeptModel:
    """A model whose replies are kept. The same request a second time is a step of its own: whoever
    asks again after an unusable reply wants another one.
    """

    def __init__(self, model: LanguageModel, steps: Steps) -> None:
        self._model = model
        self._steps = steps
        self._asked: Counter[str] = Counter()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """How results name it."""
        return self._model.name

    def complete(self, request: ModelRequest) -> ModelReply:
        """The reply that was kept, or the model's own. What it raises is not kept."""
        told = json.dumps(asdict(request), sort_keys=True)  # the same in every process
        key = hashlib.sha256(told.encode()).hexdigest()[:32]
        with self._lock:
            self._asked[key] += 1
            step = f"model-{key}-{self._asked[key]}"
        kept = self._steps.once(step, lambda: json.dumps(asdict(self._model.complete(request))))
        fields: dict[str, Any] = json.loads(kept)
        return ModelReply(**{**fields, "finish_reason": FinishReason(fields["finish_reason"])})


class KeptChat:
    """An answerer whose answers are kept, with the time that they took. Asked one after the other.

    A question that fails is not kept: begun again, it is asked again.
    """

    def __init__(self, answerer: Answerer, steps: Steps) -> None:
        self._answerer = answerer
        self._steps = steps
        self._times: list[float] = []

    def ask(self, question: str) -> ChatResponse | ChatError:
        """The response, or why there is none that could be used."""
        began = time.perf_counter()

        def answered() -> str:
            answer = self._answerer.answer(question)
            taken = (time.perf_counter() - began) * 1000
            reply = compact_bytes(answer_to_wire(answer, taken)).decode()
            return json.dumps({"reply": reply, "client_ms": round(taken, _DECIMALS)})

        try:
            kept = json.loads(self._steps.once(f"question-{len(self._times)}", answered))
        except VeridicalError as error:
            self._times.append(round((time.perf_counter() - began) * 1000, _DECIMALS))
            return ChatError(str(error))
        self._times.append(kept["client_ms"])
        return read_reply(kept["reply"].encode())

    def settled(self, run: EvalRun) -> EvalRun:
        """The run with the times that the answers took when they were given."""
        measured = self._times[1:]  # the first question is asked once more, before the others
        pairs = zip(run.results, measured, strict=True)
        return replace(run, results=tuple(replace(was, client_ms=ms) for was, ms in pairs))
