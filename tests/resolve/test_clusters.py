"""Clusters are the same in every process, and named by the same members."""

import subprocess
import sys

from kg.resolve.clusters import Clusters, Edge

_JOIN = """
from kg.resolve.clusters import Clusters, Edge
clusters = Clusters()
clusters.join(Edge(0.9, "alias", f"a{i}", f"b{i}") for i in range(20))
clusters.join(Edge(0.9, "alias", f"a{i}", f"b{i + 1}") for i in range(0, 20, 2))
print([clusters.root(f"{letter}{i}") for i in range(20) for letter in "ab"])
"""


def test_the_root_does_not_depend_on_the_hashes_of_a_process():
    def roots(seed):
        command = [sys.executable, "-c", _JOIN]
        return subprocess.check_output(command, env={"PYTHONHASHSEED": seed}, text=True)

    assert roots("1") == roots("2") == roots("3")


def test_the_larger_cluster_gives_the_root_and_between_equals_the_name():
    clusters = Clusters()
    clusters.join([Edge(1.0, "case", "y", "z"), Edge(0.9, "case", "a", "z")])
    assert [clusters.root(key) for key in "ayz"] == ["y", "y", "y"]
    clusters.join(Edge(0.8, "case", "a", key) for key in "bcd")
    assert {clusters.root(key) for key in "abcdyz"} == {"y"}
    assert clusters.root("alone") == "alone"
