"""Reports of a validation for people and for other tools: HTML, JUnit XML and SARIF.

Each is in a module of its own, `html`, `junit` and `sarif`: others take only words or styles here.
"""
