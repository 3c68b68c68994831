"""How the reader is made: data, fine-tuning, evaluation, export. Not in the wheel."""
