"""A small Ray cluster on loopback as a process of its own: `python nodes.py SECONDS`, driven by lines of JSON.

It prints `{"address", "head", "nodes": {node id: [pids]}}`, then answers each line of its standard input:
`{"add": {"resources": …, "env": …}}` prints the new node's `{"node", "pids"}`, and `{"remove": node id}` takes one
away. It ends with its input, or after SECONDS.
"""

from __future__ import annotations

import json
import os
import select
import sys
import time

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # everything binds 127.0.0.1

from ray.cluster_utils import Cluster

STORE_BYTES = 80_000_000


def pids(node):
    return [one.process.pid for several in node.all_processes.values() for one in several]


def main():
    end = time.monotonic() + float(sys.argv[1])
    count = int(sys.argv[2])
    head = {"num_cpus": 0, "object_store_memory": STORE_BYTES, "include_dashboard": False, "dashboard_port": None}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        nodes = [cluster.add_node(num_cpus=1, object_store_memory=STORE_BYTES) for _ in range(count)]
        say(
            {
                "address": cluster.address,
                "head": pids(cluster.head_node),
                "nodes": {node.node_id: pids(node) for node in nodes},
            }
        )
        while (left := end - time.monotonic()) > 0:
            if not select.select([sys.stdin], [], [], min(left, 1.0))[0]:
                continue
            line = sys.stdin.readline()
            if not line:
                break
            asked = json.loads(line)
            if "remove" in asked:
                cluster.remove_node(next(node for node in cluster.worker_nodes if node.node_id == asked["remove"]))
                say({"removed": asked["remove"]})
                continue
            wanted = asked["add"]
            node = cluster.add_node(
                num_cpus=1,
                object_store_memory=STORE_BYTES,
                resources=wanted.get("resources"),
                env_vars=wanted.get("env"),
            )
            say({"node": node.node_id, "pids": pids(node)})
    finally:
        cluster.shutdown()


def say(line):
    print(json.dumps(line), flush=True)  # noqa: T201 - it is what it is asked for


if __name__ == "__main__":
    main()
