//! What is printed, read again, drawn, and shown in the book.

use std::fs;
use std::path::PathBuf;

use clap::Parser;

use super::*;
use crate::table::{digits, number};
use crate::tests::{item, machine, scope};
use crate::{Cli, PAPERS, items, run};

/// The report of the book's chapter.
const MEASURED: &str = "benches/log/papers.json";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn numbers_have_three_digits_and_are_found_again() {
    let shown = [0.0, 12345.6, 12.34, 0.25, 0.0123456, 0.000123456, 5e-12].map(digits);
    assert_eq!(shown, ["0.00", "12346", "12.3", "0.250", "0.0123", "0.000123", "0.000000000"]);
    let numbers = ["900 (B64, 25 %)", "1.50 (30)", "60.0 and more", "-1", "1e3"].map(number);
    assert_eq!(numbers, [900.0, 1.5, 60.0, -1.0, 1e3].map(Some));
    for none in ["", " ", "NaN", "inf", "-inf", "1e999", "over 60", "(30)", "no CPU answers"] {
        assert_eq!(number(none), None, "{none}");
    }
}

/// Every item says what the paper has, what is measured here, and what to know of both.
#[test]
fn items_have_words() {
    for item in items() {
        let text = section(&item, &Table::default());
        for line in
            [&[item.measured, item.hardware, item.here][..], &item.said().collect::<Vec<_>>()]
                .concat()
        {
            assert!(line.ends_with('.') && !line.contains("  "), "{}: `{line}`", item.name);
            assert!(text.contains(line), "{text}");
        }
        assert!(item.said().next().is_some(), "{}", item.name);
        assert!(text.starts_with(&format!("### {}: {}\n\n**The paper:** ", item.name, item.title)));
    }
}

/// In the run that the book shows, each row has a figure of its paper beside it, is one of the paper or says why it
/// has no numbers; or the item says why there are others.
#[test]
fn rows_have_a_figure_of_the_paper_or_a_reason() {
    let report = Report::read(&root().join(MEASURED), &items()).unwrap();
    let mut checked = 0;
    for item in items() {
        let Some(table) = report.table(&item) else { continue };
        let of_paper: Vec<usize> = (0..table.columns.len())
            .filter(|place| table.columns[*place].contains("paper"))
            .collect();
        let stands_alone = |row: &&Vec<String>| {
            let is_answered = |cell: &String| cell == "paper" || cell.starts_with("not measured: ");
            of_paper.iter().all(|place| row[*place].is_empty()) && !row.iter().any(is_answered)
        };
        let alone = table.rows.iter().find(stands_alone);
        assert_eq!(alone.is_some(), item.alone.is_some(), "{}: {alone:?}", item.name);
        checked += 1;
    }
    assert!(checked > 20, "{checked}");
    // Whoever reads the JSON finds the reason there.
    let fig9 = item("ed-batch/fig9");
    let printed = serde_json::to_value(Measured::new(&fig9, &Table::default())).unwrap();
    let said = printed["said"].as_array().unwrap();
    assert!(said.iter().any(|line| line.as_str() == fig9.alone), "{said:?}");
}

fn head() -> Head {
    Head::new(&machine("abc"), &scope(true))
}

/// What `--json` prints.
fn printed(tables: &[(&str, Table)]) -> String {
    let mut text = serde_json::to_string(&head()).unwrap() + "\n";
    for (name, table) in tables {
        let one = Measured { item: (*name).to_owned(), table: table.clone(), said: Vec::new() };
        text += &(serde_json::to_string(&one).unwrap() + "\n");
    }
    text
}

#[test]
fn a_report_is_read_again() {
    let mut small = Table::new(["policy", "batches | bound"]);
    small.row(["depth", "9"]);
    small.note("Some of this was measured on another day.");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let read = |text: &str| {
        fs::write(&path, text).unwrap();
        Report::read(&path, &items())
    };
    let text = printed(&[("ed-batch/fig1", small.clone()), ("cavs/fig9a", Table::default())]);
    let report = read(&text).unwrap();
    assert_eq!(report.head, head());
    assert_eq!(report.table(&item("ed-batch/fig1")), Some(&small));
    assert_eq!(report.table(&item("cavs/fig9b")), None);

    let made = chapter(&report, &PAPERS);
    for item in items() {
        let word = item.word();
        assert_eq!(made.matches(&format!("// ANCHOR: {word}\n### {}", item.name)).count(), 1);
        assert_eq!(made.matches(&format!("// ANCHOR_END: {word}\n")).count(), 1);
    }
    assert!(
        made.contains("a processor; 2 threads; 2026-11-27; revision abc; drawn instances; quick")
    );
    assert!(made.contains("| depth | 9 |") && made.contains("It has not been measured there."));

    let error = |text: &str| read(text).unwrap_err().to_string();
    for (wrong, why) in [
        (String::new(), "it is empty"),
        (text[..text.len() - 9].to_owned(), "EOF"),
        (text.lines().skip(1).collect(), "missing field `machine`"),
        (printed(&[("ed-batch/fig99", small.clone())]), "no item `ed-batch/fig99`"),
        (text.clone() + text.lines().nth(1).unwrap(), "`ed-batch/fig1` has two tables"),
        (text.replace("[\"depth\",\"9\"]", "[\"depth\"]"), "not as long as its heading"),
        (text.clone() + "[]", "expected"),
    ] {
        let error = error(&wrong);
        assert!(error.contains("report.json") && error.contains(why), "{error}");
        assert!(error.contains("expected what `papers --json` prints"), "{error}");
    }
    let error = Report::read(&folder.path().join("none.json"), &items()).unwrap_err().to_string();
    assert!(error.contains("none.json"), "{error}");
}

fn ran(arguments: &[&str]) -> std::result::Result<(), String> {
    let cli = Cli::try_parse_from([&["papers"], arguments].concat());
    run(&cli.map_err(|error| error.to_string())?).map_err(|error| error.to_string())
}

#[test]
fn what_is_read_again_is_not_measured() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    fs::write(&path, printed(&[("ed-batch/fig1", Table::default())])).unwrap();
    let file = path.to_str().unwrap();
    assert_eq!(ran(&["--from", file]), Ok(()));
    assert_eq!(ran(&["--from", file, "--json", "--only", "ed-batch"]), Ok(()));
    let error = ran(&["--from", file, "--only", "cavs"]).unwrap_err();
    assert!(error.contains("report.json: none of these items is there"), "{error}");
    for option in ["--list", "--quick", "--fresh", "--threads=2", "--data=.", "--peers=peers.json"]
    {
        let error = ran(&["--from", file, option]).unwrap_err();
        assert!(error.contains("cannot be used with"), "{error}");
    }
}

/// `EDB_BLESS=1` writes what the book shows.
#[test]
fn the_book_shows_what_was_measured() {
    let report = Report::read(&root().join(MEASURED), &items()).unwrap();
    let made = chapter(&report, &PAPERS);
    let path = root().join("book/src/figures/papers.md");
    if std::env::var_os("EDB_BLESS").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap();
    assert!(found == made, "book/src/figures/papers.md is another now: EDB_BLESS=1 makes it anew");
    let shown = fs::read_to_string(root().join("book/src/papers.md")).unwrap();
    let shown: Vec<&str> = (shown.lines())
        .filter_map(|line| line.strip_prefix("{{#include figures/papers.md:")?.strip_suffix("}}"))
        .collect();
    let mut words = vec!["head".to_owned()];
    for paper in PAPERS {
        words.push(paper.title.to_lowercase());
        words.extend(paper.items.iter().map(Item::word));
    }
    assert_eq!(shown, words);
}

#[cfg(not(feature = "plots"))]
#[test]
fn plots_need_a_feature() {
    let error = ran(&["--plots", "figures", "--only", "cavs"]).unwrap_err();
    assert!(error.contains("--features plots"), "{error}");
}

#[cfg(feature = "plots")]
mod plots {
    use serde_json::json;

    use super::*;
    use crate::item::Found;
    use crate::job::Program;
    use crate::peers::Peers;
    use crate::rows::Rows;
    use crate::tests::{peers, peers_of, schedule, speed, table, with, with_peers};

    fn draw(item: &Item, table: &Table) -> String {
        let folder = tempfile::tempdir().unwrap();
        super::super::draw(folder.path(), &head(), item, table).unwrap();
        let path = folder.path().join(item.word());
        let png = fs::read(path.with_extension("png")).unwrap();
        assert!(png.starts_with(b"\x89PNG") && png.len() > 1000, "{}", item.name);
        fs::read_to_string(path.with_extension("svg")).unwrap()
    }

    fn has_all(name: &str, svg: &str, texts: &[&str]) {
        let item = item(name);
        for text in [&[name, item.title, "a processor"], texts].concat() {
            let text = text.replace('\'', "&apos;");
            assert!(svg.contains(&text), "{name}: no `{text}` in {svg}");
        }
    }

    /// Draws an item of rows of `workloads`.
    fn of_speeds(name: &str, rows: &[Value], texts: &[&str]) {
        let table = table(name, Program::Workloads, rows);
        has_all(name, &draw(&item(name), &table), texts);
    }

    #[test]
    fn figures_of_throughput_have_their_title_and_series() {
        let folder = tempfile::tempdir().unwrap();
        let beside = peers(folder.path(), "infer");
        let of = |mode, sizes, rate| speed("tree-lstm", mode, sizes, rate);
        let rows = [
            of("infer", [64, 64], 900.0),
            of("infer", [256, 64], 90.0),
            of("train", [64, 64], 300.0),
        ];
        let table = with_peers("ed-batch/fig6", Program::Workloads, &rows, &beside);
        let svg = draw(&item("ed-batch/fig6"), &table);
        let texts = [
            "edb, infer",
            "edb, train",
            "fastest peer, infer",
            "edb beside it, infer",
            "instances/s",
        ];
        has_all("ed-batch/fig6", &svg, &texts);
        has_all(
            "ed-batch/fig6",
            &svg,
            &["TreeLSTM (paper, divided by Cavs DyNet on its CPU: 1.63)", "256"],
        );

        let rows =
            [speed("tree-lstm", "infer", [64, 64], 9.0), speed("tree-gru", "infer", [64, 64], 9.0)];
        let texts = ["construction, ms", "scheduling, ms", "execution, %", "TreeLSTM", "TreeGRU"];
        of_speeds("ed-batch/fig9", &rows, &texts);

        let of = |policy| schedule("lattice", policy, 30);
        let rows = ["depth", "fsm-sort", "default", "offline"].map(of);
        let table = crate::tests::table("ed-batch/fig7", Program::Policies, &rows);
        let texts = ["depth", "FSM sort", "edb's default", "paper: FSM sort", "lattice"];
        has_all("ed-batch/fig7", &draw(&item("ed-batch/fig7"), &table), &texts);
    }

    #[test]
    fn figures_of_epochs_have_their_title_and_series() {
        let of = |workload, sizes| speed(workload, "train", sizes, 100.0);
        for (letter, workload, stated) in [
            ("a", "fixed-lstm", "paper: Cavs / batch size 1, 512 units"),
            ("b", "language-model", ""),
            ("c", "tree-fc", ""),
            ("d", "tree-lstm-child-sum", "paper: Cavs, computation, s (table 1)"),
        ] {
            let rows = [1, 64, 256].map(|batch| of(workload, [512, batch]));
            let texts = ["edb, s an epoch", "edb / batch size 1", "batch size", stated];
            of_speeds(&format!("cavs/fig8{letter}"), &rows, &texts);
        }
        let folder = tempfile::tempdir().unwrap();
        let beside = peers_of(folder.path(), "tree-lstm-child-sum", "train");
        for (letter, workload) in [("e", "fixed-lstm"), ("f", "language-model"), ("g", "tree-fc")] {
            let rows = [64, 512].map(|hidden| of(workload, [hidden, 64]));
            of_speeds(
                &format!("cavs/fig8{letter}"),
                &rows,
                &["edb, s an epoch", "hidden units", "512"],
            );
        }
        let rows = [64, 512].map(|hidden| of("tree-lstm-child-sum", [hidden, 64]));
        let table = with_peers("cavs/fig8h", Program::Workloads, &rows, &beside);
        let texts = ["edb, s an epoch", "fastest peer, s an epoch", "edb beside it, s an epoch"];
        has_all("cavs/fig8h", &draw(&item("cavs/fig8h"), &table), &texts);

        let tree = |leaves: usize| with(of("tree-fc", [512, 64]), json!({"leaves": leaves}));
        let texts =
            ["edb: construction, s", "edb: construction, % of all", "paper: Fold, % of all"];
        of_speeds("cavs/fig9a", &[tree(32), tree(1024)], &texts);
        let rows = [1, 16].map(|batch| of("tree-lstm-child-sum", [512, batch]));
        let texts =
            ["edb: construction, s", "edb: construction, % of all", "paper: Fold, one thread"];
        of_speeds("cavs/fig9b", &rows, &texts);

        let off =
            |off: &[&str]| with(of("tree-lstm-child-sum", [64, 64]), json!({"disabled": off}));
        let rows = [
            off(&["compiled", "lazy", "fusion"]),
            off(&["compiled", "fusion"]),
            off(&["compiled"]),
        ];
        let texts =
            ["lazy batching", "both", "64 hidden units", "paper, about", "tree-lstm-child-sum"];
        of_speeds("cavs/fig10", &rows, &texts);
    }

    #[test]
    fn figures_of_derivatives_have_their_title_and_series() {
        let rows = [1, 64].map(|batch| speed("language-model", "infer", [256, batch], 10.0));
        of_speeds("pfor/fig1", &rows, &["edb, examples/s", "examples/s", "batch size"]);
        let row = json!({
            "model": "lstm", "hidden": 256, "graphs": 256, "plain_per_s": 4e3, "norms_per_s": 3e3,
            "clipped_per_s": 2e3, "one_by_one_per_s": 1e3,
        });
        let found = table("pfor/fig2", Program::Private, &[row]);
        let texts = [
            "edb (lstm, 256 hidden units)",
            "one at a time (lstm, 256 hidden units)",
            "paper, GPU (lstm, 256 hidden units)",
        ];
        has_all("pfor/fig2", &draw(&item("pfor/fig2"), &found), &texts);
        let row = json!({"hidden": 128, "width": 32, "together_ms": 4.0, "one_by_one_ms": 32.0});
        let found = table("pfor/fig3", Program::Derivatives, &[row]);
        let texts =
            ["edb (input 32)", "one at a time (input 32)", "paper, GPU (input 32)", "rows/s"];
        has_all("pfor/fig3", &draw(&item("pfor/fig3"), &found), &texts);
    }

    /// Pictures are drawn of whatever a table has.
    #[test]
    fn figures_of_odd_tables_are_drawn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("figure.svg");
        let draw = |item: &Item, table: &Table| {
            plot::picture(&path, &item.picture.unwrap()(table)).unwrap();
        };
        let odd = ["", "NaN", "inf", "0", "-1", "1e-300", "1e300", "not measured"];
        // Columns that are left out where nothing is in them, or that rows bring along.
        let more = [
            "graphs",
            "64 units",
            "edb, s an epoch",
            "edb / batch size 1",
            "hidden",
            "batch size",
            "leaves",
            "edb: construction, s",
            "edb: construction, % of all",
        ];
        for item in items().into_iter().filter(|item| item.picture.is_some()) {
            let (scope, rows, peers) = (scope(true), Rows::default(), Peers::default());
            let none = (item.table)(&Found { scope: &scope, rows: &rows, peers: &peers });
            draw(&item, &none);
            draw(&item, &Table::default());
            let columns = none.columns.iter().map(String::as_str).chain(more);
            let mut all = Table::new(columns);
            for cell in odd {
                let mut one = Table::new(all.columns.clone());
                one.row(vec![cell; all.columns.len()]);
                draw(&item, &one);
                all.row(vec![cell; all.columns.len()]);
            }
            draw(&item, &all);
        }
    }

    #[test]
    fn plots_are_of_figures() {
        let error = ran(&["--plots", "figures", "--only", "ed-batch/table1"]).unwrap_err();
        assert!(error.contains("none of these items is a figure"), "{error}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.json");
        let rows = [speed("tree-lstm-child-sum", "train", [64, 64], 100.0)];
        let table = table("cavs/fig8h", Program::Workloads, &rows);
        fs::write(&path, printed(&[("cavs/fig8h", table), ("ed-batch/fig1", Table::default())]))
            .unwrap();
        let figures = folder.path().join("figures");
        assert_eq!(
            ran(&["--from", path.to_str().unwrap(), "--plots", figures.to_str().unwrap()]),
            Ok(())
        );
        let mut names: Vec<_> =
            fs::read_dir(figures).unwrap().map(|file| file.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["cavs-fig8h.png", "cavs-fig8h.svg"]);
        // A folder in which nothing can be written.
        let error = ran(&["--from", path.to_str().unwrap(), "--plots", path.to_str().unwrap()])
            .unwrap_err();
        assert!(error.contains("report.json"), "{error}");
    }
}
