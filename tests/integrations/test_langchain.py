"""The LangChain adapters in chains, with scripted models."""

# ruff: noqa: E402 - what follows needs the tool

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.integrations.conftest import needs
from tests.integrations.leave import (
    CARRIED,
    ENTITLED,
    INVENTED,
    POLICY,
    REFUSAL,
    WRONG,
    example,
)

from veridical import ConfigurationError, DocumentParsingError, document_from_text
from veridical.errors import UngroundedError

needs("langchain_core")

from langchain_core.documents import Document
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableLambda

from veridical.integrations.langchain import CiteableChunks, GroundedCheck, GuardedAnswer

LEAVE = Document(page_content=POLICY, metadata={"source": "leave.md"})
DOCUMENT = document_from_text(POLICY, "leave.md")


def test_the_example_of_a_chain() -> None:
    out = example("langchain/rag.py").chain.invoke({"input": "How much leave is there?"})
    assert {"input", "context", "answer", "grounding"} == set(out)
    verdicts = [claim["verdict"] for claim in out["grounding"]["claims"]]
    assert verdicts == ["contradicted", "supported"]
    claim = out["grounding"]["claims"][0]
    chunk = out["context"][claim["source_index"]].page_content
    assert chunk[claim["source_start"] : claim["source_end"]] == claim["words"]


@pytest.mark.parametrize(
    ("given", "grounded"),
    [
        ({"answer": ENTITLED, "context": [LEAVE]}, True),
        ({"answer": ENTITLED, "context": POLICY}, True),
        ({"answer": ENTITLED, "context": [{"name": "a", "text": POLICY}]}, True),
        ({"answer": AIMessage(ENTITLED), "context": [LEAVE, LEAVE], "input": "?"}, True),
        ({"answer": WRONG, "context": LEAVE}, False),
        ({"answer": ENTITLED, "context": []}, False),
        ({"answer": ENTITLED, "context": [Document(page_content="")]}, False),
        ({"answer": REFUSAL, "context": [LEAVE]}, False),
    ],
)
def test_what_chains_give(given: dict[str, Any], grounded: bool) -> None:
    out = GroundedCheck().invoke(given)
    assert out["grounding"]["grounded"] is grounded
    assert {**out, "grounding": None} == {**given, "grounding": None}


PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


@pytest.mark.parametrize(
    ("given", "outcome"),
    [
        (ENTITLED, "grounded"),
        (AIMessage(ENTITLED), "grounded"),
        (AIMessage([{"type": "text", "text": ENTITLED}, PICTURE]), "grounded"),
        (AIMessage([PICTURE]), "no_claims"),
        (AIMessage("", tool_calls=[{"name": "f", "args": {}, "id": "1"}]), "no_claims"),
        (AIMessage([{"type": "reasoning", "reasoning": INVENTED}, ENTITLED]), "grounded"),
    ],
)
def test_texts_and_messages_against_documents(given: Any, outcome: str) -> None:
    out = GroundedCheck([DOCUMENT]).invoke(given)
    assert out["grounding"]["outcome"] == outcome
    assert isinstance(out["answer"], str)
    given = {"answer": INVENTED, "context": [INVENTED]}  # documents go before the context
    assert not GroundedCheck([DOCUMENT]).invoke(given)["grounding"]["grounded"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (ENTITLED, "nothing to check against"),
        ({"answer": ENTITLED}, "no 'context'"),
        ({"result": ENTITLED, "context": []}, "it has 'result', 'context'"),
        ({"answer": 7, "context": []}, "the answer is a int"),
        ({"answer": ENTITLED, "context": 7}, "the context is of the type int"),
        ({"answer": ENTITLED, "context": [7]}, "the context holds a int"),
    ],
)
def test_what_cannot_be_checked(given: Any, told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        GroundedCheck().invoke(given)


def test_settings_that_cannot_be_used() -> None:
    with pytest.raises(DocumentParsingError, match="no such file"):
        GroundedCheck("nowhere.md")
    with pytest.raises(ConfigurationError, match="no document"):
        GroundedCheck([])
    with pytest.raises(ConfigurationError, match="'lax' is unknown; it is one of"):
        GroundedCheck(point="lax")
    with pytest.raises(ConfigurationError, match="'bogus' is unknown; it is one of mark, drop"):
        GuardedAnswer([DOCUMENT], on_fail="bogus")


def test_an_answer_that_fails_can_be_replaced() -> None:
    check = GroundedCheck([DOCUMENT], raising=True)
    fallback: Any = RunnableLambda(lambda _: {"answer": "Ask your manager."})
    chain = check.with_fallbacks([fallback], exceptions_to_handle=(UngroundedError,))
    assert chain.invoke(ENTITLED)["grounding"]["grounded"]
    for answer in (WRONG, INVENTED, REFUSAL, ""):
        assert chain.invoke(answer) == {"answer": "Ask your manager."}
    with pytest.raises(UngroundedError, match="27 days") as caught:
        check.invoke(f"{CARRIED} {WRONG}")
    assert (caught.value.verdict, caught.value.start) == ("contradicted", len(CARRIED) + 1)
    allowing = GroundedCheck([DOCUMENT], raising=True, allow_no_claims=True)
    assert allowing.invoke(REFUSAL)["grounding"]["grounded"] is False


# --- guarded --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("on_fail", "shown"),
    [("mark", f"{WRONG} ⟦contradicted⟧ {CARRIED}"), ("drop", CARRIED)],
)
def test_whole_streamed_or_async_the_same_is_shown(on_fail: str, shown: str) -> None:
    chain = FakeListChatModel(responses=[f"{WRONG} {CARRIED}"]) | GuardedAnswer(
        [DOCUMENT], on_fail=on_fail
    )
    assert chain.invoke("?").strip() == shown
    assert "".join(chain.stream("?")).strip() == shown

    async def streamed() -> str:
        return "".join([piece async for piece in chain.astream("?")])

    assert asyncio.run(streamed()).strip() == shown
    assert [text.strip() for text in chain.batch(["?"] * 4)] == [shown] * 4


# --- chunks ---------------------------------------------------------------------------------------


@given(
    texts=st.lists(
        st.text(st.sampled_from("ab .\n#*|-\ufeff<>\r\u2028é"), max_size=60)
        | st.sampled_from([POLICY, POLICY * 40]),
        max_size=4,
    )
)
def test_chunks_are_the_words_at_their_place(texts: list[str]) -> None:
    documents = [Document(page_content=text, metadata={"at": at}) for at, text in enumerate(texts)]
    for chunk in CiteableChunks().transform_documents(documents):
        place = chunk.metadata
        whole = texts[place["at"]]
        assert chunk.page_content == whole[place["start_index"] : place["end_index"]]
        assert chunk.page_content.strip()
    assert [document.metadata for document in documents] == [{"at": at} for at in range(len(texts))]
