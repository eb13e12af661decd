"""Tests of random play."""
