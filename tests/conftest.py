"""Hypothesis profiles: `default` is quick, HYPOTHESIS_PROFILE=thorough looks harder."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

quiet = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile("default", deadline=None, max_examples=25, suppress_health_check=quiet)
settings.register_profile("thorough", deadline=None, max_examples=1000, suppress_health_check=quiet)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
