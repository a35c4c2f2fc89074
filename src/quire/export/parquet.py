"""Apache Parquet: a row a page, for data frames and warehouses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, BinaryIO, Final

from msgspec import structs

from .pages import About, ExportedPage, Pages

_ROWS: Final = 500
_COMPRESSION: Final = "zstd"


def write(pages: Pages, about: About, file: BinaryIO) -> None:
    # Late, as only this format needs it, and it is large.
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    fields = structs.fields(ExportedPage)
    types = {field.name: pa.int64() if field.type is int else pa.string() for field in fields}
    schema = pa.schema(types.items(), metadata={"generator": about.generator, "start": " ".join(about.start)})
    with ParquetWriter(file, schema, compression=_COMPRESSION) as writer:
        for rows in _batches(pages):
            writer.write_table(pa.Table.from_pylist(rows, schema))


def _batches(pages: Pages) -> Iterator[list[dict[str, Any]]]:
    rest = iter(pages)
    while rows := [structs.asdict(page) for page in islice(rest, _ROWS)]:
        yield rows
