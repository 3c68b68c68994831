"""Networks that read two texts together on this machine: the one we trained, and a user's own."""
