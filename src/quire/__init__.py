"""Gather a website into a folder of clean Markdown."""
