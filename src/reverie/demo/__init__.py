"""The demonstration: a small bilingual sample goes through everything the core can do, on a real store."""

from reverie.demo.tour import run

__all__ = ["run"]
