"""`python -m bayleaf.demo`."""

import sys

from bayleaf.cli.main import main

if __name__ == "__main__":
    sys.exit(main(["demo", *sys.argv[1:]]))
