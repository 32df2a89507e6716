"""Importer of the original program's scenario files, from the user's own copy (section 16)."""
