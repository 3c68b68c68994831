"""The embedded author: answers in the sentences of the documents themselves."""
