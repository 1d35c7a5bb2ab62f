//! The table of the book: how many batches policies need, divided by the lower bound.

use crate::report::Row;

/// A table in Markdown with a row for each kind of graph and size, and a column for each policy. A
/// figure is a mean over minibatches; where seeds differ, it is the range of their means. `*`: equal
/// to the lower bound on every minibatch; `†`: otherwise proved to be the fewest on every one.
pub fn ratios(rows: &[Row]) -> String {
    let policies = distinct(rows.iter().map(|row| &row.policy[..]));
    let kinds = distinct(rows.iter().map(|row| (&row.of.topology[..], row.of.examples)));
    let mut text = format!("| topology | examples | {} |\n", policies.join(" | "));
    text += &format!("| --- | --- |{}\n", " --- |".repeat(policies.len()));
    for (topology, examples) in kinds {
        text += &format!("| {topology} | {examples} |");
        for policy in &policies {
            let of = |row: &&Row| {
                (&row.of.topology[..], row.of.examples, &row.policy[..])
                    == (topology, examples, policy)
            };
            text += &format!(" {} |", cell(&rows.iter().filter(of).collect::<Vec<_>>()));
        }
        text.push('\n');
    }
    text
}

/// The figure of a policy on graphs of a kind.
fn cell(rows: &[&Row]) -> String {
    let mean = |seed: u64| {
        let of = rows.iter().filter(|row| row.seed == seed);
        let ratios = of.map(|row| row.batches as f64 / row.lower_bound.max(1) as f64);
        let (count, sum) =
            ratios.fold((0.0, 0.0), |(count, sum), ratio| (count + 1.0, sum + ratio));
        sum / count
    };
    let mut means: Vec<f64> =
        distinct(rows.iter().map(|row| row.seed)).into_iter().map(mean).collect();
    means.sort_by(f64::total_cmp);
    let [Some(least), Some(most)] = [means.first(), means.last()] else { return String::new() };
    let mark = match () {
        () if rows.iter().all(|row| row.certified) => "*",
        () if rows.iter().all(|row| row.proof.is_some()) => "†",
        () => "",
    };
    match [least, most].map(|mean| format!("{mean:.3}")) {
        [least, most] if least == most => least + mark,
        [least, most] => format!("{least} to {most}{mark}"),
    }
}

/// What differs, in the order in which it comes.
fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for one in all {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Of;

    fn row(minibatch: usize, seed: u64, policy: &str, batches: usize, proved: bool) -> Row {
        let topology = "ast".into();
        Row {
            of: Of { topology, minibatch: minibatch.to_string(), examples: 32 },
            seed,
            policy: policy.into(),
            batches,
            lower_bound: 10,
            certified: batches == 10,
            proof: proved.then_some("bound"),
            steps: 0,
            estimated_ns: None,
            ns_per_vertex: 0.0,
            training_s: 0.0,
            trials: 0,
            states: 0,
            choices: 0,
            unseen: 0,
        }
    }

    #[test]
    fn figures_are_means_over_minibatches_and_ranges_over_seeds() {
        let rows = [
            row(0, 1, "depth", 15, false),
            row(1, 1, "depth", 20, false),
            row(0, 2, "depth", 15, false),
            row(1, 2, "depth", 21, false),
            row(0, 1, "agenda", 11, true),
            row(1, 1, "agenda", 10, true),
            row(0, 1, "offline", 10, true),
        ];
        let expected = "| topology | examples | depth | agenda | offline |\n\
            | --- | --- | --- | --- | --- |\n\
            | ast | 32 | 1.750 to 1.800 | 1.050† | 1.000* |\n";
        assert_eq!(ratios(&rows), expected);
    }
}
