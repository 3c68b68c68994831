"""A language model as author, none of whose words is believed."""
