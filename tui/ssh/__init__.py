"""Playing over SSH: the server, and a full screen or lines of text for each who comes."""
