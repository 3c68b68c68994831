"""From an answer to the claims that it makes."""
