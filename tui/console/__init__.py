"""Commands' output, exit codes, fault reports and diagnostics. No Textual, no Rich."""
