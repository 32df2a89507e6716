"""Read files of LordsAWar that a user owns: scenarios, saves and their sets (section 19)."""
