"""Hosting: games of many people in one process, and the SSH server in front of them."""
