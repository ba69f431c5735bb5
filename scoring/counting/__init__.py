"""From verdicts to counts, rates with intervals, and comparisons; never over strata."""
