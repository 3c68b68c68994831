"""Validation: is this quote real?"""
