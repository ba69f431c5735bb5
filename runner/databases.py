"""Databases, only ever read: SQLite by the standard library, anything else by SQLAlchemy (the extra `sql`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from corpora.errors import BadInput
from corpora.sets import plain_url
from corpora.sqlite import reading
from corpora.values import JsonObject

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

_BATCH = 1000


def database_url(name: str, environ: Mapping[str, str]) -> str:
    """The database that a name stands for: `env:NAME` is the variable's value. Raises BadInput where it is not set."""
    if not name.startswith("env:"):
        return name
    value = environ.get(name.removeprefix("env:"), "").strip()
    if not value:
        raise BadInput(f"the environment has no {name.removeprefix('env:')}; set it to the database's URL")
    return value


def is_database(name: str) -> bool:
    """Whether a source is one: a URL, a variable that holds one, or a file of SQLite's."""
    if name.startswith("env:") or "://" in name:
        return True
    path = Path(name)
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        return stream.read(16) == b"SQLite format 3\0"


def rows(database: str, query: str) -> Iterator[JsonObject]:
    """The rows of a query as they come, by the names of their columns; memory is a batch. Raises BadInput."""
    if "://" not in database:
        yield from _sqlite_rows(Path(database), query)
        return
    try:
        from sqlalchemy import exc, text  # the extra
    except ImportError as error:
        raise BadInput("a database needs the extra: pip install 'assumeprobe[sql]'") from error
    place = plain_url(database)
    try:
        with _connected(database) as connection:
            result = connection.execution_options(stream_results=True, max_row_buffer=_BATCH).execute(text(query))
            for row in result.mappings():
                yield dict(row)
    except ImportError as error:
        raise BadInput(f"its driver is not installed: {error}", path=place) from error
    except exc.SQLAlchemyError as error:
        cause = getattr(error, "orig", None) or error
        raise BadInput(f"cannot be read: {_one_line(str(cause))}", path=place) from error


@contextmanager
def _connected(database: str) -> Iterator[Connection]:
    """A connection that only reads, for as long as the block runs. Raises what SQLAlchemy raises."""
    from sqlalchemy import create_engine, make_url

    url = make_url(database)
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            _only_reading(connection)
            yield connection
    finally:
        engine.dispose()


def _only_reading(connection: Connection) -> None:
    """Ask the server itself to refuse every write."""
    if connection.dialect.name == "postgresql":
        connection.execution_options(postgresql_readonly=True)
    elif connection.dialect.name in ("mysql", "mariadb"):
        connection.exec_driver_sql("SET SESSION TRANSACTION READ ONLY")
    elif connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA query_only = ON")


def _sqlite_rows(path: Path, query: str) -> Iterator[JsonObject]:
    with reading(path) as connection:
        cursor = connection.execute(query)
        names = [column[0] for column in cursor.description or ()]
        for row in cursor:
            yield dict(zip(names, row, strict=True))


def _one_line(text: str) -> str:
    return " ".join(text.split())
