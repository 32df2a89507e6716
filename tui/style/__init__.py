"""Colours and layout: the only place that defines them."""
