"""Layers of PyTorch in float32: their weights, as in a state_dict, and what they compute from a few words and images.

Writes layers.safetensors beside this file: see README.md.
"""

from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import nn

WORDS, HIDDEN, TAGS = 6, 4, 3
# Seven words, and their tags.
SENTENCE = [3, 0, 5, 1, 1, 4, 2]
GOLD = [0, 2, 1, 1, 0, 2, 0]


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(WORDS, HIDDEN)
        self.encoder = nn.ModuleDict(
            {
                "lstm": nn.LSTM(HIDDEN, HIDDEN, bidirectional=True),
                "forward_lstm": nn.LSTM(HIDDEN, HIDDEN),
                "gru": nn.GRU(HIDDEN, HIDDEN),
                "deep": nn.LSTM(HIDDEN, HIDDEN, num_layers=2),
            }
        )
        self.tag = nn.Linear(2 * HIDDEN, TAGS)
        self.digits = nn.Sequential(nn.Linear(5, HIDDEN), nn.ReLU(), nn.Dropout(0.5), nn.Linear(HIDDEN, TAGS))
        self.project = nn.Linear(5, HIDDEN, bias=False)


def main():
    torch.manual_seed(11)
    model = Model().eval()
    images = torch.randn(2, 5)
    tensors = dict(model.state_dict())
    with torch.no_grad():
        words = model.embed(torch.tensor(SENTENCE))
        both = model.encoder["lstm"](words)[0]
        tensors["computed.lstm"] = both
        tensors["computed.forward_lstm"] = model.encoder["forward_lstm"](words)[0]
        tensors["computed.gru"] = model.encoder["gru"](words)[0]
        tensors["computed.loss"] = nn.functional.cross_entropy(model.tag(both), torch.tensor(GOLD), reduction="sum")
        tensors["computed.digits"] = model.digits(images)
        tensors["computed.project"] = model.project(images)
    tensors["images"] = images
    # Tensors of types and shapes that cannot be taken.
    tensors["half.weight"] = model.project.weight.detach().half()
    tensors["wide.weight"] = torch.zeros(HIDDEN, 6)
    path = Path(__file__).with_suffix(".safetensors")
    save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, path, metadata={"torch": torch.__version__})
    print(f"{path.name}: {len(tensors)} tensors, {path.stat().st_size} bytes, torch {torch.__version__}")


main()
