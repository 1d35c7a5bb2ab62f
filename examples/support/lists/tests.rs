use super::*;
use crate::expression::Item;

fn generator(settings: Settings, seed: u64) -> Generator {
    Generator::new(settings, seed).expect("the settings are sound")
}

/// All expressions of one operator with one or two digits: there are 440.
fn tiny() -> Settings {
    Settings { min_tokens: 3, max_tokens: 4, max_depth: 1, arguments: 1..=2, nesting: 0.5 }
}

#[test]
fn expressions_keep_to_the_settings() {
    let settings = Settings { max_depth: 3, ..Settings::default() };
    let mut generator = generator(settings.clone(), 1);
    let mut deepest = 0;
    for _ in 0..2_000 {
        let expression = generator.draw().expect("most draws succeed");
        let tokens = expression.token_count();
        assert!((10..=50).contains(&tokens), "{tokens} tokens: {expression}");
        deepest = deepest.max(expression.depth());
        for (number, item) in expression.items().iter().enumerate() {
            if let Item::Apply(_) = item {
                let count = expression.arguments(number).len();
                assert!(settings.arguments.contains(&count), "{count} arguments: {expression}");
            }
        }
    }
    assert_eq!(deepest, 3);
}

#[test]
fn operators_arities_and_nesting_have_the_given_frequencies() {
    // Without limits on the tokens no draw is refused, so the frequencies are those of one draw.
    let settings = Settings { min_tokens: 0, max_tokens: 10_000, ..Settings::default() };
    let mut generator = generator(settings, 2);
    let mut operators = [0.0; 4];
    let mut arities = [0.0; 6];
    let (mut arguments, mut nested) = (0.0, 0.0);
    for _ in 0..20_000 {
        let expression = generator.draw().expect("no draw is refused");
        for (number, item) in expression.items().iter().enumerate() {
            if let Item::Apply(operator) = item {
                operators[*operator as usize] += 1.0;
                arities[expression.arguments(number).len()] += 1.0;
            }
        }
        // Those of the outermost operator, which are never too deep to be nested.
        let root = expression.items().len() - 1;
        for &argument in expression.arguments(root) {
            arguments += 1.0;
            nested += f64::from(matches!(expression.items()[argument], Item::Apply(_)));
        }
    }
    let all: f64 = operators.iter().sum();
    let shares = operators.iter().chain(&arities[2..]).map(|count| count / all);
    for share in shares.chain([nested / arguments]) {
        assert!((share - 0.25).abs() < 0.01, "{share}");
    }
}

#[test]
fn extreme_answers_are_the_most_frequent() {
    let data = dataset(Settings::default(), 3, 10_000, 0, 0).expect("there are enough");
    let count = |answer: u8| data.train.iter().filter(|one| one.answer() == answer).count();
    let between = (1..9).map(count).max().expect("eight counts");
    assert!(count(0) > between && count(9) > between, "{:?}", [count(0), between, count(9)]);
}

#[test]
fn splits_are_distinct_and_reproducible() {
    // So many of 440 that they would overlap but for the care taken.
    let data = dataset(tiny(), 4, 300, 60, 60).expect("there are 440");
    assert_eq!([data.train.len(), data.dev.len(), data.test.len()], [300, 60, 60]);
    let all: HashSet<String> = [&data.train, &data.dev, &data.test]
        .into_iter()
        .flatten()
        .map(Expression::to_string)
        .collect();
    assert_eq!(all.len(), 420);
    assert_eq!(dataset(tiny(), 4, 300, 60, 60), Ok(data.clone()));
    assert_ne!(dataset(tiny(), 5, 300, 60, 60), Ok(data.clone()));

    let less = dataset(tiny(), 4, 10, 60, 60).expect("there are 440");
    assert_eq!((less.test, less.dev), (data.test, data.dev));
    assert_eq!(less.train, data.train[..10]);
}

#[test]
fn a_seed_means_the_same_expressions_everywhere() {
    let mut generator = generator(Settings::default(), 0);
    let first = generator.draw().expect("most draws succeed");
    assert_eq!(first.to_string(), "[SM 7 7 [SM 9 5 6 4 ] 4 ]");
}

#[test]
fn all_expressions_are_found_but_no_more() {
    assert_eq!(dataset(tiny(), 6, 440, 0, 0).map(|data| data.train.len()), Ok(440));
    let error = dataset(tiny(), 6, 400, 20, 21).expect_err("there are only 440");
    assert_eq!(error, GenerateError::TooFew { found: 440, wanted: 441 });
    assert_eq!(
        error.to_string(),
        "only 440 of 441 different expressions found: the next 100000 draws were repetitions \
         or had too few or too many tokens"
    );
}

#[test]
fn impossible_settings_are_errors() {
    let error = |settings: Settings| {
        Generator::new(settings, 0).and_then(|mut generator| generator.draw()).expect_err("none")
    };
    let settings = Settings::default;
    assert_eq!(
        error(Settings { min_tokens: 51, ..settings() }),
        GenerateError::Tokens { least: 51, most: 50 },
    );
    assert_eq!(error(Settings { max_depth: 0, ..settings() }), GenerateError::Depth);
    for arguments in [0..=3, RangeInclusive::new(5, 2)] {
        let (least, most) = (*arguments.start(), *arguments.end());
        assert_eq!(
            error(Settings { arguments, ..settings() }),
            GenerateError::Arguments { least, most },
        );
    }
    for nesting in [-0.1, 1.5, f64::NAN] {
        let error = error(Settings { nesting, ..settings() });
        assert!(matches!(error, GenerateError::Nesting { .. }), "{error}");
    }
    // Five digits under one operator are seven tokens.
    assert_eq!(error(Settings { max_depth: 1, ..settings() }), GenerateError::NoneFound);
}

#[test]
fn a_draw_ends_at_the_limit_on_tokens() {
    let endless = Settings { nesting: 1.0, max_depth: usize::MAX, ..Settings::default() };
    let wide = Settings { arguments: usize::MAX..=usize::MAX, ..Settings::default() };
    for settings in [endless, wide] {
        assert_eq!(generator(settings, 7).attempt(), None);
    }
}
