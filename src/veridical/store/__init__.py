"""Where documents and ledgers are kept: an SQLite file by default, PostgreSQL by URL."""

from veridical.errors import require_package

require_package("sqlalchemy", "Keeping documents, ledgers or an index in a database", "store")
