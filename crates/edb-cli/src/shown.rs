//! `edb info` and `edb check`.

use std::io::{self, Write};
use std::path::Path;

use edb::Element;
use edb::model::Bundle;
use serde_json::json;

use crate::place::Place;
use crate::work::{Result, Work};

/// `edb info`.
pub(crate) struct Info<'a> {
    pub(crate) path: &'a Path,
    pub(crate) json: bool,
}

impl Work for Info<'_> {
    fn with<T: Element>(&self, bundle: Bundle<T>) -> Result<()> {
        let Bundle { model, notes, policy, examples, .. } = &bundle;
        let mut out = io::stdout().lock();
        let bytes = std::fs::metadata(self.path)?.len();
        let policy = policy.as_ref().map(ToString::to_string);
        let notes: Vec<&str> = notes.names().collect();
        let element = if size_of::<T>() == 8 { "f64" } else { "f32" };
        if self.json {
            let shown = json!({
                "file_bytes": bytes, "element": element, "model": model.summary(), "policy": policy,
                "notes": notes, "examples": examples.len(),
            });
            writeln!(out, "{shown}")?;
            return Ok(());
        }
        writeln!(out, "{}\n", model.summary())?;
        writeln!(out, "numbers   {element}")?;
        writeln!(out, "policy    {}", policy.as_deref().unwrap_or("none is saved"))?;
        writeln!(
            out,
            "notes     {}",
            if notes.is_empty() { "none".to_owned() } else { notes.join(", ") }
        )?;
        writeln!(out, "examples  {}", examples.len())?;
        writeln!(out, "file      {bytes} bytes")?;
        Ok(())
    }
}

/// `edb check`.
pub(crate) struct Check {
    pub(crate) within: Option<f64>,
    pub(crate) place: Place,
}

impl Work for Check {
    fn with<T: Element>(&self, bundle: Bundle<T>) -> Result<()> {
        if bundle.examples.is_empty() {
            return Err(
                "the bundle has no examples: save some by `model.bundle().examples(..)`, in Python by \
                 `model.save(path, examples=graphs)`"
                    .into()
            );
        }
        let mut engine = self.place.engine(&bundle)?;
        let replayed = engine.replay(&bundle.model, &bundle.examples)?;
        let (mut wrong, mut out) = (0, io::stdout().lock());
        for (number, example) in replayed.iter().enumerate() {
            let difference = example.difference;
            // NaN is within nothing.
            let is_right = difference == 0.0 || self.within.is_some_and(|most| difference <= most);
            wrong += usize::from(!is_right);
            match difference == 0.0 {
                true => writeln!(out, "example {number}: the same bits")?,
                false => writeln!(out, "example {number}: {difference:.1e} at {}", example.place)?,
            }
        }
        match wrong {
            0 => Ok(()),
            _ => Err(format!(
                "{wrong} of {} answers differ; other processors and devices round otherwise: allow it by `--within 1e-5`",
                replayed.len()
            )
            .into()),
        }
    }
}
