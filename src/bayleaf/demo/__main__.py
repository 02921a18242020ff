"""`python -m bayleaf.demo`."""

import sys

from bayleaf.demo.tour import main

if __name__ == "__main__":
    sys.exit(main())
