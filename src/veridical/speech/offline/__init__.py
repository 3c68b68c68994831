"""The evaluator that needs no model: rules pick moments, and fixed texts speak of them."""
