"""Tests of the parts that new lands are built from."""
