"""Tests of battles and their spoils."""
