# The service. `docker compose up` starts it with PostgreSQL; alone it keeps its data in the volume /data.
# It has no Chromium for applications: docs/service.md says how to add it.
FROM python:3.11-slim-bookworm

RUN useradd --create-home --uid 1000 quire && mkdir /data && chown quire /data
WORKDIR /src
COPY requirements.lock requirements-dev.lock pyproject.toml README.md LICENSE ./
COPY src src
# The lock files pin what was tested; only what the service needs is installed.
RUN pip install --no-cache-dir -c requirements.lock -c requirements-dev.lock '.[service]' && rm -rf /src/*

USER quire
WORKDIR /data
VOLUME /data
EXPOSE 8321
ENV QUIRE_HOST=0.0.0.0 QUIRE_DATA_DIR=/data QUIRE_LOG_FORMAT=json
HEALTHCHECK --interval=10s --timeout=5s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8321/readyz', timeout=4)"]
ENTRYPOINT ["quire", "serve"]
