"""The mirror on disk: `paths` says where a page's file goes, `files` puts it there."""
