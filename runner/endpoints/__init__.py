"""One file per API, and what they share: connections, limits, retries. A library's errors become ours here."""
