"""The bench: what is promised in figures, measured on this machine. `python -m bench` from the root of the clone."""
