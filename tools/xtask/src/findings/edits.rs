//! The mistakes: where each can be made in a file, and the text with it.

use super::suite::Suite;
use crate::ptx_shape::{Inst, position};
use std::ops::Range;

/// What is wrong with a mutant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    Barrier,
    WarpBarrier,
    ClusterBarrier,
    Fence,
    ProxyFence,
    Wait,
    ShortWait,
    Mask,
    Scope,
    Order,
    Atomic,
    Strength,
}

impl Kind {
    /// The row of the table.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Barrier => "barrier of the block left out",
            Kind::WarpBarrier => "barrier of the warp left out",
            Kind::ClusterBarrier => "barrier of the cluster left out",
            Kind::Fence => "fence left out",
            Kind::ProxyFence => "fence of a proxy, of `mbarrier.init` left out",
            Kind::Wait => "wait left out",
            Kind::ShortWait => "wait for less",
            Kind::Mask => "mask bit cleared",
            Kind::Scope => "scope narrowed",
            Kind::Order => "order weakened",
            Kind::Atomic => "atomic as load, operation and store",
            Kind::Strength => "strong access made weak",
        }
    }
}

/// One mistake.
#[derive(Clone, Debug)]
pub struct Site {
    /// What it is.
    pub kind: Kind,
    /// The kernel; empty in a function.
    pub kernel: String,
    /// The number of the instruction in the file.
    pub inst: usize,
    /// Its line, from 1.
    pub line: usize,
    /// The instruction.
    pub old: String,
    /// What becomes of it, for people.
    pub told: String,
    /// The replacements in the text, in order.
    pub edits: Vec<(Range<usize>, String)>,
}

impl Site {
    /// The text with the mistake.
    pub fn mutant(&self, text: &str) -> String {
        with(text, &self.edits)
    }

    /// The text with a `trap` in the place of the instruction.
    pub fn trapping(&self, suite: &Suite) -> String {
        let inst = &suite.insts[self.inst];
        with(
            &suite.text,
            &[(inst.opcode.start..inst.range.end, "trap;".to_owned())],
        )
    }
}

fn with(text: &str, edits: &[(Range<usize>, String)]) -> String {
    let (mut out, mut at) = (String::with_capacity(text.len() + 200), 0);
    for (range, new) in edits {
        out.push_str(&text[at..range.start]);
        out.push_str(new);
        at = range.end;
    }
    out + &text[at..]
}

/// An instruction and what is around it.
struct Place<'s> {
    suite: &'s Suite,
    number: usize,
    inst: &'s Inst,
    /// The fewest threads of a block of the launches of the kernel.
    threads: u64,
    /// Whether some launch has several blocks.
    has_blocks: bool,
}

/// An edit: what it is, what becomes of the instruction in words, and the replacements.
type Edit = (Kind, String, Vec<(Range<usize>, String)>);

/// All places of a file where a mistake can be made.
pub fn sites(suite: &Suite) -> Vec<Site> {
    let mut found = Vec::new();
    for (number, inst) in suite.insts.iter().enumerate() {
        let mnemonic = inst.mnemonic(&suite.text);
        if !mnemonic.contains('.') && !matches!(mnemonic, "membar") {
            continue;
        }
        let kernel = kernel_at(&suite.text, inst.range.start);
        let launches = suite.launches_of(&kernel);
        if launches.is_empty() {
            continue;
        }
        let place = Place {
            suite,
            number,
            inst,
            threads: launches.iter().map(|one| one.threads).min().unwrap_or(1),
            has_blocks: launches.iter().any(|one| one.blocks > 1),
        };
        for (kind, told, edits) in place.edits() {
            found.push(Site {
                kind,
                kernel: kernel.clone(),
                inst: number,
                line: position(&suite.text, inst.range.start).0,
                old: suite.text[inst.range.clone()]
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" "),
                told,
                edits,
            });
        }
    }
    found
}

/// The kernel that a byte lies in; empty in a function.
fn kernel_at(text: &str, at: usize) -> String {
    let before = &text[..at];
    match (before.rfind(".entry "), before.rfind(".func ")) {
        (Some(entry), func) if func.is_none_or(|func| func < entry) => {
            let name = text[entry + 7..].split(['(', '\n', ' ']).next();
            name.unwrap_or_default().trim().to_owned()
        }
        _ => String::new(),
    }
}

impl Place<'_> {
    fn text(&self, range: &Range<usize>) -> &str {
        &self.suite.text[range.clone()]
    }

    fn opcode(&self) -> &str {
        self.text(&self.inst.opcode)
    }

    fn modifier(&self, name: &str) -> Option<&Range<usize>> {
        self.inst.mods.iter().find(|range| self.text(range) == name)
    }

    fn has(&self, name: &str) -> bool {
        self.modifier(name).is_some()
    }

    fn operand(&self, at: usize) -> &str {
        self.inst
            .operands
            .get(at)
            .map_or("", |one| self.text(&one.range))
    }

    fn edits(&self) -> Vec<Edit> {
        let mut all = Vec::new();
        match self.opcode() {
            "bar" | "barrier" if self.has(".cluster") => self.cluster_barrier(&mut all),
            "bar" if self.has(".warp") => {
                all.push((Kind::WarpBarrier, "left out".into(), self.left_out()));
                self.mask(&mut all);
            }
            "bar" | "barrier" if self.has(".sync") || self.has(".arrive") => {
                all.push((Kind::Barrier, "left out".into(), self.left_out()));
            }
            "fence" | "membar" => self.fence(&mut all),
            "cp" if self.has(".wait_group") || self.has(".wait_all") => self.group_wait(&mut all),
            "wgmma" if self.has(".wait_group") => self.group_wait(&mut all),
            "wgmma" if self.has(".fence") => {
                all.push((Kind::Fence, "left out".into(), self.left_out()));
            }
            "tcgen05" if self.has(".wait::ld") || self.has(".wait::st") => {
                all.push((Kind::Wait, "left out".into(), self.left_out()));
            }
            "mbarrier" if self.has(".try_wait") || self.has(".test_wait") => {
                self.phase_wait(&mut all);
            }
            "shfl" | "vote" | "match" | "redux" => self.mask(&mut all),
            "atom" | "red" if !self.has(".async") => self.apart(&mut all),
            "ld" | "st" => self.strength(&mut all),
            _ => {}
        }
        if matches!(
            self.opcode(),
            "atom" | "red" | "ld" | "st" | "mbarrier" | "fence" | "membar"
        ) {
            self.scope(&mut all);
            self.order(&mut all);
        }
        all
    }

    fn left_out(&self) -> Vec<(Range<usize>, String)> {
        vec![(self.inst.range.clone(), String::new())]
    }

    fn replaced(&self, range: &Range<usize>, new: &str) -> Vec<(Range<usize>, String)> {
        vec![(range.clone(), new.to_owned())]
    }

    /// The wait with the arrival before it; a wait alone if there is none in the same straight line.
    fn cluster_barrier(&self, all: &mut Vec<Edit>) {
        if !self.has(".wait") {
            return;
        }
        let mut edits = self.left_out();
        let before = self.suite.insts[..self.number].iter().rev();
        let arrival = before.take(40).find(|one| {
            let mnemonic = one.mnemonic(&self.suite.text);
            mnemonic.starts_with("barrier.cluster.arrive")
        });
        if let Some(arrival) = arrival {
            edits.insert(0, (arrival.range.clone(), String::new()));
            all.push((
                Kind::ClusterBarrier,
                "left out with its arrival".into(),
                edits,
            ));
        }
    }

    fn fence(&self, all: &mut Vec<Edit>) {
        let is_other = self.has(".proxy") || self.has(".mbarrier_init");
        let is_other = is_other
            || self
                .inst
                .mods
                .iter()
                .any(|one| self.text(one).starts_with(".proxy::"));
        let kind = if is_other {
            Kind::ProxyFence
        } else {
            Kind::Fence
        };
        all.push((kind, "left out".into(), self.left_out()));
        if let (Some(order), false) = (self.modifier(".sc"), is_other) {
            let weaker = self.replaced(order, ".acq_rel");
            all.push((Kind::Order, ".acq_rel".into(), weaker));
        }
    }

    fn group_wait(&self, all: &mut Vec<Edit>) {
        all.push((Kind::Wait, "left out".into(), self.left_out()));
        let Some(count) = self.inst.operands.first() else {
            return;
        };
        if let Ok(number) = self.text(&count.range).parse::<u64>() {
            let more = (number + 1).to_string();
            let told = format!("wait_group {more}");
            all.push((Kind::ShortWait, told, self.replaced(&count.range, &more)));
        }
        if let (Some(wait), true, false) = (
            self.modifier(".wait_group"),
            self.has(".bulk"),
            self.has(".read"),
        ) {
            let read = self.replaced(wait, ".wait_group.read");
            all.push((Kind::ShortWait, "wait_group.read".into(), read));
        }
    }

    /// A wait for a phase: it says at once that the phase is over, or is made once where a loop waits.
    fn phase_wait(&self, all: &mut Vec<Edit>) {
        let predicate = self.operand(0).split('|').next().unwrap_or_default().trim();
        let range = self.inst.opcode.start..self.inst.range.end;
        let new = format!("setp.eq.u32 {predicate}, 0, 0;");
        all.push((Kind::Wait, "true".into(), vec![(range, new)]));
        if let Some(back) = self.jump_back() {
            all.push((Kind::Wait, "one try".into(), vec![(back, String::new())]));
        }
    }

    /// A jump to a place before this instruction, soon after it.
    fn jump_back(&self) -> Option<Range<usize>> {
        let after = self.suite.insts.iter().skip(self.number + 1).take(6);
        let mut jumps = after.filter(|one| self.text(&one.opcode) == "bra");
        let jump = jumps.next()?;
        let target = self.text(&jump.operands.first()?.range);
        let mut labels = self.suite.labels.iter();
        // Names of labels can be those of several functions: the last one before the jump counts.
        let label = labels.rfind(|one| one.start < jump.range.start && self.text(one) == target)?;
        let is_near = self.inst.range.start.saturating_sub(label.start) < 400;
        (label.start < self.inst.range.start && is_near).then(|| jump.range.clone())
    }

    /// One bit of a constant mask.
    fn mask(&self, all: &mut Vec<Edit>) {
        let Some(mask) = self.inst.operands.last() else {
            return;
        };
        let words = self.text(&mask.range);
        let Some(value) = number(words).or_else(|| self.constant(words)) else {
            return;
        };
        let lanes = self.threads.min(32);
        let bits: Vec<u32> = (0..lanes as u32)
            .filter(|bit| value >> bit & 1 == 1)
            .collect();
        // Without chance, yet not always the same: the first, the last, or one between.
        let Some(bit) = bits.get((self.number * 7 + self.inst.range.start) % bits.len().max(1))
        else {
            return;
        };
        let new = format!("{:#x}", value & !(1u32 << bit));
        let told = format!("without lane {bit}");
        all.push((Kind::Mask, told, self.replaced(&mask.range, &new)));
    }

    /// The value of a register that the function sets once, to a constant.
    fn constant(&self, register: &str) -> Option<u32> {
        let (start, end) = self.function();
        let mut values = self.suite.insts.iter().filter(|one| {
            let range = &one.range;
            let first = one.operands.first();
            (start..end).contains(&range.start)
                && first.is_some_and(|first| {
                    let target = self.text(&first.range);
                    target
                        .split(['|', '{', '}', ','])
                        .any(|t| t.trim() == register)
                })
                && !matches!(self.text(&one.opcode), "st" | "bar" | "red" | "bra")
        });
        let only = values.next()?;
        let is_only = values.next().is_none() && self.text(&only.opcode) == "mov";
        let value = self.text(&only.operands.get(1)?.range);
        number(value).filter(|_| is_only)
    }

    fn function(&self) -> (usize, usize) {
        let text = &self.suite.text;
        let at = self.inst.range.start;
        let starts = [".entry ", ".func "];
        let start = starts
            .iter()
            .filter_map(|word| text[..at].rfind(word))
            .max();
        let end = starts.iter().filter_map(|word| text[at..].find(word)).min();
        (start.unwrap_or(0), end.map_or(text.len(), |end| at + end))
    }

    fn is_in_shared_of_block(&self) -> bool {
        self.has(".shared") || self.has(".shared::cta")
    }

    /// A scope of the block in the place of a wider one, where the launch has other blocks.
    fn scope(&self, all: &mut Vec<Edit>) {
        let is_special = self.has(".proxy") || self.has(".mbarrier_init");
        let is_plain_access = self.is_in_shared_of_block() && self.opcode() != "mbarrier";
        if !self.has_blocks || is_special || is_plain_access {
            return;
        }
        let wide = [".sys", ".gpu", ".cluster", ".gl"];
        let found = wide.iter().find_map(|name| self.modifier(name));
        if let Some(scope) = found {
            all.push((Kind::Scope, ".cta".into(), self.replaced(scope, ".cta")));
        } else if matches!(self.opcode(), "atom" | "red")
            && !self.has(".cta")
            && !self.has(".async")
        {
            // Without a scope it is that of the GPU.
            let after = self
                .modifier(".noftz")
                .map_or(self.inst.opcode.end, |_| self.inst.opcode.end);
            all.push((
                Kind::Scope,
                ".relaxed.cta".into(),
                vec![(after..after, ".relaxed.cta".into())],
            ));
        }
    }

    fn order(&self, all: &mut Vec<Edit>) {
        if matches!(self.opcode(), "fence" | "membar") {
            return;
        }
        let orders = [".acquire", ".release", ".acq_rel"];
        let found = orders.iter().find_map(|name| self.modifier(name));
        if let Some(order) = found {
            all.push((
                Kind::Order,
                ".relaxed".into(),
                self.replaced(order, ".relaxed"),
            ));
            if self.text(order) == ".acq_rel" {
                for half in [".acquire", ".release"] {
                    all.push((Kind::Order, half.into(), self.replaced(order, half)));
                }
            }
            return;
        }
        // Operations on mbarriers have an order without saying so.
        let has_order = ["arrive", "arrive_drop", "try_wait", "test_wait"];
        let operation = self.inst.mods.first().map_or("", |one| self.text(one));
        if self.opcode() == "mbarrier"
            && has_order.contains(&operation.trim_start_matches('.'))
            && !self.has(".relaxed")
            && let Some(at) = self
                .inst
                .mods
                .iter()
                .find(|one| self.text(one).starts_with(".shared"))
        {
            let edit = vec![(at.start..at.start, ".relaxed.cta".to_owned())];
            all.push((Kind::Order, ".relaxed.cta".into(), edit));
        }
    }

    /// A strong load or store without its strength.
    fn strength(&self, all: &mut Vec<Edit>) {
        if self.has(".async") {
            return;
        }
        let strong = [".volatile", ".relaxed", ".acquire", ".release"];
        let Some(order) = strong.iter().find_map(|name| self.modifier(name)) else {
            return;
        };
        let mut edits = self.replaced(order, "");
        let scopes = [".cta", ".cluster", ".gpu", ".sys"];
        if let Some(scope) = scopes.iter().find_map(|name| self.modifier(name)) {
            edits.push((scope.clone(), String::new()));
        }
        all.push((Kind::Strength, "weak".into(), edits));
    }

    /// An atomic as a load, an operation and a store.
    fn apart(&self, all: &mut Vec<Edit>) {
        let operations = [
            "add", "min", "max", "and", "or", "xor", "exch", "cas", "inc",
        ];
        let modifiers: Vec<&str> = self.inst.mods.iter().map(|one| self.text(one)).collect();
        let Some(operation) = operations
            .iter()
            .find(|name| modifiers.contains(&format!(".{name}").as_str()))
        else {
            return;
        };
        let kind = modifiers.last().copied().unwrap_or_default();
        let types = [
            ".u32", ".s32", ".b32", ".u64", ".s64", ".b64", ".f32", ".f64",
        ];
        if !types.contains(&kind) {
            return;
        }
        let has_result = self.opcode() == "atom";
        let (result, rest) = if has_result {
            (self.operand(0), 1)
        } else {
            ("", 0)
        };
        let (address, value, other) = (
            self.operand(rest),
            self.operand(rest + 1),
            self.operand(rest + 2),
        );
        let spaces = [".global", ".shared", ".shared::cta", ".shared::cluster"];
        let space = spaces
            .iter()
            .find(|space| self.has(space))
            .copied()
            .unwrap_or_default();
        let guard = self
            .inst
            .guard
            .as_ref()
            .map_or("", |guard| self.text(guard));
        let bits = &kind[2..];
        let mut body = format!(
            "{{ .reg .b{bits} %wm_old, %wm_new; .reg .pred %wm_p; {guard} ld{space}{kind} %wm_old, {address};"
        );
        let step = match *operation {
            "exch" => format!("mov{kind} %wm_new, {value};"),
            "cas" => {
                let unsigned = kind.replace(".b", ".u");
                format!(
                    "setp.eq{unsigned} %wm_p, %wm_old, {value}; selp{kind} %wm_new, {other}, %wm_old, %wm_p;"
                )
            }
            "inc" => format!(
                "setp.ge.u32 %wm_p, %wm_old, {value}; add.u32 %wm_new, %wm_old, 1; selp.b32 %wm_new, 0, %wm_new, %wm_p;"
            ),
            "and" | "or" | "xor" => format!("{operation}.b{bits} %wm_new, %wm_old, {value};"),
            _ => format!("{operation}{kind} %wm_new, %wm_old, {value};"),
        };
        body.push_str(&format!(
            " {step} {guard} st{space}{kind} {address}, %wm_new;"
        ));
        if has_result && result != "_" {
            body.push_str(&format!(" {guard} mov.b{bits} {result}, %wm_old;"));
        }
        body.push_str(" }");
        let told = format!("ld, {operation}, st");
        all.push((Kind::Atomic, told, vec![(self.inst.range.clone(), body)]));
    }
}

/// A 32-bit constant.
fn number(text: &str) -> Option<u32> {
    if let Some(negative) = text.strip_prefix('-') {
        return Some(negative.parse::<u32>().ok()?.wrapping_neg());
    }
    let text = text.strip_suffix('U').unwrap_or(text);
    match text.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}
