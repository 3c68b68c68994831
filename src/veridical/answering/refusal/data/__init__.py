"""The fitted coefficients by which it is decided whether a question is answered."""
