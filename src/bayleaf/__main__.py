"""`python -m bayleaf`."""

import sys

from bayleaf.cli.main import main

sys.exit(main())
