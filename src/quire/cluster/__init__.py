"""Many sites on many machines: one ordinary crawl for each host, placed by Ray, in a folder that all share (X2)."""
