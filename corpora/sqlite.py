"""A SQLite file, only ever read: nothing is written, and no other file is attached."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from corpora.errors import BadInput

if TYPE_CHECKING:
    from sqlite3 import Connection


@contextmanager
def reading(path: Path, *, field: str | None = None, most_steps: int | None = None) -> Iterator[Connection]:
    """A connection for the block. A query that takes more than `most_steps` of the database is stopped.

    Raises BadInput, with `field` where one is given, where the file is not there or a query in the block fails.
    """
    import sqlite3  # loaded when something is read from one

    if not path.is_file():
        raise BadInput("the database is not there", path=str(path), field=field)
    allowed = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            # A query that attaches another file would leave the folder.
            connection.set_authorizer(
                lambda action, *_: sqlite3.SQLITE_OK if action in allowed else sqlite3.SQLITE_DENY
            )
            if most_steps is not None:
                connection.set_progress_handler(lambda: 1, most_steps)
            yield connection
    except (sqlite3.Error, sqlite3.Warning) as error:
        hint = "; a database is only read here" if "not authorized" in str(error) else ""
        raise BadInput(f"the query failed: {error}{hint}", path=str(path), field=field) from error
