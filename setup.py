# SPDX-License-Identifier: Apache-2.0
"""Puts into a built package what it reads of the checkout (pointmill/resources.py), and the libraries of the folder
PM_WHEEL_DEVICES, if that is set (scripts/build_wheel.py). Everything else is in pyproject.toml."""

from __future__ import annotations

import os
import runpy
import shutil
import stat
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
DEVICES = os.environ.get("PM_WHEEL_DEVICES")


class BuildPackage(build_py):
    """Adds the files to the package, which an editable install reads where they are."""

    def run(self) -> None:
        if not self.editable_mode:  # what an earlier build left would go into the wheel
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        if self.editable_mode:
            return
        resources = runpy.run_path(str(HERE / "pointmill" / "resources.py"))
        package = Path(self.build_lib) / "pointmill"
        files = [(path, package / resources["TREE"] / path.relative_to(HERE))
                 for pattern in resources["SHIPPED"] for path in sorted(HERE.glob(pattern))]
        if DEVICES:
            files += [(path, package / resources["DEVICES"] / path.name) for path in sorted(Path(DEVICES).glob("*.so"))]
        for source, target in files:
            self.mkpath(str(target.parent))
            self.copy_file(str(source), str(target))
        for path in package.rglob("*"):  # whatever the umask was when the checkout was made
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & stat.S_IXUSR else 0o644)


class BuildWheel(bdist_wheel):
    """With libraries, the wheel is of any Python 3: they are loaded, not imported."""

    def get_tag(self) -> tuple[str, str, str]:
        return ("py3", "none", super().get_tag()[2]) if DEVICES else super().get_tag()


class WithLibraries(Distribution):
    """Of one platform, if there are libraries inside."""

    def has_ext_modules(self) -> bool:
        return bool(DEVICES)


setup(cmdclass={"build_py": BuildPackage, "bdist_wheel": BuildWheel}, distclass=WithLibraries,
      options={"build": {"build_base": "build/package"}})
