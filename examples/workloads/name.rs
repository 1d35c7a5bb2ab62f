//! The workloads by name.

use clap::ValueEnum;

use crate::drawn::Drawn;

/// The workloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Name {
    /// Binary Tree-LSTM as peers have it, a class at every vertex (data: trees as in SST)
    TreeLstm,
    /// Child-sum Tree-LSTM over binary trees, as in Cavs (same data)
    TreeLstmChildSum,
    /// The Tree-LSTM of `sentiment`, judged at every phrase (same data, as for the next four)
    Sentiment,
    /// Tree-LSTM with phrases of two types
    #[value(name = "tree-lstm-2type")]
    TreeLstm2Type,
    /// Tree-GRU
    TreeGru,
    /// A vector and a matrix for every phrase
    MvRnn,
    /// Three experts, of which each phrase chooses one
    RoutedTree,
    /// Bidirectional LSTM as peers have it, a tag for every word (data: sentences as in WikiNER)
    BilstmTagger,
    /// The BiLSTM of `tagger` (same data)
    Tagger,
    /// The same, over letters as well (same data)
    TaggerChars,
    /// The tagger of `ponder`, which thinks about each word until it is done (same data)
    Ponder,
    /// Lattice LSTM of Zhang and Yang, forward (data: lattices as in ED-Batch's benchmark)
    LatticeLstm,
    /// Lattice GRU, forward (same data)
    LatticeGru,
    /// What ED-Batch measures as a lattice LSTM (same data)
    LatticeEdbatch,
    /// `lattice_ner`: lattice LSTM in both directions (data: sentences with the words of a lexicon)
    LatticeNer,
    /// The same with the lattice GRU (same data)
    LatticeNerGru,
    /// LSTM language model (data: sentences, one a line)
    LanguageModel,
    /// The same over pieces of 64 words (data: a text, such as the Penn Treebank)
    FixedLstm,
    /// LSTM encoder-decoder with attention (data: lines `source ||| translation`)
    Translate,
    /// The same, one word after the other: taught in training, free in inference (same data)
    TranslateGrow,
    /// The parser of `parser`, by its own transitions (data: CoNLL-U)
    Parser,
    /// The generator of `generate`: taught in training, free in inference (data: trees in brackets)
    Generate,
    /// Child-sum Tree-LSTM over dependency trees (data: the table of SICK with parses)
    #[value(alias = "child-sum")]
    Relatedness,
    /// Message passing on molecular graphs (data: a table of molecules)
    Molecules,
    /// A fully connected layer over complete binary trees (always drawn)
    TreeFc,
    /// A linear layer over vectors of 768 numbers (always drawn)
    LinearLayer,
    /// A perceptron with one hidden layer over images of 784 pixels (always drawn)
    Perceptron,
}

impl Name {
    /// Random instances for the workload, in the format that it reads.
    pub fn draw(self, seed: u64) -> String {
        let mut drawn = Drawn::new(seed);
        match self {
            Self::TreeLstm
            | Self::TreeLstmChildSum
            | Self::Sentiment
            | Self::TreeLstm2Type
            | Self::TreeGru
            | Self::MvRnn
            | Self::RoutedTree => drawn.trees(),
            Self::BilstmTagger | Self::Tagger | Self::TaggerChars | Self::Ponder => drawn.tagged(),
            Self::LatticeLstm | Self::LatticeGru | Self::LatticeEdbatch => drawn.lattices(),
            Self::LatticeNer | Self::LatticeNerGru => drawn.entities(),
            Self::LanguageModel => drawn.sentences(),
            Self::FixedLstm => drawn.pieces(),
            Self::Translate | Self::TranslateGrow => drawn.translations(),
            Self::Parser => drawn.dependencies(),
            Self::Generate => drawn.derivations(),
            Self::Relatedness => drawn.relatedness(),
            Self::Molecules => drawn.molecules(),
            Self::TreeFc | Self::LinearLayer | Self::Perceptron => String::new(),
        }
    }

    /// Whether instances have ids, whose number can be reduced with --ids-modulo.
    pub fn has_ids(self) -> bool {
        let has_none =
            matches!(self, Self::Parser | Self::Generate | Self::Relatedness | Self::Molecules);
        !has_none && self.reads()
    }

    /// Whether instances are read; else they are always drawn, in no format.
    pub fn reads(self) -> bool {
        !matches!(self, Self::TreeFc | Self::LinearLayer | Self::Perceptron)
    }
}
