"""The application: its parts put together, started and stopped."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

from fastapi import FastAPI, Response
from sqlalchemy import select

from quire.service import dashboard, problems
from quire.service.api import crawls as crawl_routes
from quire.service.api import look as look_routes
from quire.service.api import pages as page_routes
from quire.service.api import projects as project_routes
from quire.service.api import socket as socket_routes
from quire.service.context import Here, Service
from quire.service.crawls import Crawls
from quire.service.data import crawls
from quire.service.data.database import Database
from quire.service.guard import Guard
from quire.service.live import Live
from quire.service.metrics import Labels, Metrics
from quire.service.openapi import describe
from quire.service.options import Options

PREFIX = "/api/v1"
_THREADS = 32


def create_app(options: Options, database: Database) -> FastAPI:
    """The service over a database whose schema is up to date."""
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        # Crawls write, and clients read, in threads that mostly wait.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_THREADS, "quire"))
        live = Live(database)
        service = Service(options, database, metrics, Crawls(database, options, live.changed), live)
        app.state.service = service
        tasks = [asyncio.create_task(live.serve()), asyncio.create_task(service.crawls.serve())]
        try:
            yield
        finally:
            await service.crawls.stop()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    app = FastAPI(
        lifespan=lifespan, openapi_url=f"{PREFIX}/openapi.json", docs_url=None, redoc_url=None, redirect_slashes=False
    )
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    problems.handle(app)
    for routes in (project_routes, crawl_routes, page_routes, look_routes, socket_routes):
        app.include_router(routes.router, prefix=PREFIX)
    _add_operations(app)
    dashboard.serve(app)
    app.add_middleware(Guard, options=options, metrics=metrics)
    return app


def _add_operations(app: FastAPI) -> None:
    """What operators ask (A10)."""

    @app.get("/healthz", include_in_schema=False)
    def healthy() -> dict[str, str]:
        return {"status": "ok"}

    @app.get("/readyz", include_in_schema=False)
    def ready(service: Here) -> dict[str, str]:
        with service.database.reading() as connection:
            connection.execute(select(1))
        return {"status": "ready"}

    @app.get("/metrics", include_in_schema=False)
    def tell_metrics(service: Here) -> Response:
        with service.database.reading() as connection:
            numbers = crawls.numbers(connection)
        gauges: dict[str, dict[Labels, float]] = {
            "quire_crawls": {(("status", str(status)),): float(number) for status, number in numbers.items()},
            "quire_crawls_running_here": {(): float(service.crawls.running)},
            "quire_websocket_clients": {(): float(service.live.clients)},
            "quire_websocket_clients_dropped": {(): float(service.live.dropped)},
        }
        return Response(service.metrics.text(gauges), media_type="text/plain; version=0.0.4")
