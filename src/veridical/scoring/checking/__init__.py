"""What was said of a section, held against the transcript."""
