"""The face that the answering specification names: `uvicorn app.main:app`."""
