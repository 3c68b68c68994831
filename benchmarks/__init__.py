"""What Veridical costs, beside its peers in the same run: `python -m benchmarks`."""
