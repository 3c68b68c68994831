"""What each kind of job does."""
