"""From a page's tree to Markdown and its front matter."""
