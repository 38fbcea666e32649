# SPDX-License-Identifier: Apache-2.0
"""A Prometheus that scrapes the service, with a token."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from serve_jobs import body, reasons
from serve_process import Server, until

PLACES = os.pathsep.join([os.environ.get("PATH", ""), str(Path(sys.prefix) / "debian/usr/bin")])
PROMETHEUS, PROMTOOL = (shutil.which(name, path=PLACES) for name in ("prometheus", "promtool"))
pytestmark = pytest.mark.skipif(PROMETHEUS is None or PROMTOOL is None, reason="there is no Prometheus")
TOKEN = "open sesame"


@contextmanager
def scraping(folder: Path, target: str) -> Iterator[Callable[[str], dict[str, float]]]:
    """A Prometheus that scrapes a service twice a second; what gives the values of a query, by the label `by`."""
    (folder / "prometheus.yml").write_text(json.dumps({"scrape_configs": [
        {"job_name": "pointmill", "scrape_interval": "500ms", "scrape_timeout": "500ms",
         "authorization": {"credentials": TOKEN}, "static_configs": [{"targets": [target]}]}]}))
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    words = [PROMETHEUS, "--config.file", "prometheus.yml", "--storage.tsdb.path", "data", "--web.listen-address",
             f"127.0.0.1:{port}"]

    def query(text: str) -> dict[str, float]:
        url = f"http://127.0.0.1:{port}/api/v1/query?{urllib.parse.urlencode({'query': text})}"
        try:
            with urllib.request.urlopen(url, timeout=10) as response:
                found = json.load(response)
        except OSError:  # it does not listen yet
            return {}
        return {"/".join(entry["metric"].values()): float(entry["value"][1]) for entry in found["data"]["result"]}

    with (open(folder / "log", "w") as log,
          subprocess.Popen(words, cwd=folder, stdout=log, stderr=log) as process):
        try:
            yield query
        finally:
            process.terminate()


def test_prometheus_scrapes_the_service(tmp_path: Path) -> None:
    """The counts there are those of the answers."""
    tokens = tmp_path / "tokens"
    tokens.write_text(f"prometheus {hashlib.sha256(TOKEN.encode()).hexdigest()}\n")
    with Server("--devices", "2", "--tokens", str(tokens)) as server:
        server.wait_ready(2)
        lines, expected = body(400)
        headers = {"Authorization": f"Bearer {TOKEN}"}
        assert reasons(server.request("POST", "/v1/verify", lines, **headers)[1]) == expected
        with scraping(tmp_path, server.bound["http"]) as query:
            until(lambda: query("up") and query("sum(pointmill_answers_total)") == {"": 400}, "it is scraped")
            assert list(query("up").values()) == [1]
            assert query("sum by (reason) (pointmill_answers_total)") == Counter(expected)
            assert query("sum(pointmill_jobs_accepted_total)") == {"": 380}
            assert query("sum(pointmill_latency_seconds_bucket{le='+Inf'})") == {"": 380}
            assert query("sum by (state) (pointmill_device_state)") == {
                "idle": 2, "starting": 0, "busy": 0, "failed": 0, "stopped": 0}
            more, _ = body(200)
            server.request("POST", "/v1/verify", more, **headers)
            until(lambda: query("sum(pointmill_answers_total)") == {"": 600}, "it is scraped again")
        metrics = server.request("GET", "/metrics", **headers)[1]
        checked = subprocess.run([str(PROMTOOL), "check", "metrics"], input=metrics, capture_output=True, check=False)
        assert checked.returncode == 0, checked.stdout + checked.stderr
        assert server.stop() == 0
