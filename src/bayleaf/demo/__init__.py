"""A tour of everything, on data that ships with the package. Run it: `bayleaf demo` or `python -m bayleaf.demo`."""
