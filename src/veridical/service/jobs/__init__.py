"""Long work: jobs that survive the process."""
