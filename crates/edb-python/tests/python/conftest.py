"""Models that Rust has saved, and what Rust has computed with them: `tests/models.rs`."""

import json
import os
import pathlib
from typing import Any

import pytest


@pytest.fixture(scope="session")
def models() -> pathlib.Path:
    """The folder that `cargo test -p edb-python` has written."""
    folder = os.environ.get("EDB_TEST_MODELS")
    if folder is None:
        pytest.exit("these tests are run by `cargo test -p edb-python`, which makes what they read", 1)
    return pathlib.Path(folder)


def lines(path: pathlib.Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]
