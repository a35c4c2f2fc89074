"""The crawl service: projects, their crawls and pages over HTTP, live progress over WebSocket."""
