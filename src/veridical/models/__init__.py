"""Language models: one protocol, a client of OpenAI-compatible servers, a scripted model."""
