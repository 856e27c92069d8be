//! Kernels that are damaged: assembled, with launches that say what they must leave.

use super::damage::Mutant;
use crate::kernels::record::Seen;
use crate::kernels::{Case, File, run};
use warpc_cubin::{Content, Cubin};
use warpc_ptx::Module;
use warpc_ptx_to_sass::check::Assembled;
use warpc_ptx_to_sass::{Options, assemble_and_keep};
use warpc_sass::encode::encode;

/// Thread instructions of a launch that is taken, and after which a damaged kernel is stopped.
const LONGEST: u64 = 1_500_000;
const LIMIT: u64 = 6_000_000;

/// A launch by its number among the file's, and what it leaves.
type Launched = (usize, Vec<Seen>);

/// A module with its kernels.
pub struct Subject<'f> {
    /// The file's name.
    pub name: String,
    file: &'f File,
    module: Module,
    cubin: Cubin,
    /// The kernels as they were assembled.
    pub kernels: Vec<Assembled>,
    /// For each kernel the launches by their numbers, and what they leave; found when they are first asked for.
    launches: Vec<Option<Vec<Launched>>>,
}

fn limited(limit: u64) -> warpc_sass_sim::Options {
    warpc_sass_sim::Options {
        limit: Some(limit),
        ..warpc_sass_sim::Options::default()
    }
}

impl<'f> Subject<'f> {
    /// Assembles a file; nothing if it has something that is not supported. The error is what the judges find.
    pub fn of(file: &'f File, options: &Options) -> Result<Option<Subject<'f>>, String> {
        let mut module = file.module()?;
        module.sm = "sm_90a".parse().map_err(|_| "sm_90a is not a chip")?;
        let mut kernels = Vec::new();
        let made = assemble_and_keep(&module, options, &mut kernels);
        let Some(cubin) = made.value else {
            return Ok(None);
        };
        // With a finding in undamaged code, everything would be noticed.
        for kernel in &kernels {
            if let Some(finding) = kernel.check().first() {
                return Err(format!("{}: {finding}", file.name));
            }
        }
        let launches = kernels.iter().map(|_| None).collect();
        Ok(Some(Subject {
            name: file.name.clone(),
            file,
            module,
            cubin,
            kernels,
            launches,
        }))
    }

    /// The launches of a kernel that are short, and whose results are those of the emulator of PTX.
    fn launches(&mut self, kernel: usize) -> &[Launched] {
        if self.launches[kernel].is_none() {
            let name = &self.kernels[kernel].name;
            let own = self.file.cases.iter().enumerate();
            let own = own.filter(|(_, case)| {
                let request = run::request(&self.module, case);
                request.is_ok_and(|request| request.launch().kernel == *name)
            });
            let found = own.filter_map(|(number, case)| Some((number, self.expected(case)?)));
            let found = found.collect();
            self.launches[kernel] = Some(found);
        }
        self.launches[kernel].as_deref().unwrap_or(&[])
    }

    fn expected(&self, case: &Case) -> Option<Vec<Seen>> {
        let ran = run::on_sass_sim(&self.cubin, &self.module, case, limited(LONGEST));
        let seen = ran.outcome.ok()?;
        let ptx = run::on_sim(&self.module, case, warpc_sim::Options::default());
        (ptx.outcome.ok()? == seen).then_some(seen)
    }

    /// Whether a damaged kernel leaves something else, or the emulator finds something.
    pub fn is_noticed(&mut self, kernel: usize, mutant: &Mutant) -> bool {
        let Some(cubin) = self.damaged(kernel, mutant) else {
            return false;
        };
        let launches = self.launches(kernel).to_vec();
        launches.iter().any(|(number, seen)| {
            let case = &self.file.cases[*number];
            let ran = run::on_sass_sim(&cubin, &self.module, case, limited(LIMIT));
            ran.outcome.as_ref() != Ok(seen)
        })
    }

    /// The cubin with other words.
    fn damaged(&self, kernel: usize, mutant: &Mutant) -> Option<Cubin> {
        let mut cubin = self.cubin.clone();
        let name = format!(".text.{}", self.kernels[kernel].name);
        let (number, _) = cubin.section(&name)?;
        let Content::Bytes(bytes) = &mut cubin.sections[number].content else {
            return None;
        };
        for (at, inst) in mutant {
            let word = encode(inst).ok()?;
            let place = bytes.get_mut(16 * at..16 * at + 16)?;
            place.copy_from_slice(&word.to_le_bytes());
        }
        Some(cubin)
    }
}
