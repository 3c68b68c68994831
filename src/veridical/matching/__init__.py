"""Matching: where do these words stand?"""
