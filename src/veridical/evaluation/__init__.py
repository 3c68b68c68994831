"""How good are the answers? Questions with known outcomes, metrics, runs and their comparison."""
