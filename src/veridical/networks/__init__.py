"""Networks that run on this machine: how all are run, and the one that tells orders to a model."""
