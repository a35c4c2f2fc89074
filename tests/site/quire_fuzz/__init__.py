"""A fuzzer of our own: real files, broken in many ways, for everything in Quire that reads what strangers wrote."""

from .driving import Figures, fuzz
from .targets import TARGETS

__all__ = ["TARGETS", "Figures", "fuzz"]
