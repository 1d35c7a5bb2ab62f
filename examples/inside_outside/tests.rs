use super::*;

fn cli(arguments: &[&str]) -> Cli {
    Cli::parse_from(std::iter::once("inside_outside").chain(arguments.iter().copied()))
}

/// The probability of every tree over a sentence, with the rules, words and beginning that it uses, by enumeration.
fn trees(rules: &Rules, words: &[u32], symbol: usize) -> Vec<(f64, Vec<usize>, Vec<usize>)> {
    let count = rules.symbols.len();
    if let [word] = words {
        let emit = *word as usize * count + symbol;
        return vec![(rules.emit[emit], Vec::new(), vec![emit])];
    }
    let mut found = Vec::new();
    for middle in 1..words.len() {
        for pair in 0..count * count {
            let rule = pair * count + symbol;
            if rules.rules[rule] == 0.0 {
                continue;
            }
            let rights = trees(rules, &words[middle..], pair % count);
            for (p, used, emitted) in trees(rules, &words[..middle], pair / count) {
                for (q, more, also) in &rights {
                    let mut used = [&used[..], more].concat();
                    used.push(rule);
                    found.push((rules.rules[rule] * p * q, used, [&emitted[..], also].concat()));
                }
            }
        }
    }
    found
}

/// Likelihoods and expected counts are those of all trees, and the best tree is the best of them.
#[test]
fn charts_are_sums_over_all_trees() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut rules = Rules::random(4, 5, &mut rng);
    let numbers = |tree: &Derivation| -> Vec<u32> {
        let number =
            |word: &String| rules.words.iter().position(|other| other == word).unwrap() as u32;
        tree.words.iter().map(number).collect()
    };
    let sentences: Vec<Vec<u32>> = (0..6).map(|_| numbers(&rules.draw(5, &mut rng))).collect();
    let mut expected = rules.clone();
    expected.lists().into_iter().for_each(|(_, list)| list.fill(0.0));
    let (mut likelihood, mut best) = (0.0, Vec::new());
    for words in &sentences {
        let all: Vec<_> = (0..4)
            .flat_map(|symbol| {
                trees(&rules, words, symbol).into_iter().map(move |tree| (symbol, tree))
            })
            .map(|(symbol, (p, used, emitted))| (p * rules.start[symbol], symbol, used, emitted))
            .collect();
        let sum: f64 = all.iter().map(|tree| tree.0).sum();
        likelihood += sum.ln();
        best.push(all.iter().map(|tree| tree.0).fold(0.0, f64::max));
        for (p, symbol, used, emitted) in &all {
            expected.start[*symbol] += p / sum;
            used.iter().for_each(|rule| expected.rules[*rule] += p / sum);
            emitted.iter().for_each(|word| expected.emit[*word] += p / sum);
        }
    }
    let mut charts = Charts::new(&cli(&[]), &mut rules).unwrap();
    for size in [1, 4] {
        let mut counts = rules.clone();
        let found = charts.expect(&sentences, size, &mut counts).unwrap();
        assert!((found - likelihood).abs() < 1e-9 * likelihood.abs(), "{found} {likelihood}");
        assert!((charts.likelihood(&sentences, size).unwrap() - found).abs() < 1e-9);
        for ((name, found), (_, expected)) in counts.lists().into_iter().zip(expected.lists()) {
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - *expected).abs() < 1e-9, "{name}: {found} {expected}");
            }
        }
        for ((nodes, words), best) in
            charts.parse(&sentences, size).unwrap().iter().zip(&sentences).zip(&best)
        {
            let mut p = rules.start[nodes[0].0];
            let mut at = 0;
            score(&rules, nodes, &mut at, words, &mut p);
            assert!((p - best).abs() < 1e-12, "{p} {best}");
            assert_eq!(at, nodes.len());
        }
    }
    let batch = charts.batch(&sentences).unwrap();
    edb::testing::compiled_equals_eager(&charts.model, &batch, &Default::default()).unwrap();
}

/// Multiplies by the rules of a tree, whose nodes stand before their parts.
fn score(rules: &Rules, nodes: &[Node], at: &mut usize, words: &[u32], p: &mut f64) {
    let (symbol, first, end) = nodes[*at];
    *at += 1;
    let count = rules.symbols.len();
    if end - first == 1 {
        *p *= rules.emit[words[first] as usize * count + symbol];
        return;
    }
    let left = nodes[*at].0;
    score(rules, nodes, at, words, p);
    let right = nodes[*at].0;
    score(rules, nodes, at, words, p);
    *p *= rules.rules[(left * count + right) * count + symbol];
}

/// EM never lowers the likelihood.
#[test]
fn rounds_gain() {
    let cli = cli(&["--sentences", "40", "--rounds", "4", "--batch", "8"]);
    let Splits { train, .. } = read(&cli).unwrap();
    let mut rules = Rules::of_trees(&train, 4);
    let words = rules.words.clone();
    let number = |word: &String| words.iter().position(|other| other == word).unwrap() as u32;
    let sentences: Vec<Vec<u32>> =
        train.iter().map(|tree| tree.words.iter().map(number).collect()).collect();
    let mut charts = Charts::new(&cli, &mut rules).unwrap();
    let mut last = f64::NEG_INFINITY;
    for _ in 0..4 {
        let value = charts.expect(&sentences, 8, &mut rules).unwrap();
        assert!(value >= last - 1e-9, "{value} after {last}");
        last = value;
        rules.normalise();
        rules.write(&mut charts.model).unwrap();
    }
}
