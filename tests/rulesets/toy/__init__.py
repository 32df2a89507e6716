"""The rules of the toy, rule by rule."""
