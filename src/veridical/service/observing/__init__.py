"""What operators see: logs, metrics, traces, and the ids of requests."""
