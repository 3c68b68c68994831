"""What every request passes: hosts and origins, who it is, rates, limits, headers, keys."""
