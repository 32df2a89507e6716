"""Tests of Warlords II."""
