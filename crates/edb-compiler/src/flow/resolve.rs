//! Branches on what is pulled are resolved before anything runs: each way through them is a
//! *variant* of the function, a program of its own, as if a person had written a function for each.
//!
//! A vertex is of one variant, which its input says when graphs are laid out. So such a branch costs
//! no decision: graphs are scheduled whole. What variants have in common runs apart, as it does
//! where two functions are written; so only a branch that would cost sections makes variants, and one
//! on whether there is input, where the other arm has nothing to read.

use std::collections::HashMap;

use edb_ir::{
    Begin, Block, Branch, Choice, Compared, Flow, Indexing, Leaf, Op, Pointwise, Program, Question,
    Step, ValueId,
};

use super::rewrite::{BranchBecomes, rewrite};
use super::select::is_cheap;

/// A function has at most this many variants: branches that would make more run as sections.
const MOST_VARIANTS: usize = 32;

/// The ways through the branches on what is pulled.
#[derive(Debug)]
pub struct Resolved {
    /// Each way: a function without these branches.
    pub variants: Vec<Flow>,
    /// Which vertices are of which; sections are numbered as the variants are.
    pub choices: Vec<Choice>,
}

/// Resolves the branches on what is pulled.
pub fn resolve(flow: Flow) -> Resolved {
    let program = &flow.program;
    let mut merges = HashMap::new();
    note_merges(&flow.body, &mut merges);
    let known = Known { program, merges };
    let mut ways = Ways { known: &known, body: &flow.body, all: Vec::new(), choices: Vec::new() };
    ways.explore(&mut Vec::new());
    let Ways { all, choices, .. } = ways;
    if choices.is_empty() {
        return Resolved { variants: vec![flow], choices };
    }
    let variant = |facts: &Vec<Fact>| {
        let form = |branch: &Branch| match known.truth(branch.condition, facts) {
            Truth::Is(holds) => BranchBecomes::Arm(usize::from(!holds)),
            Truth::Asks(_) | Truth::Computed => BranchBecomes::Branch,
        };
        let has_input = known.answer(Question::HasInput, facts);
        let variant = rewrite(&flow, has_input, form);
        let mut variant = variant.expect("a variant is smaller than its function");
        variant.program.name = name(program, facts);
        variant
    };
    let mut variants: Vec<Flow> = all.iter().map(variant).collect();
    // Vertices are added as those of the function.
    variants[0].program.name.clone_from(&program.name);
    Resolved { variants, choices }
}

/// The name of a variant: `f.operator == 2`, `f.no input`.
fn name(program: &Program, facts: &[Fact]) -> String {
    let sure = facts.iter().filter_map(|fact| match fact {
        (Question::HasInput, true) | (Question::Same { .. }, false) => None,
        (Question::HasInput, false) => Some("no input".to_owned()),
        (asked, true) => Some(asked.describe(program).to_string()),
    });
    let sure: Vec<String> = sure.collect();
    match sure.is_empty() {
        true => format!("{}.else", program.name),
        false => format!("{}.{}", program.name, sure.join(", ")),
    }
}

/// The answer to a question.
type Fact = (Question, bool);

/// What is known of a condition beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Truth {
    /// Whether it holds.
    Is(bool),
    /// It hangs on the answer to a question first.
    Asks(Question),
    /// It hangs on what a vertex computes.
    Computed,
}

/// What is known of the conditions of a function.
struct Known<'a> {
    program: &'a Program,
    /// The branch behind which a variable is what it is.
    merges: HashMap<ValueId, (ValueId, [ValueId; 2])>,
}

fn note_merges(block: &Block, merges: &mut HashMap<ValueId, (ValueId, [ValueId; 2])>) {
    for step in &block.steps {
        match step {
            Step::Value(_) | Step::Loss(_) | Step::Push(_) | Step::Children(_) => {}
            Step::Branch(branch) => {
                for merge in &branch.merges {
                    merges.insert(merge.value, (branch.condition, merge.from));
                }
                branch.arms.iter().for_each(|arm| note_merges(arm, merges));
            }
            Step::Loop(repeat) => note_merges(&repeat.body, merges),
        }
    }
}

impl Known<'_> {
    /// Whether a condition holds, by what is known.
    fn truth(&self, condition: ValueId, facts: &[Fact]) -> Truth {
        let value = self.program.value(condition);
        let of = |id: ValueId| self.truth(id, facts);
        let either = |condition: ValueId, then: ValueId, other: ValueId| match of(condition) {
            Truth::Is(true) => of(then),
            Truth::Is(false) => of(other),
            unknown => unknown,
        };
        match (&value.op, &value.args[..]) {
            (Op::Leaf(Leaf::Constant(number)), _) => Truth::Is(*number != 0.0),
            (Op::Leaf(Leaf::HasInput), _) => match self.answer(Question::HasInput, facts) {
                Some(has) => Truth::Is(has),
                None => Truth::Asks(Question::HasInput),
            },
            (Op::Leaf(Leaf::Merge), _) => match self.merges.get(&condition) {
                Some((condition, [then, other])) => either(*condition, *then, *other),
                None => Truth::Computed,
            },
            (Op::Indexing(Indexing::Same), &[a, b]) => self.same(a, b, facts),
            // As conditions are joined: not, and, or.
            (Op::Pointwise(Pointwise::Sub), &[one, mask])
                if self.program.value(one).op == Op::Leaf(Leaf::Constant(1.0)) =>
            {
                match of(mask) {
                    Truth::Is(holds) => Truth::Is(!holds),
                    unknown => unknown,
                }
            }
            (Op::Pointwise(Pointwise::Mask), &[mask, other]) => match of(mask) {
                Truth::Is(true) => of(other),
                unknown => unknown,
            },
            (Op::Pointwise(Pointwise::Select), &[condition, then, other]) => {
                either(condition, then, other)
            }
            _ => Truth::Computed,
        }
    }

    /// Whether two indices are the same.
    fn same(&self, a: ValueId, b: ValueId, facts: &[Fact]) -> Truth {
        let asked = match (self.index(a), self.index(b)) {
            (Some(Compared::Number(a)), Some(Compared::Number(b))) => return Truth::Is(a == b),
            // In one order, so that it is one question.
            (Some(Compared::Field(a)), Some(Compared::Field(b))) => {
                Question::Same { field: a.min(b), with: Compared::Field(a.max(b)) }
            }
            (Some(Compared::Field(field)), Some(with))
            | (Some(with), Some(Compared::Field(field))) => Question::Same { field, with },
            _ => return Truth::Computed,
        };
        match self.answer(asked, facts) {
            Some(holds) => Truth::Is(holds),
            None => Truth::Asks(asked),
        }
    }

    /// The answer to a question, as far as it is known.
    fn answer(&self, asked: Question, facts: &[Fact]) -> Option<bool> {
        let number = |question: Question| match question {
            Question::Same { field, with: Compared::Number(_) } => Some(field),
            _ => None,
        };
        facts.iter().find_map(|&(known, holds)| match number(asked) {
            _ if known == asked => Some(holds),
            // It is another number.
            Some(field) if holds && number(known) == Some(field) => Some(false),
            _ => None,
        })
    }

    /// An index that is known beforehand.
    fn index(&self, id: ValueId) -> Option<Compared> {
        let value = self.program.value(id);
        match value.op {
            Op::Leaf(Leaf::Pull(field)) => Some(Compared::Field(field)),
            Op::Indexing(Indexing::Given(index)) => Some(Compared::Number(index)),
            Op::Indexing(Indexing::Copy(_)) => self.index(value.args[0]),
            _ => None,
        }
    }

    /// Whether the function asks for the input that it may be without.
    fn asks_for_input(&self) -> bool {
        self.program.values.iter().any(|value| value.op == Op::Leaf(Leaf::HasInput))
    }

    /// The first question that a branch asks which is worth a variant.
    fn question(&self, block: &Block, facts: &[Fact]) -> Option<Question> {
        block.steps.iter().find_map(|step| match step {
            Step::Value(_) | Step::Loss(_) | Step::Push(_) | Step::Children(_) => None,
            Step::Loop(repeat) => self.question(&repeat.body, facts),
            Step::Branch(branch) => match self.truth(branch.condition, facts) {
                Truth::Is(holds) => self.question(&branch.arms[usize::from(!holds)], facts),
                Truth::Asks(question) if !is_cheap(self.program, branch) => Some(question),
                Truth::Asks(_) | Truth::Computed => {
                    branch.arms.iter().find_map(|arm| self.question(arm, facts))
                }
            },
        })
    }
}

/// The ways through a function.
struct Ways<'a> {
    known: &'a Known<'a>,
    body: &'a Block,
    all: Vec<Vec<Fact>>,
    choices: Vec<Choice>,
}

impl Ways<'_> {
    /// Finds the ways that begin with these answers.
    fn explore(&mut self, facts: &mut Vec<Fact>) -> Begin {
        // Of what is not there nothing else is asked, so this comes first.
        let asked = match facts.is_empty() && self.known.asks_for_input() {
            true => Some(Question::HasInput),
            false => self.known.question(self.body, facts),
        };
        // There will be one variant more than there are questions.
        let Some(question) = asked.filter(|_| self.choices.len() + 1 < MOST_VARIANTS) else {
            self.all.push(facts.clone());
            return Begin::Section(self.all.len() as u16 - 1);
        };
        let number = self.choices.len();
        let unknown = Begin::Section(0);
        self.choices.push(Choice { question, then: unknown, other: unknown });
        let [then, other] = [true, false].map(|holds| {
            facts.push((question, holds));
            let begin = self.explore(facts);
            facts.pop();
            begin
        });
        self.choices[number] = Choice { question, then, other };
        Begin::Choice(number as u16)
    }
}
