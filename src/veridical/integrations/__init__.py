"""Adapters: Veridical inside the tools that its users have already. No logic of its own is here."""
