"""Tests of the exhaustive search."""
