use std::collections::{HashMap, HashSet};

use super::*;

const ALL: [Transition; 3] = [Shift, Left(0), Right(0)];

/// The trees of so many words, as the heads of the words: one is the artificial root's.
fn trees(words: usize) -> Vec<Vec<Arc>> {
    let count = (words + 1).pow(words as u32);
    let heads = (0..count).map(|number| -> Vec<Arc> {
        let head = |word| (number / (words + 1).pow(word) % (words + 1), 0);
        (0..words as u32).map(head).collect()
    });
    heads.filter(|tree| is_tree(tree)).collect()
}

fn is_tree(tree: &[Arc]) -> bool {
    let root = tree.len();
    let above = |word: usize| tree.get(word).map_or(root, |(head, _)| *head);
    let leads_up = |word| (0..=root).fold(word, |word, _| above(word)) == root;
    tree.iter().filter(|(head, _)| *head == root).count() == 1 && (0..root).all(leads_up)
}

/// Whether no arcs cross, that of the artificial root included.
fn is_projective(tree: &[Arc]) -> bool {
    let spans: Vec<_> = tree
        .iter()
        .enumerate()
        .map(|(word, (head, _))| (word.min(*head), word.max(*head)))
        .collect();
    let crosses = |(a, b): (usize, usize), (c, d)| a < c && c < b && b < d;
    spans.iter().all(|one| spans.iter().all(|other| !crosses(*one, *other)))
}

/// What a transition leads to, and whether it finds a gold arc.
fn after(parse: &Parse, transition: Transition) -> (Parse, usize) {
    let mut next = parse.clone();
    next.take(transition);
    let found = parse.stack.last().filter(|_| transition != Shift);
    let is_gold = |word: &usize| next.arcs[*word] == next.gold[*word];
    let found = usize::from(found.is_some_and(is_gold));
    (next, found)
}

/// How many more gold arcs can be found, by trying all sequences of transitions.
fn reachable(parse: &Parse, known: &mut HashMap<(Vec<usize>, usize), usize>) -> usize {
    let key = (parse.stack.clone(), parse.next);
    if let Some(most) = known.get(&key) {
        return *most;
    }
    let mut most = 0;
    for transition in ALL.into_iter().filter(|t| parse.allows(*t)) {
        let (next, found) = after(parse, transition);
        most = most.max(found + reachable(&next, known));
    }
    known.insert(key, most);
    most
}

/// All that is reachable, by right and by wrong transitions.
fn states(gold: &[Arc]) -> Vec<Parse> {
    let (mut states, mut seen) = (vec![Parse::new(gold.to_vec())], HashSet::new());
    let mut place = 0;
    while let Some(parse) = states.get(place).cloned() {
        for transition in ALL.into_iter().filter(|t| parse.allows(*t)) {
            let (next, _) = after(&parse, transition);
            if seen.insert((next.stack.clone(), next.next)) {
                states.push(next);
            }
        }
        place += 1;
    }
    states
}

#[test]
fn costs_are_what_brute_force_finds() {
    let mut checked = 0;
    for gold in (1..6).flat_map(trees).filter(|tree| is_projective(tree)) {
        let mut known = HashMap::new();
        for parse in states(&gold) {
            let most = reachable(&parse, &mut known);
            for transition in ALL.into_iter().filter(|t| parse.allows(*t)) {
                let (next, found) = after(&parse, transition);
                let cost = most - found - reachable(&next, &mut known);
                assert_eq!(parse.cost(transition), cost, "{transition:?} in {parse:?}");
                checked += 1;
            }
            // One of them costs nothing, unless the sentence is parsed.
            let right = parse.right();
            assert_eq!(right.is_empty(), parse.is_done(), "{parse:?}");
            assert!(right.iter().all(|transition| parse.cost(*transition) == 0), "{parse:?}");
        }
    }
    assert!(checked > 10_000);
}

#[test]
fn trees_that_are_not_projective_are_parsed() {
    let crossed: Vec<_> = trees(5).into_iter().filter(|tree| !is_projective(tree)).collect();
    assert!(crossed.len() > 100);
    for gold in crossed {
        // From wherever the parser is, the oracle leads to a tree.
        for mut parse in states(&gold) {
            while !parse.is_done() {
                let best = parse.right()[0];
                assert!(parse.allows(best));
                parse.take(best);
            }
            assert!(is_tree(&parse.arcs), "{parse:?}");
        }
        // From the start, some arcs of the tree are found.
        let mut parse = Parse::new(gold);
        while !parse.is_done() {
            parse.take(parse.right()[0]);
        }
        assert!(parse.arcs.iter().zip(&parse.gold).any(|(arc, gold)| arc == gold));
    }
}

#[test]
fn transitions_have_numbers() {
    let all = (0..Transition::count(2)).map(Transition::new).collect::<Vec<_>>();
    assert_eq!(all, [Shift, Left(0), Right(0), Left(1), Right(1)]);
}
