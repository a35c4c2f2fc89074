"""The decision about a URL: does it belong to the site, is it wanted, does it lead into a trap."""
