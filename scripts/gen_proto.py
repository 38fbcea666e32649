# SPDX-License-Identifier: Apache-2.0
"""Writes the Python messages of pointmill/serve/pointmill.proto, and with --go FOLDER those of Go, for which
protoc-gen-go and protoc-gen-go-grpc have to be on PATH."""

from __future__ import annotations

import argparse
import sys
import tempfile
from importlib import resources
from pathlib import Path

from grpc_tools import protoc

from pointmill.gen.text import notice
from pointmill.simbuild import ROOT

SOURCE = ROOT / "pointmill" / "serve" / "pointmill.proto"
TARGET = ROOT / "pointmill" / "serve" / "pb"
COMMAND = "scripts/gen_proto.py"


def compiled(*options: str) -> None:
    """Runs protoc; `SystemExit` if it fails."""
    include = str(resources.files("grpc_tools") / "_proto")
    if code := protoc.main(["protoc", f"-I{SOURCE.parent}", f"-I{include}", *options, str(SOURCE)]):
        raise SystemExit(code)


def main() -> None:
    """Writes the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--go", metavar="FOLDER")
    if folder := parser.parse_args().go:
        compiled(f"--go_out={folder}", "--go_opt=module=pointmill/client", f"--go-grpc_out={folder}",
                 "--go-grpc_opt=module=pointmill/client")
        return
    with tempfile.TemporaryDirectory() as made:
        compiled(f"--python_out={made}", f"--pyi_out={made}")
        for path in sorted(Path(made).iterdir()):
            head = f"# {notice(str(SOURCE.relative_to(ROOT)), COMMAND)}\n# SPDX-License-Identifier: Apache-2.0\n"
            (TARGET / path.name).write_text(head + path.read_text())


if __name__ == "__main__":
    sys.exit(main())
