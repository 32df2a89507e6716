"""What a ruleset tells any client: plain records of boards, overlays, dialogues and sentences."""
