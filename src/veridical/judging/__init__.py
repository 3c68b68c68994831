"""Does the evidence bear the claim out?"""
