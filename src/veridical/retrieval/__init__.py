"""Which passages of a corpus matter?"""
