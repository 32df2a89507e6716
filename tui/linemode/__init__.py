"""Line mode: a game as lines of text, for pipes, braille displays, speech and plain terminals."""
