//! Why does the model say that? For a prediction of the sentiment model, the training sentences that
//! helped and that harmed it most: those whose gradients have the largest and the smallest inner
//! products with the gradient of the prediction's loss (TracIn: Pruthi et al., 2020, "Estimating
//! training data influence by tracing gradient descent").
//!
//! A step along the gradient of a training sentence lowers the loss of the prediction in proportion
//! to the inner product. The products are taken where the tested model is, or are means over the ends of
//! all epochs up to it (`--epochs-together`).
//!
//! Long sentences have long gradients, so that they are at both ends of most lists; `--cosine` orders
//! by the cosine instead. Both are printed.

#[cfg(test)]
mod tests;
mod trace;

use std::process::ExitCode;

use clap::Parser;
use edb::learn::Parameters;
use edb::model::Notes;
use edb::prelude::*;
use serde_json::{Value, json};

use cells::binary_tree::{Functions, Sizes, TreeLstm};
use readers::source::Source;
use readers::tree::{CLASSES, LABELS, Tree};
use readers::treebank;
use support::fit::Recipe;
use support::vocabulary::Vocabulary;
use support::{Options, Result, table};
use trace::{Influence, Tracer};

#[derive(Parser)]
#[command(
    about = "Shows which training sentences helped and harmed predictions of the sentiment model",
    after_help = "The folder of --data holds train.txt, dev.txt and test.txt, one tree `(3 \
        (2 a) (3 film))` a line, plain or gzip'd. What --save has written, --load reads: then \
        --epochs 0 does not train it further."
)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    source: Source,
    /// The size of a word's vector
    #[arg(long, default_value_t = 128)]
    embedding: usize,
    /// Rarer words are read as one unknown word
    #[arg(long, default_value_t = 2)]
    min_count: usize,
    /// Test sentences, counted from 1 [default: the first that are misclassified]
    #[arg(long, value_delimiter = ',')]
    sentence: Vec<usize>,
    /// How many that are misclassified
    #[arg(long, default_value_t = 2)]
    misclassified: usize,
    /// How many training sentences to show at each end
    #[arg(long, default_value_t = 4)]
    show: usize,
    /// Order by the cosine of the gradients, not by their inner product
    #[arg(long)]
    cosine: bool,
    /// Take the mean over the ends of all epochs up to the one that is tested
    #[arg(long)]
    epochs_together: bool,
}

/// The places of the test sentences that are looked at, each with its predicted label.
fn chosen(cli: &Cli, tracer: &mut Tracer<'_>, test: &[Tree]) -> Result<Vec<(usize, usize)>> {
    let labels = tracer.labels(test)?;
    if let Some(number) = cli.sentence.iter().find(|number| !(1..=test.len()).contains(*number)) {
        let all = test.len();
        return Err(format!("--sentence {number}: the test split has sentences 1 to {all}").into());
    }
    let all = labels.into_iter().enumerate();
    if cli.sentence.is_empty() {
        let wrong = all.filter(|(place, label)| *label != usize::from(test[*place].label()));
        return Ok(wrong.take(cli.misclassified).collect());
    }
    let labels: Vec<(usize, usize)> = all.collect();
    Ok(cli.sentence.iter().map(|number| labels[number - 1]).collect())
}

/// The numbers of training sentences, first those that helped most.
fn ordered(influences: &[Influence], cosine: bool) -> Vec<usize> {
    let of = |number: &usize| match cosine {
        true => influences[*number].cosine,
        false => influences[*number].product,
    };
    let mut numbers: Vec<usize> = (0..influences.len()).collect();
    numbers.sort_by(|a, b| of(b).total_cmp(&of(a)));
    numbers
}

/// Prints what helped and what harmed a prediction; returns it for JSON.
fn show(
    cli: &Cli,
    train: &[Tree],
    test: &Tree,
    (place, label): (usize, usize),
    influences: &[Influence],
) -> Value {
    println!(
        "\ntest sentence {}, labelled {}, predicted {label}: {}",
        place + 1,
        test.label(),
        test.words().join(" ")
    );
    let order = ordered(influences, cli.cosine);
    let most = cli.show.min(order.len());
    let by = if cli.cosine { "cosine" } else { "inner product" };
    let ends: [(&str, Vec<usize>); 2] = [
        ("helped", order[..most].to_vec()),
        ("harmed", order.iter().rev().take(most).copied().collect()),
    ];
    let mut object = json!({ "sentence": place + 1, "label": test.label(), "predicted": label });
    for (name, numbers) in ends {
        let row = |number: &usize| {
            let Influence { product, cosine } = influences[*number];
            let (number, label) = ((number + 1).to_string(), train[*number].label().to_string());
            vec![format!("{product:.3}"), format!("{cosine:.3}"), label, number]
        };
        let rows: Vec<Vec<String>> = numbers.iter().map(row).collect();
        println!("{name} most, by the {by}:");
        let numbered = table(&["product", "cosine", "label", "number"], &rows);
        let texts = numbers.iter().map(|number| train[*number].words().join(" "));
        let texts = ["sentence".to_owned()].into_iter().chain(texts);
        for (line, text) in numbered.lines().zip(texts) {
            println!("  {line}  {text}");
        }
        object[name] = numbers.iter().map(|number| number + 1).collect();
    }
    object
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let options = &cli.options;
    let splits = treebank::read(&cli.source)?.filled()?;
    let words = splits.train.iter().flat_map(Tree::words).map(String::as_str);
    let words = Vocabulary::new(words, cli.min_count);
    let sizes = Sizes {
        words: words.size(),
        embedding: cli.embedding,
        hidden: options.hidden.unwrap_or(128),
        classes: usize::from(LABELS),
    };
    let mut builder = ModelBuilder::new();
    let f = Functions::<TreeLstm>::new(&mut builder, sizes, 1);
    let model = builder.build(options.seed)?;
    let recipe = Recipe { epochs: 8, batch: 32, rate: 2e-3, decay: false, falls: false };
    let mut epochs: Vec<Parameters<f32>> = Vec::new();
    let mut tested = None;
    let mut found = recipe.run_steps(
        options,
        (model, Notes::new().with("vocabulary", &words.words()).with("classes", &CLASSES)),
        &splits,
        |trainer, trees, _| {
            let graph = |tree: &&Tree| f.graph(trainer.model(), tree, |word| words.id(word)).0;
            let graphs: Vec<Graph> = trees.iter().map(graph).collect();
            Ok(trainer.step_graphs(&graphs)?.loss)
        },
        |trainer, trees| {
            // The dev split is measured at the end of each epoch.
            if cli.epochs_together && std::ptr::eq(trees, &splits.dev[..]) {
                epochs.push(trainer.model().parameters().clone());
            }
            Ok(f.accuracy(trainer, trees, |word| words.id(word))?.measures())
        },
        |trainer| {
            tested = Some(trainer.model().parameters().clone());
            Ok(Vec::new())
        },
    )?;
    // Later epochs have not made the model that is tested; of it, there are parameters already.
    let epoch = found.get("epoch").and_then(Value::as_u64).unwrap_or(0) as usize;
    epochs.truncate(epoch.saturating_sub(1));
    epochs.extend(tested);

    let mut tracer = Tracer::new(options, sizes, &words, epochs)?;
    let sentences = chosen(cli, &mut tracer, &splits.test)?;
    let trees: Vec<&Tree> = sentences.iter().map(|(place, _)| &splits.test[*place]).collect();
    let influences = tracer.trace(&splits.train, &trees)?;
    let shown = sentences.iter().zip(&influences).map(|(sentence, influences)| {
        show(cli, &splits.train, &splits.test[sentence.0], *sentence, influences)
    });
    found.insert("influences".into(), shown.collect());
    options.print(found);
    Ok(())
}
