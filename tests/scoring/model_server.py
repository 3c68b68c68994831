"""A server on this machine that scores sections, and counts how many it is asked for at once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from tests.models.faulty_server import Act, Client, FaultyServer, answer, completion, serve
from tests.scoring.samples import reply_to

from veridical.models.openai_compatible import OpenAICompatibleModel
from veridical.models.settings import ModelSettings
from veridical.scoring.rubric import Section

Plan = Mapping[str, Sequence[Act]]
"""What is done with the requests for a section, in order; after that they are answered."""


@dataclass
class ScoringServer:
    """The server, what it was asked for by section, and the requests it has in hand, and had at
    most."""

    server: FaultyServer
    asked: Counter[str] = field(default_factory=Counter)
    in_flight: int = 0
    most_in_flight: int = 0

    def model(self) -> OpenAICompatibleModel:
        """A client that leaves it to the scorer to ask again."""
        return OpenAICompatibleModel(
            ModelSettings("tiny", self.server.url, max_retries=0, timeout_seconds=20)
        )


@contextmanager
def scoring_server(
    sections: Sequence[Section],
    *,
    plan: Plan | None = None,
    seconds: Callable[[str], float] = lambda _: 0.0,
) -> Iterator[ScoringServer]:
    """Answers that all criteria are met, after `seconds` of a section, but for what is planned."""
    known = {section.id: section for section in sections}
    lock = Lock()

    def act(client: Client) -> None:
        name = _section_asked_for(client.received.json)
        with lock:
            turn = running.asked[name]
            running.asked[name] += 1
            running.in_flight += 1
            running.most_in_flight = max(running.most_in_flight, running.in_flight)
        client.stop.wait(seconds(name))
        with lock:
            running.in_flight -= 1
        planned = (plan or {}).get(name, ())
        reply = answer(completion(json.dumps(reply_to(known[name]))))
        (planned[turn] if turn < len(planned) else reply)(client)

    with serve(act) as server:
        running = ScoringServer(server)
        yield running


def _section_asked_for(body: Any) -> str:
    schema = body["response_format"]["json_schema"]["schema"]
    name: str = schema["properties"]["sectionId"]["enum"][0]
    return name
