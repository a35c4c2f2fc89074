"""python -m quire_fuzz TARGET MEGABYTES SEED FILE: feed a target; `once` for MEGABYTES feeds it that file."""

from .driving import main

main()
