"""`python -m reverie.cli` is the same as `reverie`."""

from reverie.cli.main import run

if __name__ == "__main__":
    run()
