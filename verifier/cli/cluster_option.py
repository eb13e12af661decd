"""`--cluster`: the workers of a running cluster instead of processes of our own; `--cluster-tls`: over an encrypted line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from typing import Any

import click

from verifier.workers.cluster import Certificates, Cluster, NoCluster, connected

_TLS = "pilgrim.cluster_tls"  #: where the certificates are kept while a command runs


def cluster_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--cluster`, given to the command as `cluster`, and `--cluster-tls`, which `executor_at` knows."""
    file = click.Path(exists=True, dir_okay=False, readable=True)
    command = click.option(
        "--cluster-tls",
        type=(file, file, file),
        metavar="CA CERT KEY",
        expose_value=False,
        callback=_keep,
        help="Certificates for a cluster at a tls:// address (default: those of Dask's configuration).",
    )(command)
    return click.option(
        "--cluster", metavar="ADDRESS", help="Use the workers of a running Dask cluster, such as tcp://10.0.0.1:8786."
    )(command)


def _keep(context: click.Context, _option: click.Parameter, files: tuple[str, str, str] | None) -> None:
    if files is not None:
        context.meta[_TLS] = Certificates(*files)


@contextmanager
def executor_at(cluster: str | None) -> Iterator[Cluster | None]:
    """Return the workers of a cluster; None if none is asked for."""
    certificates = click.get_current_context().meta.get(_TLS)
    if cluster is None:
        if certificates is not None:
            raise click.UsageError("--cluster-tls is for a cluster: name it with --cluster")
        yield None
        return
    try:
        with connected(cluster, certificates) as executor:
            yield executor
    except NoCluster as problem:
        raise click.ClickException(str(problem)) from None
    except BrokenExecutor as problem:  # where the work of one worker is not handed to another
        raise click.ClickException(f"the cluster failed: {problem}") from None
