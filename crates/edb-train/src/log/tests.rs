//! What logs hold, and which files they go on with.

use std::fs;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

use super::*;

#[test]
fn columns_are_those_of_the_first_line() {
    let mut bytes = Vec::new();
    let mut log = CsvLog::new(&mut bytes);
    log.write(1, &[("loss", 0.5), ("f1, \"micro\"", f64::NAN)]).unwrap();
    log.write(2, &[("loss", 0.1), ("f1, \"micro\"", 1e-9)]).unwrap();
    let error = log.write(3, &[("loss", 0.1)]).unwrap_err().to_string();
    assert_eq!(error, r#"the columns are `step,loss,"f1, ""micro"""`, not `step,loss`"#);
    let error = CsvLog::new(Vec::new()).write(1, &[("a\nb", 0.1)]).unwrap_err().to_string();
    assert_eq!(error, r#"the name "a\nb" has a line break"#);
    let text = String::from_utf8(bytes).unwrap();
    assert_eq!(text, "\"step\",loss,\"f1, \"\"micro\"\"\"\n1,0.5,NaN\n2,0.1,0.000000001\n");
}

/// Logs steps from one on, as a run does that goes on there and is killed before its log is
/// closed.
fn run(mut log: Box<dyn Log>, steps: std::ops::Range<u64>, rate: f64) {
    for step in steps {
        log.write(step + 1, &[("loss", step as f64), ("a \"b\", c", rate)]).unwrap();
    }
    log.flush().unwrap();
}

/// Fault D1: what a run logged after its last checkpoint was logged twice when it went on from
/// there, below a second heading, or all before it was lost.
#[test]
fn a_run_that_goes_on_has_each_step_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let text = || fs::read_to_string(&path).unwrap();

    run(CSV(&path, 0).unwrap(), 0..5, 0.5);
    run(CSV(&path, 3).unwrap(), 3..6, 0.25);
    let heading = "\"step\",loss,\"a \"\"b\"\", c\"\n";
    let rows = "1,0,0.5\n2,1,0.5\n3,2,0.5\n4,3,0.25\n5,4,0.25\n6,5,0.25\n";
    assert_eq!(text(), format!("{heading}{rows}"));
    // A line that was not written to its end is of a step that is taken again.
    fs::write(&path, text() + "7,6").unwrap();
    run(CSV(&path, 6).unwrap(), 6..7, 0.25);
    assert_eq!(text(), format!("{heading}{rows}7,6,0.25\n"));
    let error = CsvLog::open(&path, 7).unwrap().write(8, &[("loss", 1.0)]).unwrap_err();
    assert!(error.to_string().ends_with("not `step,loss`"), "{error}");
    // A run that begins anew; one that was killed within its heading.
    for _ in 0..2 {
        run(CSV(&path, 0).unwrap(), 0..1, 0.5);
        assert_eq!(text(), format!("{heading}1,0,0.5\n"));
        fs::write(&path, "\"step\",loss,\"a \"").unwrap();
    }

    fs::remove_file(&path).unwrap();
    run(JSON(&path, 0).unwrap(), 0..5, 0.5);
    fs::write(&path, text() + "{ \"step\":").unwrap();
    run(JSON(&path, 3).unwrap(), 3..6, f64::NAN);
    let steps: Vec<u64> = (text().lines())
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|line| line["step"].as_u64().unwrap())
        .collect();
    assert_eq!(steps, [1, 2, 3, 4, 5, 6]);
}

/// Opens a log of lines.
type Open = fn(&Path, u64) -> io::Result<Box<dyn Log>>;

const CSV: Open = |path, steps| Ok(Box::new(CsvLog::open(path, steps)?));
const JSON: Open = |path, steps| Ok(Box::new(JsonLog::open(path, steps)?));

/// Has a log opened on a file with this text, which stays as it is; returns the error.
fn refused(open: Open, text: &[u8], steps: u64) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, text).unwrap();
    let shown = String::from_utf8_lossy(text);
    let Err(error) = open(&path, steps) else { panic!("`{shown}` was taken for a log") };
    assert_eq!(fs::read(&path).unwrap(), text, "`{shown}` has changed: {error}");
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    let said = error.to_string().replace(&*path.to_string_lossy(), "FILE");
    assert!(said.starts_with("FILE ") && said.contains("move the file away"), "{said}");
    said
}

/// Fault D1 of the third list: a file that was no log was emptied if it had no line break, or could be read as
/// lines of later steps.
#[test]
fn other_files_are_left_alone() {
    let all: [&[u8]; 12] = [
        b"{\"key\":\"abc\"}",
        b"{\"step\":1,\"key\":\"abc\"}",
        b"{ \"step\":\"abc\"",
        b"{",
        b"3",
        b"step",
        b"step,name",
        b"\n",
        b"\xff\xfe",
        b"\0\0\0\0\0\0",
        b"name,age\na,1\n",
        b"a text without any end",
    ];
    for steps in [0, 1, 100] {
        for text in all {
            refused(CSV, text, steps);
            refused(JSON, text, steps);
        }
    }
    // What other programs log of steps.
    for text in ["step,loss\n1,0.5\n2,0.25\n", "step,loss\n", "step,loss\n1,0.5"] {
        let said = refused(CSV, text.as_bytes(), 0);
        assert!(said.contains("does not say that edb wrote it"), "{said}");
    }
    for text in ["{\"step\":1,\"loss\":0.5}\n", "{\"step\":1,\"loss\":0.5"] {
        let said = refused(JSON, text.as_bytes(), 0);
        assert!(said.contains("does not say that edb wrote it"), "{said}");
    }
    let lines = [
        (CSV, "step,loss\n1,1.0\n2,0.25\n", 2),
        (CSV, "step,age\n1,2\nb,1\n", 3),
        (CSV, "step,a\n\n", 2),
        (CSV, "step,a\n1,2\n 2,3\n", 3),
        (CSV, "step,a,a\n1,2,3\n", 1),
        (CSV, "step,loss\r\n1,0.5\r\n", 1),
        (JSON, "{\"step\": 1, \"loss\": 0.5}\n", 1),
        (JSON, "{\"step\":1,\"loss\":0.5,\"by\":\"me\"}\n", 1),
        (JSON, "{\"step\":1,\"loss\":0.5}\n{\"loss\":0.5,\"step\":2}\n", 2),
        (JSON, "{\"step\":-1}\n", 1),
    ];
    for (open, text, line) in lines {
        let said = refused(open, text.as_bytes(), 1);
        let reason = format!("not a log that edb wrote (line {line} is not as edb writes it)");
        let is_unmarked = text.contains("\": ") && said.contains("does not begin");
        assert!(said.contains(&reason) || is_unmarked, "{said}");
    }
    for text in ["[3]\n[5]\n", "step,a\n\n"] {
        refused(JSON, text.as_bytes(), 4);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none/log.csv");
    let error = CsvLog::open(&path, 0).unwrap_err();
    assert!(error.kind() == ErrorKind::NotFound && error.to_string().contains("none/log.csv"));
}

/// A log that an earlier version wrote has no mark. A run goes on with it if all of it is as that version wrote it, it
/// has steps of the run, and nothing has to be removed.
#[test]
fn logs_of_earlier_versions_are_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let csv = "step,loss,\"a \"\"b\"\", c\"\n1,0,0.5\n";
    let json = "{\"step\":1,\"loss\":0.0,\"a \\\"b\\\", c\":1e-9}\n";
    for (open, kept) in [(CSV, csv), (JSON, json)] {
        fs::write(&path, kept).unwrap();
        run(open(&path, 1).unwrap(), 1..2, 0.25);
        let text = fs::read_to_string(&path).unwrap();
        let line = text.strip_prefix(kept).unwrap();
        assert!(line.lines().count() == 1 && line.contains("0.25"), "{text}");
    }
}

/// Fault D1 of the fourth list: a file of another program may look like an earlier log. All lines of later steps
/// were removed from it, and a last line without a line break, too.
#[test]
fn nothing_is_removed_from_a_file_without_a_mark() {
    let csv = "step,loss\n0,1\n1,2\n2,3\n";
    let json = "{\"step\":0,\"loss\":1.0}\n{\"step\":1,\"loss\":2.0}\n{\"step\":2,\"loss\":3.0}\n";
    for (open, text) in [(CSV, csv), (JSON, json)] {
        for steps in [0, 1] {
            let said = refused(open, text.as_bytes(), steps);
            let has_later = format!("has lines behind those of the first {steps} steps");
            assert!(said.contains(&has_later) && said.contains("another name"), "{said}");
        }
        // The file ends without its last line break, or within its last line.
        for cut in [1, 2] {
            let said = refused(open, &text.as_bytes()[..text.len() - cut], 2);
            assert!(said.contains("has lines behind those of the first 2 steps"), "{said}");
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        fs::write(&path, text).unwrap();
        for steps in [2, 9] {
            drop(open(&path, steps).unwrap());
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }
}

/// Fault D2 of the third list: a log ended where one bit of it was another, and later lines were lost.
#[test]
fn what_is_damaged_in_the_middle_is_told_or_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    for open in [CSV, JSON] {
        drop(fs::remove_file(&path));
        run(open(&path, 0).unwrap(), 0..12, 0.125);
        let whole = fs::read(&path).unwrap();
        let last = whole.len() - 1 - whole.iter().rev().skip(1).position(|b| *b == b'\n').unwrap();
        let mut told = 0;
        // Of the last line only the step may be another without being noticed.
        for place in (0..last).chain([whole.len() - 1]) {
            for bit in [place % 8, (place + 3) % 8] {
                let mut bytes = whole.clone();
                bytes[place] ^= 1 << bit;
                fs::write(&path, &bytes).unwrap();
                if let Err(error) = open(&path, 12) {
                    assert!(error.to_string().contains(&*path.to_string_lossy()), "{error}");
                    told += 1;
                }
                assert_eq!(fs::read(&path).unwrap(), bytes, "bit {bit} of byte {place}");
            }
        }
        assert!(told > last, "{told} of {}", 2 * last);
    }
    let lines = "\"step\",loss\n1,0.5\n2,0.25\n3,0.125\n";
    for (from, to, reason) in [
        ("2,0", "8,0", "line 4 is of step 3, behind one of step 8"),
        ("2,0", "0,0", "line 3 is of step 0, behind one of step 1"),
        ("0.25", "0x25", "line 3 is not as edb writes it"),
        ("0.125\n", "0.125*", "line 4 is not as edb writes it"),
        ("0.5\n", "0.5\n\0\0\0\n", "line 3 is not as edb writes it"),
    ] {
        for steps in [0, 2, 3, 9] {
            let said = refused(CSV, lines.replace(from, to).as_bytes(), steps);
            assert!(said.contains(&format!("is damaged ({reason})")), "{said}");
        }
    }
}

/// Wherever a run is killed, the lines that were whole stay.
#[test]
fn a_log_may_end_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    for open in [CSV, JSON] {
        drop(fs::remove_file(&path));
        let mut log = open(&path, 0).unwrap();
        for (step, number) in (1..).zip([f64::NAN, f64::NEG_INFINITY, -0.5, 1e-7, 1e20]) {
            log.write(step, &[("loss \u{e9}\\", number), ("rate", -number)]).unwrap();
        }
        drop(log);
        let whole = fs::read(&path).unwrap();
        for length in [0].into_iter().chain(9..whole.len()) {
            fs::write(&path, &whole[..length]).unwrap();
            drop(open(&path, 5).unwrap());
            let ends = whole[..length].iter().rposition(|byte| *byte == b'\n');
            assert_eq!(fs::read(&path).unwrap(), whole[..ends.map_or(0, |end| end + 1)]);
        }
    }
}

/// Fault D3 of the third list: a log was written that could not be opened again.
#[test]
fn what_could_not_be_read_again_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let numbers = |names: &[&'static str]| -> Vec<(&'static str, f64)> {
        names.iter().map(|name| (*name, 0.5)).collect()
    };
    let wrong: [(Open, &[&str], &str); 9] = [
        (CSV, &["a", "b", "a"], "two numbers have the name \"a\""),
        (CSV, &["a", "step"], "the name \"step\" is that of the number of the step"),
        (CSV, &["a "], "the name \"a \" begins or ends in a space"),
        (CSV, &["\ta"], "the name \"\\ta\" begins or ends in a space"),
        (CSV, &["a", ""], "a number has an empty name"),
        (CSV, &["a\rb"], "the name \"a\\rb\" has a line break"),
        (JSON, &["a", "a"], "two numbers have the name \"a\""),
        (JSON, &["step"], "the name \"step\" is that of the number of the step"),
        (JSON, &["a", "step", "b"], "the name \"step\" is that of the number of the step"),
    ];
    for (open, names, reason) in wrong {
        let mut log = open(&path, 0).unwrap();
        let error = log.write(1, &numbers(names)).unwrap_err();
        assert!(error.to_string().starts_with(reason), "{error}");
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
        log.flush().unwrap();
        assert_eq!(fs::metadata(&path).unwrap().len(), 0);
    }
    // All others can be, and so can steps in their order.
    let names = numbers(&["a b", "\"", ",", "\u{e9}\t\"\"", "Step", "null", "a", "\\"]);
    for (open, names) in [(CSV, &names[..]), (CSV, &[]), (JSON, &names), (JSON, &[])] {
        drop(fs::remove_file(&path));
        for step in [1, 1, 5] {
            let mut log = open(&path, step).unwrap();
            log.write(step, names).unwrap();
            if let Some(before) = step.checked_sub(1) {
                let error = log.write(before, names).unwrap_err().to_string();
                assert!(error.contains(&format!("step {before} is less than step {step}")));
            }
        }
        drop(open(&path, 5).unwrap());
        let lines = fs::read_to_string(&path).unwrap();
        assert_eq!(lines.lines().filter(|line| !line.starts_with('"')).count(), 3, "{lines}");
        // Less than what an earlier run has logged.
        assert!(open(&path, 5).unwrap().write(4, names).is_err());
    }
}

/// Fault D3 of the third list: what two logs wrote to one file lay upon each other.
#[test]
fn a_second_log_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    for open in [CSV, JSON] {
        let mut first = open(&path, 0).unwrap();
        first.write(1, &[("loss", 0.5)]).unwrap();
        first.flush().unwrap();
        let before = fs::read(&path).unwrap();
        let Err(error) = open(&path, 0) else { panic!("two logs have one file open") };
        assert!(error.to_string().contains("log is being written by another log"), "{error}");
        assert_eq!(error.kind(), ErrorKind::ResourceBusy);
        assert_eq!(fs::read(&path).unwrap(), before);
        // What is buffered is in the file before the next one may open it.
        first.write(2, &[("loss", 0.5)]).unwrap();
        drop(first);
        drop(open(&path, 2).unwrap());
        assert!(fs::read_to_string(&path).unwrap().contains('2'));
        fs::remove_file(&path).unwrap();
    }
}

/// Takes bytes every second time only, as a disk on which room is made now and then.
#[derive(Default)]
struct Full {
    bytes: Vec<u8>,
    is_full: bool,
}

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.is_full = !self.is_full;
        if self.is_full {
            return Err(ErrorKind::StorageFull.into());
        }
        self.bytes.extend(&bytes[..bytes.len().min(7)]);
        Ok(bytes.len().min(7))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Its like: a step that could not be written left the half of its line before the next one.
#[test]
fn a_full_disk_leaves_no_half_of_a_line() {
    fn fill(log: &mut dyn Log) {
        let written: Vec<bool> = (1..200)
            .map(|step| log.write(step, &[("loss", 0.5), ("rate", 0.25)]).is_ok())
            .collect();
        assert!(written.contains(&true) && written.contains(&false));
        while log.flush().is_err() {}
    }
    let mut full = Full::default();
    fill(&mut CsvLog::new(BufWriter::with_capacity(64, &mut full)));
    let text = String::from_utf8(std::mem::take(&mut full.bytes)).unwrap();
    assert!(text.lines().skip(1).all(|line| line.ends_with(",0.5,0.25")), "{text}");
    fill(&mut JsonLog::new(BufWriter::with_capacity(64, &mut full)));
    let text = String::from_utf8(full.bytes).unwrap();
    assert!(
        text.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()),
        "{text}"
    );
}

/// Fault D1: nothing was in the file until the log was flushed.
#[test]
fn what_is_written_can_be_read_soon() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let mut log = JsonLog::open(&path, 0).unwrap();
    for step in 1..3 {
        std::thread::sleep(std::time::Duration::from_millis(1_001));
        log.write(step, &[("loss", 0.5)]).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count() as u64, step);
    }
}

#[test]
fn lines_are_json() {
    let mut bytes = Vec::new();
    let mut log = JsonLog::new(&mut bytes);
    log.write(1, &[("a\"b", 0.1), ("nan", f64::NAN)]).unwrap();
    log.flush().unwrap();
    let line: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(line, serde_json::json!({ "step": 1, "a\"b": 0.1, "nan": null }));
}
