"""One event-sourced engine for many rule books."""
