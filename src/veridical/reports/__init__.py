"""How anything is reported: pages and their templates, words and numbers, and what is marked.

What a report says of its subject stands with the subject; how it looks stands here.
"""
