"""The Pythons with which the peers run: each in an environment with the versions below."""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys

import gate

TORCH = ("torch==2.15.0", "setuptools==84.2.1", "numpy==2.4.6")
DYNET = ("dynet38==2.2", "numpy==1.24.4", "cython==3.0.12")
# DyNet has no wheel for others.
DYNET_PYTHONS = ("python3.11", "python3.10", "python3.9", "python3.8")


def environment(name: str, packages: tuple[str, ...], pythons: tuple[str, ...]) -> pathlib.Path | None:
    """The Python of an environment with these packages, which is made if it is not there; or None,
    and a line says why."""
    folder = gate.TARGET / "peers" / name
    python, stamp = folder / "bin/python", folder / "packages.txt"
    if stamp.exists() and stamp.read_text() == " ".join(packages):
        return python
    base = next((found for found in pythons if works(found)), None)
    if base is None:
        print(f"{name} is left out: it needs one of {', '.join(pythons)}", file=sys.stderr)
        return None
    print(f"installing {' '.join(packages)}", file=sys.stderr, flush=True)
    for command in (
        [base, "-m", "venv", "--clear", str(folder)],
        [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages],
    ):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            why = (done.stderr.strip().splitlines() or ["no reason is given"])[-1]
            print(f"{name} is left out: it cannot be installed: {why}", file=sys.stderr)
            return None
    stamp.write_text(" ".join(packages))
    return python


def works(python: str) -> bool:
    """Whether this is a Python: what is on the path may be a program that only names one."""
    if shutil.which(python) is None:
        return False
    return not subprocess.run([python, "-c", "import venv"], capture_output=True).returncode


def torch() -> pathlib.Path | None:
    """This Python, if it has PyTorch; else that of an environment."""
    if not subprocess.run([sys.executable, "-c", "import torch"], capture_output=True).returncode:
        return pathlib.Path(sys.executable)
    return environment("torch", TORCH, (sys.executable,))


def dynet() -> pathlib.Path | None:
    """That of an environment, with one of the Pythons for which DyNet has a wheel."""
    return environment("dynet", DYNET, DYNET_PYTHONS)
