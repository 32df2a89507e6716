"""Plain records between a ruleset and any client: boards, overlays, dialogues, sentences."""
