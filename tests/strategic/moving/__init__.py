"""Tests of moving."""
