"""Contract suite: tests of the promises that every ruleset keeps."""
