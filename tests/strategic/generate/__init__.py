"""Tests of the parts that new lands are made of."""
