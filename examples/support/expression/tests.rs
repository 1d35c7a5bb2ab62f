use proptest::prelude::*;

use super::*;

fn parse(text: &str) -> Expression {
    text.parse().unwrap_or_else(|error| panic!("`{text}`: {error}"))
}

/// The message for `text`, which is no expression.
fn error(text: &str) -> String {
    text.parse::<Expression>().expect_err(text).to_string()
}

#[test]
fn the_example_of_the_paper() {
    let expression = parse("[MAX 2 9 [MIN 4 7 ] 0 ]");
    use Item::{Apply, Digit};
    let items = [
        Digit(2),
        Digit(9),
        Digit(4),
        Digit(7),
        Apply(Operator::Min),
        Digit(0),
        Apply(Operator::Max),
    ];
    assert_eq!(expression.items(), items);
    assert_eq!(expression.arguments(1), [0_usize; 0]);
    assert_eq!(expression.arguments(4), [2, 3]);
    assert_eq!(expression.arguments(6), [0, 1, 4, 5]);
    assert_eq!(expression.answers(), [2, 9, 4, 7, 4, 0, 9]);
    assert_eq!(expression.answer(), 9);
    assert_eq!(expression.depth(), 2);
    assert_eq!(expression.token_count(), 9);
    assert_eq!(Expression::from_tokens(expression.tokens()), Ok(expression));
}

#[test]
fn every_operator() {
    for (text, answer) in [
        ("7", 7),
        ("[MIN 3 ]", 3),
        ("[MIN 5 2 8 ]", 2),
        ("[MAX 5 2 8 ]", 8),
        ("[MED 4 ]", 4),
        ("[MED 9 0 1 ]", 1),
        ("[MED 1 2 ]", 1),
        ("[MED 9 1 8 2 ]", 5),
        ("[SM 4 ]", 4),
        ("[SM 5 5 ]", 0),
        ("[SM 9 9 9 9 9 ]", 5),
    ] {
        assert_eq!(parse(text).answer(), answer, "{text}");
    }
}

#[test]
fn spaces_are_free_between_tokens() {
    assert_eq!(parse("  [SM\t1   2\n] ").to_string(), "[SM 1 2 ]");
}

#[test]
fn errors_name_the_token_and_its_position() {
    for (text, message) in [
        ("", "there is no expression: the input is empty"),
        (" \n", "there is no expression: the input is empty"),
        ("[MAX 1 [AVG 2 ] ]", "token 3, `[AVG`: the operators are [MIN, [MAX, [MED and [SM"),
        ("[ MAX 1 ]", "token 1, `[`: the operators are [MIN, [MAX, [MED and [SM"),
        ("[max 1 ]", "token 1, `[max`: the operators are [MIN, [MAX, [MED and [SM"),
        ("[MAX 1 10 ]", "token 3, `10`: a digit is one of 0 to 9"),
        ("-1", "token 1, `-1`: a digit is one of 0 to 9"),
        ("[SM 1 2]", "token 3, `2]`: expected a digit, an operator such as `[MAX`, or `]`"),
        ("[SM 1 [MIN ] ]", "token 3, `[MIN`: the operator has no arguments"),
        ("[SM 1 [MIN 2 ]", "token 1, `[SM`: the bracket is never closed"),
        ("[SM 1 [MIN 2", "token 3, `[MIN`: the bracket is never closed"),
        ("]", "token 1, `]`: there is no open bracket to close"),
        ("[SM 1 ] ]", "token 4, `]`: there is no open bracket to close"),
        ("1 2", "token 2, `2`: the expression has already ended"),
        ("[SM 1 ] [SM 2 ]", "token 4, `[SM`: the expression has already ended"),
    ] {
        assert_eq!(error(text), message, "{text}");
    }
    assert_eq!(
        Expression::from_tokens([Token::Digit(10)]),
        Err(ParseError::DigitOutOfRange { token: "10".to_owned(), position: 1 }),
    );
}

#[test]
fn depth_does_not_exhaust_the_stack() {
    const DEPTH: usize = 100_000;
    let text = format!("{}7{}", "[SM 1 ".repeat(DEPTH), " ]".repeat(DEPTH));
    let expression = parse(&text);
    assert_eq!(expression.depth(), DEPTH);
    assert_eq!(expression.token_count(), 3 * DEPTH + 1);
    // The sum of DEPTH ones, a multiple of ten, and 7.
    assert_eq!(expression.answer(), 7);
    assert_eq!(expression.to_string(), text);
}

/// An expression as one would write it without regard to depth: the oracle.
#[derive(Clone, Debug)]
enum Naive {
    Digit(u8),
    Apply(&'static str, Vec<Naive>),
}

impl Naive {
    fn text(&self) -> String {
        match self {
            Self::Digit(digit) => digit.to_string(),
            Self::Apply(name, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(Self::text).collect();
                format!("[{name} {} ]", arguments.join(" "))
            }
        }
    }

    /// The answer; those of all sub-expressions go to `all`, arguments first.
    fn answer(&self, all: &mut Vec<u8>) -> u8 {
        let answer = match self {
            Self::Digit(digit) => *digit,
            Self::Apply(name, arguments) => {
                let digits: Vec<u8> = arguments.iter().map(|one| one.answer(all)).collect();
                // Another way than the module's: by how often each digit occurs.
                let count = |digit| digits.iter().filter(|&&other| other == digit).count();
                let sorted: Vec<u8> = (0..10).flat_map(|digit| vec![digit; count(digit)]).collect();
                let middle = (sorted.len() - 1) as f64 / 2.0;
                match *name {
                    "MIN" => sorted[0],
                    "MAX" => sorted[sorted.len() - 1],
                    "MED" => {
                        let below = f64::from(sorted[middle.floor() as usize]);
                        let above = f64::from(sorted[middle.ceil() as usize]);
                        ((below + above) / 2.0) as u8
                    }
                    _ => (sorted.into_iter().map(u32::from).sum::<u32>() % 10) as u8,
                }
            }
        };
        all.push(answer);
        answer
    }

    fn depth(&self) -> usize {
        match self {
            Self::Digit(_) => 0,
            Self::Apply(_, arguments) => {
                1 + arguments.iter().map(Self::depth).max().unwrap_or_default()
            }
        }
    }
}

fn naive() -> impl Strategy<Value = Naive> {
    (0..10u8).prop_map(Naive::Digit).prop_recursive(6, 200, 6, |inner| {
        let name = prop::sample::select(vec!["MIN", "MAX", "MED", "SM"]);
        (name, prop::collection::vec(inner, 1..=6))
            .prop_map(|(name, arguments)| Naive::Apply(name, arguments))
    })
}

proptest! {
    #[test]
    fn agrees_with_a_naive_evaluator(naive in naive()) {
        let text = naive.text();
        let expression = parse(&text);
        let mut answers = Vec::new();
        let answer = naive.answer(&mut answers);
        prop_assert_eq!(expression.answers(), answers);
        prop_assert_eq!(expression.answer(), answer);
        prop_assert_eq!(expression.depth(), naive.depth());
        prop_assert_eq!(expression.token_count(), text.split(' ').count());
        prop_assert_eq!(expression.to_string(), text);
    }

    #[test]
    fn any_tokens_parse_or_are_refused(
        tokens in prop::collection::vec(
            prop::sample::select(vec!["[MIN", "[SM", "]", "]", "3", "8", "12", "[X", "é"]),
            0..12,
        ),
    ) {
        let text = tokens.join(" ");
        if let Ok(expression) = text.parse::<Expression>() {
            prop_assert_eq!(expression.to_string(), text);
        }
    }
}
