"""The command line: each command parses its words, calls one verb of the library, and renders what comes back."""
