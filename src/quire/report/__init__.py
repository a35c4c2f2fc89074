"""What a crawl leaves to read: progress, manifest, index."""
