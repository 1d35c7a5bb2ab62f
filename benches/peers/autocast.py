"""Runs a script of the peers with PyTorch's automatic mixed precision, products in bf16.

    python autocast.py SCRIPT [ARGUMENTS]
"""

import pathlib
import runpy
import sys

import torch

torch.set_autocast_dtype("cpu", torch.bfloat16)
torch.set_autocast_enabled("cpu", True)
sys.argv = sys.argv[1:]
# The script's own folder, from which it imports.
sys.path.insert(0, str(pathlib.Path(sys.argv[0]).parent))
runpy.run_path(sys.argv[0], run_name="__main__")
