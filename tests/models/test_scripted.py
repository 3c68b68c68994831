"""The scripted model."""

from __future__ import annotations

import pytest

from veridical.errors import ModelError, ModelUnavailable
from veridical.models.protocol import (
    FinishReason,
    LanguageModel,
    Message,
    ModelReply,
    ModelRequest,
    Role,
)
from veridical.models.scripted import ScriptedModel

REQUEST = ModelRequest((Message(Role.USER, "hello"),))


def test_every_kind_of_reply_in_order() -> None:
    cut = ModelReply("half", FinishReason.LENGTH, "other")
    model = ScriptedModel(
        ["one", cut, ModelUnavailable("not now"), lambda r: r.messages[0].content, lambda _: cut]
    )
    assert isinstance(model, LanguageModel)
    assert model.complete(REQUEST) == ModelReply("one", model="scripted")
    assert model.complete(REQUEST) is cut
    with pytest.raises(ModelUnavailable, match="not now"):
        model.complete(REQUEST)
    assert model.complete(REQUEST).text == "hello"
    assert model.complete(REQUEST) is cut
    assert model.calls == 5
    assert model.requests == (REQUEST,) * 5


def test_when_the_replies_are_used_up() -> None:
    for repeat_last in (False, True):
        none = ScriptedModel([], repeat_last=repeat_last)
        with pytest.raises(ModelError, match="0 replies"):
            none.complete(REQUEST)
        assert none.calls == 1
    model = ScriptedModel(["only"], name="mine")
    assert model.complete(REQUEST).model == model.name == "mine"
    with pytest.raises(ModelError, match="has 1 replies and was asked once more"):
        model.complete(REQUEST)
    again = ScriptedModel(["first", "last"], repeat_last=True)
    assert [again.complete(REQUEST).text for _ in range(4)] == ["first", *["last"] * 3]
