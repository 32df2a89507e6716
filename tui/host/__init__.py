"""Games on a host: who is who, who sits where, and what each may know. No screen, no network."""
