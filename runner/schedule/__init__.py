"""The way of a run: plan, drive, sites, pump, sampler."""
