"""Clients and hosts: everything a person or a program meets."""
