"""The history of the service's schema."""
