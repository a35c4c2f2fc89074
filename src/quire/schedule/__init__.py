"""Whose turn it is: the frontier, in memory or in a SQLite file."""
