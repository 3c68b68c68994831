"""The documents of folders, kept and brought up to date."""
