"""Policy answers: how long a question takes, served and around a model's call, and at scale.

`python -m benchmarks.answering --data DIR` prints the rows by themselves.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from benchmarks import answering_scale
from benchmarks.measure import progress
from benchmarks.report import Line, goal, table
from benchmarks.served import START_SECONDS, served
from veridical.answering.answerer import PolicyAnswerer
from veridical.evaluation.http_chat import HttpChat
from veridical.evaluation.questions import read_questions
from veridical.evaluation.run import ChatError
from veridical.models.protocol import ModelReply, ModelRequest
from veridical.retrieval.corpus import Corpus
from veridical.retrieval.lexical import LexicalIndex
from veridical.retrieval.terms import terms
from veridical.sources.loader import load_documents

OURS = "**Veridical**"
_ROOT = Path(__file__).resolve().parent.parent
POLICIES = _ROOT / "examples" / "policies"
QUESTIONS = [question.question for question in read_questions(_ROOT / "eval" / "questions.jsonl")]
_ROUNDS = 4


def lines(runs: int, data: Path | None) -> list[Line]:
    """Row l, and row m where there is the shared data."""
    made = _answering(max(2, runs))
    if data is not None and (data / "policies").is_dir():
        made += answering_scale.lines(data)
    else:
        progress("m needs the shared data: left out")
    return made


def _answering(rounds: int) -> list[Line]:
    corpus = Corpus(load_documents([POLICIES]).documents)
    corpus.prepare()
    embedded, around = PolicyAnswerer(corpus), PolicyAnswerer(corpus, model=_InstantModel())
    passages = LexicalIndex(chunk.text for chunk in corpus.chunks)
    work: dict[str, Callable[[str], object]] = {
        "embedded": embedded.answer,
        "around": around.answer,
        "passage": lambda question: corpus.chunks[int(passages.scores(terms(question)).argmax())],
    }
    spent: dict[str, list[float]] = {name: [] for name in (*work, "served")}
    with _server() as chat:
        for round_ in range(rounds + 1):
            for name, run in {**work, "served": _asking(chat)}.items():
                times = [_milliseconds(run, question) for question in QUESTIONS]
                if round_:
                    spent[name] += times
    served, asked = spent["served"], f"{len(QUESTIONS)} questions, {rounds} times"
    return [
        Line(
            "l",
            f"answer {asked}, over HTTP, seen by the client",
            OURS,
            _shown(served),
            must=goal("30 / 60 ms", met=_p(served, 50) <= 30 and _p(served, 95) <= 60),
            aim="10 / 25 ms",
        ),
        Line("l", "the same, in process", OURS, _shown(spent["embedded"])),
        Line(
            "l",
            "",
            "BM25's best passage, whole: no sentence, no quote, no refusal",
            _shown(spent["passage"]),
        ),
        Line(
            "l",
            "the same, around a model that replies at once",
            OURS,
            _shown(spent["around"]),
            must=goal("p95 40 ms", met=_p(spent["around"], 95) <= 40),
            aim="20 ms",
        ),
    ]


class _InstantModel:
    """Replies at once with the first sentences of four sources, each with its marker."""

    name = "instant"
    _SOURCE = re.compile(r"^BEGIN SOURCE \[(\d+)\] \w+\n(.*?)^END", re.MULTILINE | re.DOTALL)
    _SENTENCE = re.compile(r"^[A-Z][^.\n]{30,200}\.", re.MULTILINE)

    def complete(self, request: ModelRequest) -> ModelReply:
        bullets = [
            f"- {sentence[0]} [{number}]"
            for number, text in self._SOURCE.findall(request.messages[-1].content)
            if (sentence := self._SENTENCE.search(text))
        ]
        assert len(bullets) >= 2, "the prompt has another form: what is measured would be empty"
        return ModelReply("\n".join(bullets[:4]))


def _asking(chat: HttpChat) -> Callable[[str], object]:
    def ask(question: str) -> object:
        reply = chat.ask(question)
        assert not isinstance(reply, ChatError), reply.reason
        return reply

    return ask


@contextmanager
def _server() -> Iterator[HttpChat]:
    """`veridical serve` in a process of its own, once it has read the policies."""
    with (
        tempfile.TemporaryDirectory() as folder,
        served(f"sqlite:///{folder}/chat.db", "--documents", str(POLICIES)) as server,
        HttpChat(server.url) as chat,
    ):
        deadline = time.monotonic() + START_SECONDS
        while isinstance(chat.ask(QUESTIONS[0]), ChatError):
            assert time.monotonic() < deadline, "the server is not ready"
            time.sleep(0.05)
        yield chat


def _milliseconds(run: Callable[[str], object], question: str) -> float:
    start = time.perf_counter()
    run(question)
    return (time.perf_counter() - start) * 1000


def _p(times: Sequence[float], percent: float) -> float:
    return float(np.percentile(times, percent))


def _shown(times: Sequence[float]) -> str:
    return f"p50 {_p(times, 50):.1f} ms, p95 {_p(times, 95):.1f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="the folder of the shared data")
    parser.add_argument("--runs", type=int, default=_ROUNDS)
    options = parser.parse_args()
    print(table(lines(options.runs, options.data)))


if __name__ == "__main__":
    main()
