"""An answer that is guarded while it streams. Runs offline: the model is scripted."""

from __future__ import annotations

from langchain_core.language_models.fake_chat_models import FakeListChatModel

from veridical import document_from_text
from veridical.integrations.langchain import GuardedAnswer

policy = document_from_text(
    "# Leave\n\nFull-time staff are entitled to 27 days of annual leave in each leave year.\n\n"
    "Up to five days may be carried over into the next leave year.\n",
    "leave.md",
)
model = FakeListChatModel(
    responses=[
        (
            "Full-time staff are entitled to 28 days of annual leave in each leave year. "
            "Up to five days may be carried over into the next leave year."
        )
    ]
)
chain = model | GuardedAnswer([policy], on_fail="mark")

if __name__ == "__main__":
    for piece in chain.stream("How much leave is there?"):
        print(piece, end="", flush=True)
    print()
