"""Colours and layout: the only place that knows them."""
