"""Speech evaluation: what a speaker did well and could do better, in the speaker's own words."""
