"""Transcripts: what a recogniser or a caption file says becomes words with seconds."""
