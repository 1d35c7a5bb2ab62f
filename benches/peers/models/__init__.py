"""The models that DyNet and PyTorch run beside edb: their parameters, what they read, and each once more
in f64 with numpy alone, which is what the others are checked against.

A matrix is listed with its inputs as rows, as `x W`; the rows of a table are its vectors. The LSTM is
`c = sigma(f) c + sigma(i) tanh(g)`, `h = sigma(o) tanh(c)`, with gates in the order `[i, f, o, g]`. The
loss of a minibatch is the sum of all losses by the number of instances.

Needs Python 3.8 and numpy.
"""

from models.derivatives import EachLstm, Jacobian32, Jacobian128
from models.lattices import EdBatchLattice, LatticeGru, LatticeLstm
from models.layers import Layer, LinearLayer, Perceptron
from models.model import Model, chosen, closed, compare
from models.sequences import Decoder, FixedLanguageModel, LanguageModel, Lengths, Tagger, Translator
from models.trees import ChildSum, MvRnn, TreeFc, TreeGru, TreeLstm, TreeLstm2Type

__all__ = [
    *("Model", "chosen", "closed", "compare"),
    *("TreeLstm", "TreeLstm2Type", "ChildSum", "TreeGru", "MvRnn", "TreeFc"),
    *("LatticeLstm", "EdBatchLattice", "LatticeGru"),
    *("Tagger", "LanguageModel", "FixedLanguageModel", "Lengths", "Translator", "Decoder"),
    *("Layer", "LinearLayer", "Perceptron"),
    *("EachLstm", "Jacobian128", "Jacobian32"),
]
