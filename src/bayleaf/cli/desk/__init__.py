"""Commands for labelled files and model files."""
