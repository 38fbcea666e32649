# SPDX-License-Identifier: Apache-2.0
"""`pointmill serve`: verification for other programs, by HTTP and gRPC (docs/serve.md)."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from pointmill.commands.common import FUNCTIONAL, CommandError, explain
from pointmill.cores import EDVERIFY, MULTICURVE
from pointmill.usage import Parser

_ADDRESS = re.compile(r"unix:.+|(\[[0-9a-fA-F:]+\]|[\w.-]+):\d{1,5}")


def _address(text: str) -> str:
    if not _ADDRESS.fullmatch(text) or (not text.startswith("unix:") and int(text.rpartition(":")[2]) >= 1 << 16):
        raise argparse.ArgumentTypeError(f"{text} is neither HOST:PORT nor unix:PATH")
    return text


def _positive(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text} is no positive number")
    return int(text)


def _parser() -> Parser:
    parser = Parser(prog="pointmill serve", description=__doc__)
    where = parser.add_argument_group("where")
    where.add_argument("--http", type=_address, metavar="HOST:PORT|unix:PATH", help="HTTP with JSON lines; port 0: any")
    where.add_argument("--grpc", type=_address, metavar="HOST:PORT|unix:PATH", help="gRPC (pointmill.proto)")
    where.add_argument("--tls-cert", metavar="FILE", help="certificate of the server (PEM); with it, TLS alone")
    where.add_argument("--tls-key", metavar="FILE", help="its key")
    where.add_argument("--tls-ca", metavar="FILE", help="clients need a certificate of this authority")
    where.add_argument("--tokens", type=Path, metavar="FILE", help="clients need a token; lines NAME SHA256")
    devices = parser.add_argument_group("devices")
    devices.add_argument("--device", default="sim", choices=("sim", "uio", FUNCTIONAL),
                         help="back-end of the driver, or the functional device (default: %(default)s)")
    devices.add_argument("--devices", type=_positive, default=1, metavar="N",
                         help="cores edverify, each in a process (default: %(default)s)")
    devices.add_argument("--config", default=EDVERIFY.default, choices=list(EDVERIFY.parameters))
    devices.add_argument("--settings", default="", metavar="KEY=VALUE,...", help="of the back-end (docs/driver.md)")
    devices.add_argument("--curve-devices", type=int, default=0, metavar="N",
                         help="cores multicurve, for ECDSA, SM2 and ECDH (default: none)")
    devices.add_argument("--curve-config", default=MULTICURVE.default, choices=list(MULTICURVE.parameters))
    devices.add_argument("--allow-secrets", action="store_true", help="serve key agreement: clients send private keys")
    devices.add_argument("--ray", nargs="?", const="", metavar="ADDRESS",
                         help="devices are replicas of Ray Serve, as many as the load asks for, at most --devices and "
                         "--curve-devices: on this machine, or the cluster at auto, HOST:PORT, ray://HOST:PORT")
    devices.add_argument("--min-devices", type=_positive, default=1, metavar="N",
                         help="with --ray, of each core at any time (default: %(default)s)")
    limits = parser.add_argument_group("limits")
    limits.add_argument("--group", type=_positive, default=256, metavar="N",
                        help="jobs that a device takes together at most (default: %(default)s)")
    limits.add_argument("--queue", type=_positive, default=16384, metavar="N",
                        help="jobs that may wait (default: %(default)s)")
    limits.add_argument("--queue-mib", type=_positive, default=64, metavar="N",
                        help="mebibytes that may wait (default: %(default)s)")
    limits.add_argument("--max-request-mib", type=_positive, default=16, metavar="N",
                        help="mebibytes of one request (default: %(default)s)")
    limits.add_argument("--max-requests", type=_positive, default=256, metavar="N",
                        help="connections at a time (default: %(default)s)")
    limits.add_argument("--rate", type=_positive, metavar="N", help="jobs a second that a client may send")
    limits.add_argument("--drain-seconds", type=float, default=30.0, metavar="S",
                        help="for accepted jobs after SIGTERM (default: %(default)s)")
    parser.add_argument("--traces", metavar="URL", help="collector of OpenTelemetry traces (OTLP over HTTP)")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code 0 after a signal, if every accepted job was answered; 1 if some were given up."""
    parser = _parser()
    args = parser.parse_args(argv)
    if args.http is None and args.grpc is None:
        parser.error("say where to listen: --http, --grpc")
    if (args.tls_cert is None) != (args.tls_key is None) or (args.tls_ca and not args.tls_cert):
        parser.error("--tls-cert and --tls-key go together, and --tls-ca with them")
    if args.curve_devices and args.device == FUNCTIONAL:
        parser.error("there is no functional multicurve")
    if args.ray is not None and args.allow_secrets:
        parser.error("--ray and --allow-secrets do not go together: Ray keeps what it carries in memory of the nodes")
    from pointmill.fleet.cluster import ClusterError
    from pointmill.serve import limits, runner, tracing
    from pointmill.serve.http import Options
    from pointmill.serve.service import Plan

    try:
        tokens = limits.read_tokens(args.tokens) if args.tokens else {}
        tls = runner.Tls(args.tls_cert, args.tls_key, args.tls_ca) if args.tls_cert else None
        devices = [("edverify", args.config, args.device, args.settings, None)] * args.devices
        devices += [("multicurve", args.curve_config, args.device, args.settings, None)] * args.curve_devices
        mark = {"device": FUNCTIONAL} if args.device == FUNCTIONAL else {}
        with ExitStack() as stack:
            opener = replicas = None
            if args.ray is not None:
                from pointmill.fleet.replicas import deployed

                opener, replicas = stack.enter_context(deployed(devices, args.min_devices, args.ray or None))
            return runner.run(runner.Settings(
                Plan(tuple(devices), args.group, args.queue, args.queue_mib << 20, opener),
                runner.Addresses(args.http, args.grpc, tls),
                Options(args.allow_secrets, args.max_request_mib << 20, mark), args.rate, tokens, args.drain_seconds,
                args.max_requests, tracing.exporting(args.traces) if args.traces else tracing.Tracer(), replicas))
    except (OSError, ValueError, ClusterError) as error:
        raise CommandError(explain(error), "device_error") from error
