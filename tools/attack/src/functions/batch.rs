//! Many functions in one module, without those that a tool does not take.

use super::bounds;
use super::extract::Function;
use super::watch::VARIABLE;
use super::wrap::{self, For};
use crate::machine;
use std::collections::{BTreeMap, BTreeSet};

/// Functions with numbers, and why some were left out.
pub struct Batch<'f> {
    /// All functions.
    pub all: Vec<&'f Function>,
    /// Those still in.
    pub live: BTreeSet<usize>,
    /// Those left out, with the tool that did not take them and what it said.
    pub out: BTreeMap<usize, (&'static str, String)>,
}

/// What is done with a module's text.
pub type Tools<'t> = dyn FnMut(&str) -> Result<String, String> + 't;

impl<'f> Batch<'f> {
    /// All functions, each under its number.
    pub fn new(all: Vec<&'f Function>) -> Batch<'f> {
        let live = (0..all.len()).collect();
        let out = BTreeMap::new();
        Batch { all, live, out }
    }

    /// The module of the functions that are in: for the GPU, or for the host with a table of all.
    pub fn text(&self, to: For) -> String {
        let gpu = to == For::Gpu;
        let mut text = String::new();
        if gpu {
            text.push_str("target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"\n");
            text.push_str("target triple = \"nvptx64-nvidia-cuda\"\n");
        } else {
            text.push_str("target triple = \"x86_64-pc-linux-gnu\"\n");
            let names: Vec<String> = self.live.iter().map(|n| format!("ptr @w_{n}")).collect();
            text.push_str(&format!(
                "@table = constant [{} x ptr] [{}]\n",
                names.len(),
                names.join(", ")
            ));
        }
        if to == For::Watch {
            text.push_str(VARIABLE);
            text.push_str(bounds::DECLARATIONS);
        }
        let mut declares = BTreeMap::new();
        for number in &self.live {
            let function = self.all[*number];
            text.push_str(&wrap::definition(function, *number, to == For::Watch));
            text.push_str(&wrap::wrapper(function, *number, to));
            for line in &function.declares {
                let name = line.split('@').nth(1).unwrap_or_default();
                let name = name.split('(').next().unwrap_or_default();
                declares
                    .entry(name.to_string())
                    .or_insert_with(|| line.clone());
            }
        }
        if gpu {
            declares.insert(
                "tid".into(),
                "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()".into(),
            );
        }
        for line in declares.values() {
            text.push_str(line);
            text.push('\n');
        }
        text
    }

    fn drop(&mut self, number: usize, tool: &'static str, said: &str) {
        self.live.remove(&number);
        self.out.insert(
            number,
            (tool, said.lines().next().unwrap_or_default().to_string()),
        );
    }

    /// Hands the module to a tool until it takes it: a function that it names is left out; if it names none, half of
    /// the functions at a time are tried until the bad ones are known.
    pub fn through(&mut self, tool: &'static str, to: For, run: &mut Tools<'_>) -> Option<String> {
        while !self.live.is_empty() {
            let text = self.text(to);
            let said = match run(&text) {
                Ok(made) => return Some(made),
                Err(said) => said,
            };
            match self.blamed(&text, &said) {
                Some(number) => self.drop(number, tool, &said),
                None => self.halve(tool, to, run),
            }
        }
        None
    }

    /// The function that a message is about: by its name, or by the line it stands on.
    fn blamed(&self, text: &str, said: &str) -> Option<usize> {
        for (at, _) in said.match_indices("f_").chain(said.match_indices("w_")) {
            let rest = &said[at + 2..];
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            let before = said[..at].chars().last();
            if let Ok(number) = digits.parse()
                && self.live.contains(&number)
                && before.is_none_or(|c| !c.is_alphanumeric())
            {
                return Some(number);
            }
        }
        let place = said.split("<stdin>:").nth(1)?;
        let line: usize = place.split(':').next()?.parse().ok()?;
        let before: Vec<&str> = text.lines().take(line).collect();
        let head = before
            .iter()
            .rev()
            .find(|line| line.starts_with("define "))?;
        let name = head.split('@').nth(1)?;
        let number = name.get(2..name.find('(')?)?.parse().ok()?;
        self.live.contains(&number).then_some(number)
    }

    fn halve(&mut self, tool: &'static str, to: For, run: &mut Tools<'_>) {
        let mut open = vec![self.live.clone()];
        while let Some(some) = open.pop() {
            let part = Batch {
                all: self.all.clone(),
                live: some.clone(),
                out: BTreeMap::new(),
            };
            let Err(said) = run(&part.text(to)) else {
                continue;
            };
            let numbers: Vec<usize> = some.into_iter().collect();
            if let [number] = numbers[..] {
                self.drop(number, tool, &said);
                continue;
            }
            let (low, high) = numbers.split_at(numbers.len() / 2);
            open.push(low.iter().copied().collect());
            open.push(high.iter().copied().collect());
        }
    }
}

/// Whether LLVM reads and verifies a module; what it prints of it.
pub fn verified(text: &str) -> Result<String, String> {
    machine::command("opt-22", &["-S", "-passes=verify", "-", "-o", "-"], text)
}
