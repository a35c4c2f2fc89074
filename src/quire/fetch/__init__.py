"""Getting an answer from a server."""
