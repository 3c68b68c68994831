"""Text as it is compared: folded for finding, tokenized for judging."""
