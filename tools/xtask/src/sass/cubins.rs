//! Cubins of a chip: at least [`FILES`] different sources through ptxas, and some of them again with other options.
//!
//! A cubin is kept under the hash of all that it depends on; an empty file stands for a source that ptxas refuses.

use crate::ll::gpu::Module;
use crate::oracle::{self, Tools};
use crate::process;
use crate::project::{self, Outcome};
use crate::sass::sources::{self, Source};
use crate::{jobs, sass};
use std::path::{Path, PathBuf};
use std::process::Command;
use warpc_target::Sm;

/// How many different sources a chip must have.
pub const FILES: usize = 320;

/// Builds that are made of a part of the sources besides the usual one: what other levels and debugging emit.
const VARIANTS: [&str; 5] = ["-O0", "-O1", "-g", "-lineinfo", "-c"];

/// Every so many sources are built in one of the variants, too.
const STRIDE: usize = 2;

/// How many sources a sample has, those that a chip refuses among them, and how large they may be.
const SAMPLE: usize = 24;
const SMALL: usize = 60_000;

/// A cubin.
pub struct Made {
    /// Of what it was made.
    pub name: String,
    /// Whether its source is the work of warpc.
    pub compiled: bool,
    /// The options that make it another build of its source; empty for the usual one.
    pub variant: &'static str,
    /// Where it lies.
    pub file: PathBuf,
}

/// Where the cubins of a chip are made.
pub struct Workshop<'t> {
    tools: &'t Tools,
    warpc: &'t Path,
    chip: Sm,
    folder: PathBuf,
}

impl<'t> Workshop<'t> {
    /// For a chip.
    pub fn new(tools: &'t Tools, warpc: &'t Path, chip: &str) -> Outcome<Workshop<'t>> {
        let folder = sass::folder().join(chip);
        project::make_dir(&folder)?;
        let chip = chip.parse().map_err(|_| format!("{chip} is not a chip"))?;
        Ok(Workshop {
            tools,
            warpc,
            chip,
            folder,
        })
    }

    /// All cubins of the chip.
    pub fn all(&self) -> Outcome<Vec<Made>> {
        let mut sources = sources::ptx(self.chip)?;
        let made = jobs::map(&sources, |source| self.assemble(source, ""));
        let mut found = Vec::new();
        let mut taken = Vec::new();
        for (source, made) in sources.drain(..).zip(made) {
            if let Some(made) = made? {
                found.push(made);
                taken.push(source);
            }
        }
        // Older chips refuse much of the corpus of PTX: warpc writes what they take.
        let mut modules = sources::modules()?.into_iter();
        while found.len() < FILES {
            let some: Vec<_> = modules.by_ref().take(FILES - found.len()).collect();
            if some.is_empty() {
                break;
            }
            let made = jobs::map(&some, |module| self.compile_and_assemble(module));
            for made in made {
                if let Some((made, source)) = made? {
                    found.push(made);
                    taken.push(source);
                }
            }
        }
        found.extend(self.variants(&taken)?);
        Ok(found)
    }

    /// The cubins of the corpus of PTX, each with a name and the text that it was made of.
    pub fn pairs(&self) -> Outcome<Vec<(String, PathBuf, PathBuf)>> {
        let sources = sources::ptx(self.chip)?;
        let made = jobs::map(&sources, |source| self.assemble(source, ""));
        let texts = self.folder.join("ptx");
        project::make_dir(&texts)?;
        let mut pairs = Vec::new();
        for (source, made) in sources.iter().zip(made) {
            if let Some(made) = made? {
                let text = texts.join(format!("{}.ptx", made.name));
                project::write(&text, &source.text)?;
                pairs.push((made.name, text, made.file));
            }
        }
        Ok(pairs)
    }

    /// The cubins of a few sources, others for each chip.
    pub fn sample(&self) -> Outcome<Vec<Made>> {
        let chip = self.chip.to_string();
        let mut sources = sources::ptx(self.chip)?;
        sources.retain(|source| source.text.len() < SMALL);
        sources.sort_by_key(|source| project::hash(&[&chip, &source.name]));
        sources.truncate(SAMPLE);
        let made = jobs::map(&sources, |source| self.assemble(source, ""));
        made.into_iter().filter_map(Outcome::transpose).collect()
    }

    /// The cubin of a module and the PTX between them; nothing if warpc or ptxas refuses it.
    fn compile_and_assemble(&self, module: &Module) -> Outcome<Option<(Made, Source)>> {
        let source = sources::compiled(self.warpc, module, self.chip, &self.folder)?;
        let Some(source) = source else {
            return Ok(None);
        };
        Ok(self.assemble(&source, "")?.map(|made| (made, source)))
    }

    /// Other builds of a part of the sources.
    fn variants(&self, taken: &[Source]) -> Outcome<Vec<Made>> {
        let some: Vec<(&Source, &'static str)> = taken
            .iter()
            .step_by(STRIDE)
            .zip(VARIANTS.into_iter().cycle())
            .collect();
        let made = jobs::map(&some, |(source, variant)| self.assemble(source, variant));
        made.into_iter().filter_map(Outcome::transpose).collect()
    }

    /// The cubin of a source; nothing if ptxas refuses it.
    fn assemble(&self, source: &Source, variant: &'static str) -> Outcome<Option<Made>> {
        let chip = self.chip.to_string();
        let parts = [
            source.text.as_str(),
            &chip,
            &source.options,
            variant,
            &oracle::pins(),
        ];
        let key = format!("{:016x}", project::hash(&parts));
        let file = self.folder.join(format!("{key}.cubin"));
        let size = |file: &Path| file.metadata().map(|data| data.len()).ok();
        if size(&file).is_none() {
            let (_, ptxas) = self
                .tools
                .ptxas(&chip)
                .ok_or("its ptxas could not be had")?;
            let text = self.folder.join(format!("{key}.ptx"));
            let unfinished = self.folder.join(format!("{key}.new"));
            project::write(&text, &source.text)?;
            let mut command = Command::new(ptxas);
            command
                .arg(format!("-arch={chip}"))
                .args(source.options.split_whitespace())
                .args((!variant.is_empty()).then_some(variant))
                .arg(&text)
                .arg("-o")
                .arg(&unfinished);
            let done = process::capture(&mut command)?;
            std::fs::remove_file(&text).ok();
            if !done.ok {
                project::write(&unfinished, "")?;
            }
            std::fs::rename(&unfinished, &file)
                .map_err(|e| format!("cannot write {}: {e}", file.display()))?;
        }
        let (name, compiled) = (source.name.clone(), source.compiled);
        Ok((size(&file) > Some(0)).then_some(Made {
            name,
            compiled,
            variant,
            file,
        }))
    }
}
