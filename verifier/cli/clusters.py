"""`--cluster`: the workers of a running cluster instead of processes of our own."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager

import click

from verifier.cluster import Cluster, NoCluster, connected

cluster_option = click.option(
    "--cluster", metavar="ADDRESS", help="Use the workers of a running Dask cluster, such as tcp://10.0.0.1:8786."
)


@contextmanager
def executor_at(cluster: str | None) -> Iterator[Cluster | None]:
    """Return the workers of a cluster; None if none is asked for."""
    if cluster is None:
        yield None
        return
    try:
        with connected(cluster) as executor:
            yield executor
    except NoCluster as problem:
        raise click.ClickException(str(problem)) from None
    except BrokenExecutor as problem:  # where the work of one worker is not handed to another
        raise click.ClickException(f"the cluster failed: {problem}") from None
