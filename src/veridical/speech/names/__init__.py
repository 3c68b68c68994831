"""Finding the names of people: by patterns and lists, or with spaCy."""
