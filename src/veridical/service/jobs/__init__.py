"""Long work: DBOS workflows that survive the process."""
