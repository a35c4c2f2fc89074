"""The pages of a mirror in the forms that other programs read, searched, and compared."""
