"""The version of the package: the one place beside pyproject.toml."""

__version__ = "0.1.0"
