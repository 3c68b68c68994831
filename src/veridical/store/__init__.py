"""Where documents and ledgers are kept: an SQLite file by default, PostgreSQL by URL."""
