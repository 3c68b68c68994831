"""Documents: taken in, and as pages show their text, spans and versions."""
