//! `warpc-hw sass`: all items, a child process each.

use super::damage::{DAMAGES, Damage};
use super::hand::{Hand, KERNELS, assembled};
use super::pairs::{self, Pair};
use super::run::{self, Verdict};
use crate::children::{Frame, Part, Usual};
use crate::kernels::record::text_digest;
use crate::kernels::{File, Suite};
use crate::matrix::answers::digest;
use crate::table;
use clap::Args;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What the suite takes where nothing is asked for.
const USUAL: Usual = Usual {
    jobs: 6,
    minutes: 6,
    patience: Duration::from_secs(30),
};

/// What to run.
#[derive(Args, Clone, Debug)]
pub struct Choice {
    /// A folder of kernels of ptxas with their rebuilt cubins
    #[arg(long, value_name = "DIR")]
    pub pairs: Option<PathBuf>,
    /// Only items whose name contains this
    #[arg(long, default_value = "")]
    pub only: String,
}

/// The suite.
#[derive(Args, Clone, Debug)]
pub struct Task {
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    frame: Frame,
}

/// Part of the suite, in a child.
#[derive(Args, Clone, Debug)]
pub struct Work {
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    part: Part,
}

/// Rebuild kernels of ptxas.
#[derive(Args, Clone, Debug)]
pub struct Rebuild {
    /// A folder with `NAME.original.cubin`; `NAME.rebuilt.cubin` is written beside each
    dir: PathBuf,
}

/// Something to run.
#[derive(Clone, Copy)]
pub enum Item<'s> {
    /// A kernel written by hand.
    Hand(&'static Hand),
    /// One that was damaged, and must fail.
    Damaged(&'static Damage),
    /// A kernel of ptxas and its rebuilt form.
    Pair(&'s File),
}

impl Item<'_> {
    /// Its name in the table.
    pub fn name(&self) -> String {
        match self {
            Item::Hand(hand) => format!("hand {}", hand.name),
            Item::Damaged(damage) => format!("damaged {}: {}", damage.kernel, damage.what),
            Item::Pair(file) => format!("pair {}", file.name),
        }
    }

    /// What tells its text from another.
    pub fn digest(&self) -> u64 {
        match self {
            Item::Hand(hand) => digest(hand.text.as_bytes()),
            Item::Damaged(damage) => digest(damage.text().unwrap_or_default().as_bytes()),
            Item::Pair(file) => text_digest(file),
        }
    }

    fn run(&self, dir: Option<&Path>) -> Result<Verdict, String> {
        match self {
            Item::Hand(hand) => run::cases(&assembled(hand.name, hand.text)?, &(hand.cases)()),
            Item::Damaged(damage) => {
                let hand = damage.hand().ok_or("there is no such kernel")?;
                let text = damage.text().ok_or("the change does not fit the kernel")?;
                run::cases(&assembled(hand.name, &text)?, &(hand.cases)())
            }
            Item::Pair(file) => {
                let dir = dir.ok_or("there is no folder of pairs")?;
                run::pair(&Pair::read(dir, file)?)
            }
        }
    }
}

/// The items that need no folder.
pub fn own_items() -> Vec<Item<'static>> {
    let hand = KERNELS.iter().map(Item::Hand);
    hand.chain(DAMAGES.iter().map(Item::Damaged)).collect()
}

impl Choice {
    fn suite(&self) -> Result<Suite, String> {
        match &self.pairs {
            Some(dir) => pairs::suite(dir),
            None => Ok(Suite { files: Vec::new() }),
        }
    }

    fn items<'s>(&self, suite: &'s Suite) -> Vec<Item<'s>> {
        let mut items: Vec<Item<'s>> = own_items();
        items.extend(suite.files.iter().map(Item::Pair));
        items.retain(|item| item.name().contains(&self.only));
        items
    }

    fn arguments(&self) -> Vec<String> {
        let mut list = vec!["work-sass".to_string()];
        list.extend(["--only".into(), self.only.clone()]);
        if let Some(dir) = &self.pairs {
            list.extend(["--pairs".into(), dir.display().to_string()]);
        }
        list
    }
}

impl Work {
    /// Runs items and appends a line for each.
    pub fn run(&self) -> Result<(), String> {
        let suite = self.choice.suite()?;
        let items = self.choice.items(&suite);
        let items = self.part.of(&items)?;
        let mut lines = String::new();
        for item in items {
            let line = match item.run(self.choice.pairs.as_deref())? {
                Ok(did) => format!("right\t{did}"),
                Err(why) => format!("wrong\t{}", why.replace(['\n', '\t'], " ")),
            };
            let _ = writeln!(lines, "{line}");
            table::write(&self.part.lines, &lines)?;
        }
        Ok(())
    }
}

impl Task {
    /// Runs everything; the error says that something is not as it must be.
    pub fn run(&self) -> Result<(), String> {
        let start = Instant::now();
        fs::create_dir_all(&self.frame.out).map_err(|e| e.to_string())?;
        let suite = self.choice.suite()?;
        let items = self.choice.items(&suite);
        let device = crate::on_gpu::device().map_err(|e| e.to_string())?;
        let lines = self
            .frame
            .run(&USUAL, start, &self.choice.arguments(), items.len(), 1)?;
        let mut text = format!("# {device}\nitem\tdigest\tverdict\twhat\n");
        let mut counts = [[0; 2]; 3];
        let mut strange = Vec::new();
        for (item, line) in items.iter().zip(&lines) {
            let line = match line {
                Ok(line) => line.clone(),
                Err(problem) => format!("lost\t{problem}"),
            };
            let right = line.starts_with("right");
            let (kind, must_be_right) = match item {
                Item::Hand(_) => (0, true),
                Item::Damaged(_) => (1, false),
                Item::Pair(_) => (2, true),
            };
            counts[kind][usize::from(right)] += 1;
            let name = item.name();
            if right != must_be_right {
                strange.push(format!("{name}: {line}"));
            }
            let _ = writeln!(text, "{name}\t{:016x}\t{line}", item.digest());
        }
        let [hand, damaged, pairs] = counts;
        println!(
            "{device}\nwritten by hand: {} right, {} wrong\ndamaged: {} seen, {} not seen\n\
             rebuilt: {} leave the same bytes, {} do not\n{:.0} s",
            hand[1],
            hand[0],
            damaged[0],
            damaged[1],
            pairs[1],
            pairs[0],
            start.elapsed().as_secs_f64()
        );
        strange.iter().for_each(|text| println!("  {text}"));
        table::write(&self.frame.out.join("sass.tsv.gz"), &text)?;
        table::write(&self.frame.out.join("sass.tsv"), &text)?;
        match strange.len() {
            0 => Ok(()),
            count => Err(format!("{count} items are not as they must be")),
        }
    }
}

impl Rebuild {
    /// Writes the rebuilt cubins.
    pub fn run(&self) -> Result<(), String> {
        let failed = |e: std::io::Error| format!("{}: {e}", self.dir.display());
        let (mut made, mut equal) = (0, 0);
        for entry in fs::read_dir(&self.dir).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let Some(name) = name.strip_suffix(".original.cubin") else {
                continue;
            };
            let original = fs::read(&path).map_err(failed)?;
            let rebuilt = pairs::rebuild(name, &original)?;
            equal += usize::from(rebuilt == original);
            made += 1;
            fs::write(pairs::path(&self.dir, name, "rebuilt"), rebuilt).map_err(failed)?;
        }
        println!("{made} cubins rebuilt, {equal} of them byte for byte");
        Ok(())
    }
}
