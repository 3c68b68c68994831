"""Does the corpus answer the question at all?"""
