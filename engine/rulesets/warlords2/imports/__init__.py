"""Reading scenario files of the original program that a user owns (section 16)."""
