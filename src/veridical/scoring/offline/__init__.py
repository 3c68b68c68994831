"""The scorer that needs no model: a rubric's cues, looked up in the transcript."""
