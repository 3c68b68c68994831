"""From a recording to a transcript: cut by ffmpeg, heard by a recogniser, kept piece by piece."""
