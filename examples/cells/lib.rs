//! The cells of the examples, of the benchmarks and of the back ends' test suite: vertex functions,
//! and the construction of a graph from a record.
//!
//! | input | cells |
//! | --- | --- |
//! | trees | [`sentiment`] (its binary Tree-LSTM), [`sentiment_plain`] (the same without dropout), [`tree_lstm`], [`tree_lstm_child_sum`], [`tree_gru`], [`mv_rnn`], [`routed`], which [`binary_tree`] has under one face; [`child_sum`], [`tree_fc`] |
//! | chains | [`lstm`], [`bilstm`], [`gru`], [`lstm_lm`], [`spelling`], [`tagging`], [`word_tagger`], [`crf`], [`encoder_decoder`], [`decoder`], [`ponder`] |
//! | graphs that grow | [`speaker`], [`generator`], [`parser`] with its [`transitions`] |
//! | lattices | [`lattice_lstm`], [`lattice_gru`], [`lattice_edbatch`], [`lattice_tagger`] |
//! | charts | [`chart`] |
//! | molecules | [`message_passing`] |
//! | trees of species | [`pruning`] |
//! | puzzles | [`reasoner`] |
//! | vectors | [`layers`] |
//!
//! [`torch`] takes weights of PyTorch into them.

pub mod bilstm;
pub mod binary_tree;
pub mod chart;
pub mod child_sum;
pub mod crf;
pub mod decoder;
pub mod encoder_decoder;
pub mod generator;
pub mod gru;
pub mod lattice_edbatch;
pub mod lattice_gru;
pub mod lattice_lstm;
pub mod lattice_tagger;
pub mod layers;
pub mod lstm;
pub mod lstm_lm;
pub mod message_passing;
pub mod mv_rnn;
pub mod parser;
pub mod ponder;
pub mod pruning;
pub mod reasoner;
pub mod routed;
pub mod sentiment;
pub mod sentiment_plain;
pub mod speaker;
pub mod spelling;
pub mod tagging;
pub mod torch;
pub mod transitions;
pub mod tree_fc;
pub mod tree_gru;
pub mod tree_lstm;
pub mod tree_lstm_child_sum;
pub mod word_tagger;
