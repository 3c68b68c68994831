"""From an answer and its sources to a ledger: claims, evidence, verdicts, and a seal over them."""
