"""Questions over a corpus of policies: answered with citations, or refused."""
