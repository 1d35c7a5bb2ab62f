//! Writes the initial inputs of the targets: `seeds FOLDER` makes a folder in it for each target.

use std::path::PathBuf;
use std::{env, fs, io};

use edb_fuzz::seeds::seeds;
use edb_fuzz::targets::TARGETS;

fn main() -> io::Result<()> {
    let folder: PathBuf = env::args_os().nth(1).unwrap_or_else(|| "seeds".into()).into();
    for target in TARGETS {
        let folder = folder.join(target.name);
        fs::create_dir_all(&folder)?;
        for (number, seed) in seeds(target.name).iter().enumerate() {
            fs::write(folder.join(format!("seed-{number:03}")), seed)?;
        }
    }
    Ok(())
}
