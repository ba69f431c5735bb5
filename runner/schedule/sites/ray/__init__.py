"""Sites on the nodes of a Ray cluster: a named, detached actor each, which outlives the coordinator that placed it.

Ray places an actor, says when one dies, and carries one small call to and fro. It never retries: what died is known to
the coordinator, and an order may be sent again without harm. Actors of one run are named after it, so that the next
coordinator finds them and goes on with what they hold.
"""

import os

# Before Ray is imported: it reports its use by default, and asks for no token by default.
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ.setdefault("RAY_AUTH_MODE", "token")
os.environ.setdefault("RAY_gcs_server_port_wait_time_s", "1")  # one attempt to join: its own takes half a minute
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

from runner.schedule.sites.ray.cluster import Cluster
from runner.schedule.sites.ray.connection import connect, disconnect
from runner.schedule.sites.ray.listing import Living, end, living

__all__ = ["Cluster", "Living", "connect", "disconnect", "end", "living"]
