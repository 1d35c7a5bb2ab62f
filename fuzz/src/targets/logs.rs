use std::path::Path;
use std::{fs, io};

use edb::log::{CsvLog, JsonLog, Log, TensorBoardLog};

use super::{bounded, file, in_folder, kind, say};

/// What a file of events is called, of the kind that is gone on with.
const EVENTS: &str = "events.out.tfevents.1.1.1";

/// A log to go on with: it is refused by an error that names it and stays as it was, or it keeps all lines
/// but those of later steps and one without an end. What is then written is kept by a
/// log that goes on behind it. The first byte chooses the format, and the second the steps to keep.
pub fn logs(data: &[u8]) {
    let Some((which, rest)) = kind(data, 3) else { return };
    let Some((steps, text)) = rest.split_first() else { return };
    let steps = u64::from(*steps);
    match which {
        0 => lines(text, steps, ("\"step\"", &csv_step), &|path, steps| CsvLog::open(path, steps)),
        1 => {
            lines(text, steps, ("{ \"step\":", &json_step), &|path, steps| {
                JsonLog::open(path, steps)
            });
        }
        _ => events(text, 1 + steps % 3),
    }
}

fn csv_step(line: &str) -> Option<u64> {
    line.split(',').next()?.parse().ok()
}

fn json_step(line: &str) -> Option<u64> {
    serde_json::from_str::<serde_json::Value>(line).ok()?.get("step")?.as_u64()
}

/// The step of a line.
type StepOf<'a> = &'a dyn Fn(&str) -> Option<u64>;

/// A log of lines. Its format is given by the mark with which it begins if edb wrote it, and by what the step of a
/// line is.
fn lines<L: Log>(
    text: &[u8],
    steps: u64,
    (mark, step): (&str, StepOf<'_>),
    open: &dyn Fn(&Path, u64) -> io::Result<L>,
) {
    let path = file("log", text);
    let now = || fs::read(&path).expect("it was written just now");
    let mut log = match bounded(text.len(), || open(&path, steps)) {
        Ok(log) => log,
        Err(error) => {
            assert!(error.to_string().contains(&*path.to_string_lossy()), "{}", say(&error));
            return assert_eq!(now(), text, "a log that was refused has changed");
        }
    };
    let kept = now();
    let removed = text.strip_prefix(&kept[..]).expect("lines are kept as they are");
    // What is behind the last line break was not written to its end.
    if let Some(end) = removed.iter().rposition(|byte| *byte == b'\n') {
        let lines = str::from_utf8(&removed[..end]).expect("other lines are refused");
        for line in lines.split('\n') {
            assert!(step(line).is_some_and(|step| step > steps), "`{line}` is not of a later step");
        }
    }
    // The names of its columns may be others.
    let is_written = log.write(steps + 1, &[("loss", 0.5)]).is_ok();
    drop(log);
    let written = now();
    assert!(written.starts_with(&kept) && (written.len() > kept.len()) == is_written);
    drop(open(&path, steps + 1).expect("it was written just now"));
    assert!(now().starts_with(&written), "a line was lost");
    match open(&path, steps) {
        Ok(_) => assert!(now().starts_with(&kept), "a line was lost"),
        // Nothing is removed from a file that edb has not begun.
        Err(error) => {
            let is_others = is_written && !kept.is_empty() && !kept.starts_with(mark.as_bytes());
            assert!(is_others, "{}", say(&error));
            assert_eq!(now(), written, "a log that was refused has changed");
        }
    }
}

/// Files of events: one that is these bytes, and one of some steps in which they follow.
fn events(bytes: &[u8], steps: u64) {
    in_folder(|folder| {
        let folder = folder.join("events");
        let open = |steps| TensorBoardLog::open(&folder, steps);
        let only_file = || {
            let mut entries = fs::read_dir(&folder).expect("it was made just now");
            entries.next().expect("a log has a file").expect("it can be read").path()
        };
        let clear = || {
            drop(fs::remove_dir_all(&folder));
            fs::create_dir_all(&folder).expect("the folder can be written");
        };
        clear();
        let mut log = open(0).expect("the folder is empty");
        for step in 1..=steps {
            log.write(step, &[("loss", 0.5)]).expect("the file can be written");
        }
        drop(log);
        let whole = fs::read(only_file()).expect("it was written just now");
        for start in [&[][..], &whole] {
            clear();
            let path = folder.join(EVENTS);
            let text = [start, bytes].concat();
            fs::write(&path, &text).expect("the folder can be written");
            let opened = bounded(text.len(), || open(steps).map(drop));
            let kept = fs::read(&path).expect("it was written just now");
            if let Err(error) = opened {
                assert!(error.to_string().contains(&*path.to_string_lossy()), "{}", say(&error));
                assert_eq!(kept, text, "a log that was refused has changed");
                continue;
            }
            assert!(text.starts_with(&kept) && kept.starts_with(start), "an event was lost");
            drop(open(steps).expect("it was opened just now"));
            assert_eq!(fs::read(&path).expect("it is there"), kept, "what was kept is kept");
        }
    });
}
