"""The least that a FastAPI application can do: send the bytes of a file that it read at its start.

`uvicorn --factory benchmarks.bare_app:create_app`, with the file in BARE_BODY and its encoding in
BARE_ENCODING.
"""

import os
from pathlib import Path

from fastapi import FastAPI, Response

BODY, ENCODING = "BARE_BODY", "BARE_ENCODING"


def create_app() -> FastAPI:
    """The application."""
    app = FastAPI()
    kept = Path(os.environ[BODY]).read_bytes()
    headers = {"Content-Encoding": os.environ[ENCODING]} if os.environ.get(ENCODING) else {}

    @app.get("/body")
    def body() -> Response:
        return Response(kept, media_type="application/json", headers=headers)

    return app
