"""How pages were answered, and what every crawl that is kept made of them."""

from __future__ import annotations

from importlib.resources import files

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    dialect = op.get_bind().dialect.name
    script = files("quire.service.data").joinpath("schema", f"0003_{dialect}.sql").read_text("utf-8")
    for statement in script.split(";\n\n"):
        op.get_bind().exec_driver_sql(statement)
