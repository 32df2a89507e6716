"""Tests of what several games of stacks and cities share."""
