"""The evaluation of the answering specification: thin over `veridical.evaluation`."""
