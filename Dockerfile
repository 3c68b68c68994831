# The service in a container: see compose.yaml for one with PostgreSQL.
#
#   docker build -t veridical .
#   docker run --rm -v veridical:/data veridical token create --workspace default --role admin --name Ana
#   docker run -p 127.0.0.1:8000:8000 -v veridical:/data veridical
#
# Every package is installed by the hash that requirements/ holds; nothing is built but Veridical.

FROM python:3.11-slim-bookworm AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /venv
WORKDIR /source
COPY requirements/build.lock requirements/serve.lock requirements/
RUN /venv/bin/python -m pip install --no-deps --require-hashes -r requirements/serve.lock \
    && python -m pip install --no-deps --require-hashes -r requirements/build.lock
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN python -m pip wheel --no-deps --no-build-isolation --wheel-dir /wheels . \
    && /venv/bin/python -m pip install --no-deps /wheels/*.whl

FROM python:3.11-slim-bookworm
# Fonts for exports as PDF: without them other scripts are printed as boxes.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends fonts-dejavu-core \
        fonts-lohit-deva fonts-noto-color-emoji fonts-wqy-microhei \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --create-home --home-dir /data --shell /usr/sbin/nologin veridical
COPY --from=build /venv /venv
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    VERIDICAL_STORE=sqlite:////data/veridical.db
USER veridical
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/ready', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["veridical"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000", "--auth", "token", "--log-format", "json"]
