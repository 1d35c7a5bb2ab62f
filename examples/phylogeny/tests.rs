use edb::Element;

use super::*;

fn cli(arguments: &[&str]) -> Cli {
    Cli::parse_from(std::iter::once("phylogeny").chain(arguments.iter().copied()))
}

/// The likelihood by a plain recursion, site by site, without scales.
fn plainly(tree: &Tree, of: &Alignment, rates: &Rates, lengths: &[f64]) -> f64 {
    let (given, categories) = (rates.transitions(lengths), rates.categories().len());
    let below = |column: usize, category: usize| {
        let mut below = vec![[1.0; 4]; tree.0.len()];
        for (number, node) in tree.0.iter().enumerate().rev() {
            if node.children.is_empty() {
                let leaf = of.names.iter().position(|name| *name == node.name).unwrap();
                below[number] =
                    [0, 1, 2, 3].map(|bit| f64::from(of.letters[leaf][column] >> bit & 1));
            }
            if number > 0 {
                let p = &given[((number - 1) * categories + category) * 16..][..16];
                let up: [f64; 4] = std::array::from_fn(|to| {
                    (0..4).map(|from| below[number][from] * p[from * 4 + to]).sum()
                });
                (0..4).for_each(|letter| below[node.parent][letter] *= up[letter]);
            }
        }
        below[0].iter().zip(rates.frequencies).map(|(x, f)| x * f).sum::<f64>()
    };
    let site = |column: usize| {
        (0..categories).map(|category| below(column, category)).sum::<f64>() / categories as f64
    };
    of.weights.iter().enumerate().map(|(column, weight)| weight * site(column).ln()).sum()
}

/// Values and slopes for one rate and four, with and without scales, in one block and in several.
#[test]
fn likelihoods_are_those_of_a_plain_recursion() {
    for model in ["jc", "gtr"] {
        for [block, scale] in [["1000", "1000"], ["100", "4"], ["64", "2"]] {
            let cli =
                cli(&["--model", model, "--block", block, "--scale", scale, "--threads", "2"]);
            let (tree, alignment) = read(&cli).unwrap();
            let of: Result<Likelihood> = Likelihood::new(
                &cli,
                &alignment,
                std::slice::from_ref(&tree),
                std::slice::from_ref(&alignment.weights),
            );
            let of = RefCell::new(of.unwrap());
            let branches = tree.0.len() - 1;
            let fit =
                Fit { kind: cli.model, branches, sites: 1.0, of: &of, last: RefCell::default() };
            let lengths = tree.lengths(|_| 0.1);
            let place: Vec<f64> =
                lengths.iter().map(|length| length.ln()).chain(cli.model.start()).collect();
            let by_recursion = |place: &[f64]| {
                let lengths: Vec<f64> = place[..branches].iter().map(|log| log.exp()).collect();
                -plainly(&tree, &alignment, &cli.model.rates(&place[branches..]), &lengths)
            };
            let (value, slopes) = fit.at(&place).unwrap();
            let expected = by_recursion(&place);
            assert!((value - expected).abs() < 1e-9 * expected, "{value} {expected}");
            for at in (0..place.len()).step_by(5).chain(branches..place.len()) {
                let moved = |by: f64| {
                    let mut place = place.clone();
                    place[at] += by;
                    by_recursion(&place)
                };
                let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                assert!(
                    (slopes[at] - slope).abs() < 1e-4 * (1.0 + slope.abs()),
                    "{at}: {} {slope}",
                    slopes[at]
                );
            }
        }
    }
}

#[test]
fn fits_find_the_lengths_that_letters_were_drawn_with() {
    let cli = cli(&["--start", "0.3"]);
    let (tree, alignment) = read(&cli).unwrap();
    let of: Result<Likelihood> = Likelihood::new(
        &cli,
        &alignment,
        std::slice::from_ref(&tree),
        std::slice::from_ref(&alignment.weights),
    );
    let of = RefCell::new(of.unwrap());
    let given = numbers(&Rates::JC, &tree.lengths(|_| 0.1));
    let at_truth = of.borrow_mut().value(&given).unwrap();
    let at_start =
        of.borrow_mut().value(&numbers(&Rates::JC, &vec![0.3; tree.0.len() - 1])).unwrap();
    assert!(at_start < at_truth - 100.0, "{at_start} {at_truth}");
    super::run(&cli).unwrap();
}

/// Numbers of so many leaves, without scales, would be 0.
#[test]
fn likelihoods_of_many_leaves_are_finite() {
    fn check<T: Element>(leaves: usize, scale: &str) {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let tree = Tree::random((0..leaves).map(|leaf| format!("{leaf}")).collect(), &mut rng);
        let alignment = Alignment::new(simulate(&tree, 20, &mut rng), true).unwrap();
        let value = |scale: &str| -> f64 {
            let cli = cli(&["--scale", scale]);
            let of = Likelihood::<T>::new(
                &cli,
                &alignment,
                std::slice::from_ref(&tree),
                std::slice::from_ref(&alignment.weights),
            );
            of.unwrap().value(&numbers(&Rates::JC, &tree.lengths(|_| 0.1))).unwrap()
        };
        let (scaled, plain) = (value(scale), value("100000"));
        assert!(scaled.is_finite() && scaled < -100.0, "{scaled}");
        assert!(!plain.is_finite(), "{plain}");
    }
    check::<f64>(2000, "16");
    check::<f32>(500, "2");
}
