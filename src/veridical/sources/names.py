"""What documents are called, whatever their files are."""

from __future__ import annotations


def plain_name(path: str) -> str:
    r"""The path of a file as text that everything takes: a name, a database, JSON.

    A file system takes names that are not UTF-8; Python reads each odd byte as half of a surrogate
    pair, which none of these can hold. They are told as their bytes are (`caf\xe9.md`), so that two
    files that differ in them only do not fall together.
    """
    try:
        data = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # another half of a pair, of no file that could be there
        data = path.encode("utf-8", "backslashreplace")
    return data.decode("utf-8", "backslashreplace")
