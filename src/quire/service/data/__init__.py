"""The service's data: tables, migrations, and every statement that runs on them; SQLite and PostgreSQL alike."""
