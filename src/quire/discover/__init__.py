"""Where URLs come from before any page was read."""
