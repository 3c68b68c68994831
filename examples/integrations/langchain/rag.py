"""A retrieval chain whose answers are verified. Runs offline: the model is scripted."""

from __future__ import annotations

import json

from langchain_core.documents import Document
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnablePassthrough

from veridical.integrations.langchain import CiteableChunks, GroundedCheck

HANDBOOK = """# Leave

Full-time staff are entitled to 27 days of annual leave in each leave year.

Up to five days may be carried over into the next leave year.
"""
ANSWER = (
    "Full-time staff are entitled to 28 days of annual leave in each leave year. "
    "Up to five days may be carried over into the next leave year."
)

chunks = CiteableChunks().transform_documents(
    [Document(page_content=HANDBOOK, metadata={"source": "handbook.md"})]
)
prompt = ChatPromptTemplate.from_template("Answer from the documents.\n{context}\n\n{input}")
model = FakeListChatModel(responses=[ANSWER])  # put your own model here

chain = (
    RunnablePassthrough.assign(context=lambda _: chunks)  # and your own retriever here
    | RunnablePassthrough.assign(answer=prompt | model | StrOutputParser())
    | GroundedCheck()
)

if __name__ == "__main__":
    grounding = chain.invoke({"input": "How much leave is there?"})["grounding"]
    print(grounding["reason"])
    print(json.dumps(grounding["claims"][0], indent=2, ensure_ascii=False))
