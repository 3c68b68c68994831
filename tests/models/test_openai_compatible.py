"""The client of OpenAI-compatible servers, against servers that answer well."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.models.faulty_server import FINE, Client, answer, completion, error, serve

from veridical.errors import ModelError, ModelUnavailable
from veridical.models.openai_compatible import OpenAICompatibleModel
from veridical.models.protocol import (
    FinishReason,
    LanguageModel,
    Message,
    ModelReply,
    ModelRequest,
    Role,
)
from veridical.models.settings import ModelSettings

KEY = "sk-secret-0123456789"
SCHEMA = {
    "type": "object",
    "properties": {"verdict": {"type": "string"}},
    "required": ["verdict"],
    "additionalProperties": False,
}
FREE = ModelRequest((Message(Role.SYSTEM, "Be brief."), Message(Role.USER, "Say it.")))
BOUND = ModelRequest(FREE.messages, schema=SCHEMA, schema_name="verdict", max_tokens=50)


def model_at(url: str, **settings: object) -> OpenAICompatibleModel:
    allowed = {"timeout_seconds": 10.0, "total_seconds": 20.0, "backoff_seconds": 0.01}
    return OpenAICompatibleModel(ModelSettings("tiny", url, KEY, **(allowed | settings)))


def test_what_is_sent_and_what_comes_back() -> None:
    with serve(FINE) as server:
        model = model_at(server.url)
        reply = model.complete(FREE)
    assert isinstance(model, LanguageModel)
    assert model.name == "tiny"
    assert reply == ModelReply("fine", FinishReason.STOP, "tiny-1", 7, 3)
    (received,) = server.received
    assert received.path == "/v1/chat/completions"
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert received.json == {
        "model": "tiny",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Say it."},
        ],
        "max_tokens": 2048,
        "temperature": 0.0,
    }


def test_a_text_that_is_no_whole_unicode_is_sent_and_no_key_is_needed() -> None:
    request = ModelRequest((Message(Role.USER, "Γεια \ud800 \x00 \U0001f600"),))
    with serve(FINE) as server:
        model_at(server.url).complete(request)
        OpenAICompatibleModel(ModelSettings("tiny", server.url)).complete(FREE)
    assert server.bodies[0]["messages"][0]["content"] == "Γεια ? \x00 \U0001f600"
    assert server.received[1].headers["authorization"] == "Bearer no-key"


def test_nothing_of_the_environment_goes_along(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "OPENAI_BASE_URL": "http://127.0.0.1:9/elsewhere",
        "OPENAI_API_KEY": "sk-of-somebody-else",
        "OPENAI_ADMIN_KEY": "sk-admin-of-somebody",
        "OPENAI_ORG_ID": "org-of-somebody",
        "OPENAI_PROJECT_ID": "proj-of-somebody",
        "OPENAI_CUSTOM_HEADERS": "Authorization: Bearer stolen\nHost: elsewhere\nX-Of: somebody",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "ALL_PROXY": "http://127.0.0.1:9",
    }.items():
        monkeypatch.setenv(name, value)
    with serve(FINE) as server:
        model_at(server.url).complete(FREE)
    (received,) = server.received
    assert received.headers["host"] == f"127.0.0.1:{server.port}"
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert not {"openai-organization", "openai-project", "x-of"} & received.headers.keys()
    assert "somebody" not in repr(received)


def test_a_reply_is_bound_to_its_schema_and_that_is_not_given_up_for_a_passing_fault() -> None:
    good = answer(completion('{"verdict": "good"}'))
    with serve(error(503), error(429), good) as server:
        assert model_at(server.url).complete(BOUND).text == '{"verdict": "good"}'
    bound = {"name": "verdict", "schema": SCHEMA, "strict": True}
    for body in server.bodies:
        assert body["response_format"] == {"type": "json_schema", "json_schema": bound}


REFUSALS = [
    (400, {"message": "response_format json_schema is not supported"}),
    (404, {"message": "no route for structured output"}),
    (415, {"message": "no"}),
    (422, {"message": "no", "param": "response_format"}),
    (500, {"message": "failed to parse grammar"}),
]


@pytest.mark.parametrize(("status", "refusal"), REFUSALS)
def test_a_server_that_knows_no_schema_is_asked_for_plain_json(
    status: int, refusal: dict[str, str]
) -> None:
    with serve(error(status, refusal), FINE) as server:
        model = model_at(server.url, max_retries=0)
        model.complete(BOUND)
        model.complete(BOUND)
    _, plain, again = server.bodies
    assert plain["response_format"] == {"type": "json_object"}
    assert again["response_format"] == {"type": "json_object"}, "it is remembered"
    assert '"verdict"' in plain["messages"][-1]["content"], "the model is told the schema"


def test_a_server_that_knows_no_json_either_is_asked_for_text() -> None:
    refusal = error(400, {"message": "unknown field response_format"})
    with serve(refusal, refusal, FINE) as server:
        model = model_at(server.url)
        model.complete(BOUND)
        model.complete(FREE)
    asked = [body.get("response_format", {}).get("type") for body in server.bodies]
    assert asked == ["json_schema", "json_object", None, None]


def test_a_refusal_for_another_reason_is_told_as_it_was_and_not_remembered() -> None:
    refusals = [error(400, {"message": "no", "code": f"reason_number_{n}"}) for n in (1, 2, 3)]
    with serve(*refusals, FINE) as server:
        model = model_at(server.url)
        with pytest.raises(ModelError, match="reason_number_1"):
            model.complete(BOUND)
        assert len(server.received) == 3
        model.complete(BOUND)
    assert server.bodies[3]["response_format"]["type"] == "json_schema"


def test_models_that_name_the_limit_differently_and_take_no_temperature() -> None:
    limit = {"message": "use 'max_completion_tokens' instead", "param": "max_tokens"}
    heat = {"message": "only the default (1) is supported", "param": "temperature"}
    with serve(error(400, limit), error(400, heat), FINE) as server:
        model_at(server.url).complete(BOUND)
    body = server.bodies[-1]
    assert body["max_completion_tokens"] == 50
    assert not {"max_tokens", "temperature"} & body.keys()
    assert body["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize(
    ("choice", "text", "finish"),
    [
        ({"finish_reason": "length"}, "fine", FinishReason.LENGTH),
        ({"finish_reason": "length", "message": {"content": None}}, "", FinishReason.LENGTH),
        ({"finish_reason": "content_filter"}, "fine", FinishReason.OTHER),
        ({"finish_reason": None}, "fine", FinishReason.STOP),
    ],
)
def test_why_a_reply_ends_is_a_value_and_counts_may_be_missing(
    choice: dict[str, object], text: str, finish: FinishReason
) -> None:
    for odd in ({"usage": None}, {"usage": {"prompt_tokens": -1, "completion_tokens": True}}):
        with serve(answer(completion(**choice) | odd | {"model": 7})) as server:
            reply = model_at(server.url).complete(FREE)
        assert reply == ModelReply(text, finish, "tiny")


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        None,
        {"choices": []},
        {"choices": [{}]},
        {"choices": "yes"},
        completion(None),
        completion(""),
        completion(["a", "part"]),
        {"error": {"message": "overloaded"}},
    ],
)
def test_an_answer_without_a_reply(body: object) -> None:
    with serve(answer(body)) as server, pytest.raises(ModelUnavailable, match="without a reply"):
        model_at(server.url, max_retries=1).complete(FREE)
    assert len(server.received) == 2


def test_from_several_threads_at_once_and_from_a_running_event_loop() -> None:
    def echo(client: Client) -> None:
        said = client.received.json["messages"][-1]["content"]
        answer(completion(f"you said {said}"))(client)

    async def ask(model: OpenAICompatibleModel) -> ModelReply:
        return model.complete(FREE)

    with serve(echo) as server, ThreadPoolExecutor(6) as pool:
        model = model_at(server.url)
        requests = [ModelRequest((Message(Role.USER, f"word {n}"),)) for n in range(12)]
        replies = list(pool.map(model.complete, requests))
        assert asyncio.run(ask(model)).text == "you said Say it."
    assert [reply.text for reply in replies] == [f"you said word {n}" for n in range(12)]
