"""Endpoints that speak JSON."""
