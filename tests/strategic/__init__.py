"""Tests of the layer that games of stacks and cities share."""
