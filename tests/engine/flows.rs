//! Functions with branches and loops that were built by hand, and wrongly: errors that name the value.

use edb_compiler::compile_flow;
use edb_core::model::{Model, ModelBuilder, Setup};
use edb_core::testing::TestBuilder;
use edb_ir::{
    Begin, Builder, Choice, Compared, Contraction, Dim, Flow, FunctionId, Indexing, Joint, Plan,
    Pointwise, Question, Reduction, Shape, Step,
};

/// A branch on what is pulled, with a product in one arm.
fn branching() -> Flow {
    let mut b = Builder::new("f", vec!["H".into(), "K".into()]);
    let w = b.param("w", Shape::matrix(Dim::name(0), Dim::name(0)));
    let v = b.param("v", Shape::vector(Dim::name(1)));
    b.input("In");
    let (x, kind) = (b.pull("x"), b.pull_index("kind"));
    let given = b.given(1);
    let condition = b.apply(Indexing::Same, &[kind, given]).unwrap();
    b.begin_block();
    let y = b.apply(Contraction::Dot, &[w, x]).unwrap();
    let then = b.end_block();
    b.begin_block();
    let other = b.end_block();
    let h = b.behind([y, x]).unwrap();
    b.branch(condition, [then, other]);
    let state = b.state("S");
    b.scatter(state, &[("h", h), ("v", v)]).unwrap();
    b.finish_flow().unwrap()
}

/// A function that pushes an item of a list.
fn listing() -> Flow {
    let mut b = Builder::new("f", vec!["H".into()]);
    let v = b.param("v", Shape::vector(Dim::name(0)));
    b.input("In");
    let x = b.pull("x");
    b.push_item("Out", &[("x", x), ("v", v)]).unwrap();
    b.push_item("Out", &[("v", v), ("x", x)]).unwrap();
    b.finish_flow().unwrap()
}

fn build(add: impl FnOnce(&mut ModelBuilder, Setup) -> FunctionId) -> Result<Model, String> {
    let mut builder = ModelBuilder::new();
    add(&mut builder, Setup::new().dim("H", 3).dim("K", 2));
    builder.build(0).map_err(|error| error.to_string())
}

fn build_flow(change: impl FnOnce(&mut Flow)) -> Result<Model, String> {
    let mut flow = branching();
    change(&mut flow);
    build(|builder, setup| builder.add_flow(flow, compile_flow, setup))
}

#[test]
fn what_breaks_a_rule_is_named() {
    build_flow(|_| ()).unwrap();
    // The product is computed nowhere.
    let error = build_flow(|flow| {
        flow.body.steps.iter_mut().for_each(|step| {
            if let Step::Branch(branch) = step {
                branch.arms[0].steps.clear();
            }
        });
    });
    let error = error.unwrap_err();
    assert!(error.contains("`f`") && error.contains("not computed on every way"), "{error}");
    // Arms of two shapes.
    let error = build_flow(|flow| {
        let v = flow.program.scatter[1];
        flow.body.steps.iter_mut().for_each(|step| {
            if let Step::Branch(branch) = step {
                branch.merges[0].from[1] = v;
            }
        });
    });
    let error = error.unwrap_err();
    assert!(error.contains("`f`") && error.contains("one shape"), "{error}");
    // A vector as a condition.
    let error = build_flow(|flow| {
        let h = flow.program.scatter[0];
        flow.body.steps.push(Step::Loss(h));
    });
    let error = error.unwrap_err();
    assert!(error.contains("one number for a vertex"), "{error}");
}

#[test]
fn items_of_lists_are_checked() {
    let build_list = |change: &dyn Fn(&mut Flow)| {
        let mut flow = listing();
        change(&mut flow);
        build(|builder, setup| builder.add_flow(flow, compile_flow, setup))
    };
    let item = |flow: &mut Flow, change: &dyn Fn(&mut Vec<edb_ir::ValueId>)| {
        flow.body.steps.iter_mut().for_each(|step| {
            if let Step::Push(item) = step {
                change(item);
            }
        });
    };
    for (wrong, what) in [
        (build_list(&|flow| item(flow, &|of| of.truncate(1))), "a value for each field"),
        (build_list(&|flow| flow.list = None), "a value for each field"),
        (build_list(&|flow| item(flow, &|of| of.swap(0, 1))), "one shape"),
    ] {
        let error = wrong.unwrap_err();
        assert!(error.contains("`f`") && error.contains(what), "{error}");
    }
}

#[test]
fn variants_of_a_plan_are_checked() {
    let plan = compile_flow(branching());
    let with = |change: &dyn Fn(&mut Plan)| {
        let mut plan = plan.clone();
        change(&mut plan);
        build(|builder, setup| builder.add_plan(plan, setup))
    };
    with(&|_| ()).unwrap();
    let asked = |question: Question, begin: Begin| Choice {
        question,
        then: Begin::Section(0),
        other: begin,
    };
    let of = |field: u16| Question::Same { field, with: Compared::Number(1) };
    let to = |begin: Begin| asked(of(1), begin);
    for (change, what) in [
        (to(Begin::Section(7)), "a section that is not there"),
        (to(Begin::Choice(0)), "a question that asks itself"),
        (asked(of(0), Begin::Section(1)), "a tensor"),
        (asked(of(9), Begin::Section(1)), "no field"),
        (asked(Question::HasInput, Begin::Section(1)), "input that is always there"),
    ] {
        let error = with(&|plan| plan.choices = vec![change]).unwrap_err();
        assert!(error.contains("`f`") && error.contains("joined"), "{what}: {error}");
    }
    // Input that is read though a vertex may be without it.
    let error = with(&|plan| plan.program.may_lack_input = true).unwrap_err();
    assert!(error.contains("`f`") && error.contains("joined"), "{error}");
    // Without the sections that its questions and its joint name.
    let error = with(&|plan| plan.sections.clear()).unwrap_err();
    assert!(error.contains("`f`"), "{error}");
    let error = with(&|plan| {
        plan.sections.clear();
        plan.choices.clear();
        plan.joint.iter_mut().for_each(|joint| joint.targets = vec![1]);
    });
    assert!(error.unwrap_err().contains("sections that are missing"));
}

/// A product where there is input, and something else where there is none: of both, `change` makes a
/// plan that is another.
fn asking(change: &dyn Fn(&mut Plan)) -> Result<Model, String> {
    let mut b = Builder::new("f", vec!["H".into(), "K".into()]);
    let w = b.param("w", Shape::matrix(Dim::name(0), Dim::name(0)));
    let has_input = b.optional_input("In");
    b.begin_block();
    let x = b.pull("x");
    let y = b.apply(Contraction::Dot, &[w, x]).unwrap();
    let then = b.end_block();
    b.begin_block();
    let zeros = b.zeros(Dim::name(0));
    let other = b.end_block();
    let h = b.behind([y, zeros]).unwrap();
    b.branch(has_input, [then, other]);
    let sum = b.apply(Reduction::Sum, &[h]).unwrap();
    b.loss(sum).unwrap();
    b.push_output("Out", &[("y", h)]);
    let mut plan = compile_flow(b.finish_flow().unwrap());
    change(&mut plan);
    build(|builder, setup| builder.add_plan(plan, setup))
}

/// A vertex without input comes to nothing that has to do with one, and pushes what others pull.
#[test]
fn variants_without_input_are_checked() {
    asking(&|_| ()).unwrap();
    // Not only what is computed reads input, but records and gradients do, too.
    let error = asking(&|plan| plan.sections[0].program.input = plan.program.input.clone());
    assert!(error.unwrap_err().contains("joined"));
    let error = asking(&|plan| {
        let program = &mut plan.sections[0].program;
        (program.push, program.output) = (Vec::new(), None);
    });
    assert!(error.unwrap_err().contains("it pushes something else than `f`"));
    let error = asking(&|plan| {
        let program = &mut plan.sections[0].program;
        program.push = program.losses.clone();
    });
    assert!(error.unwrap_err().contains("it pushes something else than `f`"));
    // A function of one section, which says that it is one of many.
    let mut b = Builder::new("f", vec!["H".into(), "K".into()]);
    b.input("In");
    let x = b.pull("x");
    let v = b.param("v", Shape::vector(Dim::name(0)));
    let product = b.apply(Pointwise::Mul, &[x, v]).unwrap();
    let loss = b.apply(Reduction::Sum, &[product]).unwrap();
    b.loss(loss).unwrap();
    let mut plan = compile_flow(b.finish_flow().unwrap());
    (plan.program.may_lack_input, plan.joint) = (true, Some(Joint::default()));
    let error = build(|builder, setup| builder.add_plan(plan, setup)).unwrap_err();
    assert!(error.contains("it reads input that a vertex may be without"), "{error}");
}
