//! The comments of a kernel that say how it is launched and what must hold.

use warpc_diag::{Diagnostic, SourceFile, Span, codes};

/// How a kernel is launched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// Blocks.
    pub grid: u32,
    /// Threads of a block.
    pub block: u32,
    /// Blocks of a cluster.
    pub cluster: u32,
    /// What variables hold at first.
    pub initial: Vec<(String, u64, Span)>,
    /// The filter and the condition, as text, and where it starts.
    pub condition: (String, u32),
}

/// A thread of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Index<'l> {
    /// Its number in the block.
    pub thread: u32,
    /// The number of the block.
    pub block: u32,
    /// The launch.
    pub launch: &'l Launch,
}

/// What a line starts with.
const MARK: &str = "// litmus:";

/// The most threads of a launch.
const MAX_THREADS: u32 = 16;

/// Reads the comments.
pub fn read(file: &SourceFile) -> Result<Launch, Box<Diagnostic>> {
    let text = crate::lex::text(file)?;
    let mut launch = Launch {
        grid: 1,
        block: 1,
        cluster: 1,
        initial: Vec::new(),
        condition: (String::new(), 0),
    };
    let mut at = 0;
    let mut has_launch = None;
    for line in text.split_inclusive('\n') {
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        let Some(said) = line.trim().strip_prefix(MARK) else {
            continue;
        };
        let from = start + MARK.len();
        let span = Span::new(from as u32, (from + said.len()) as u32);
        let words = said.trim();
        if words.starts_with("grid") || words.starts_with("block") || words.starts_with("cluster") {
            has_launch = Some(span);
            size(&mut launch, words, span)?;
        } else if let Some(value) = words.strip_prefix("init ") {
            initial(&mut launch, value, span)?;
        } else {
            // A condition may go on in further lines.
            if launch.condition.0.is_empty() {
                launch.condition.1 = span.start;
            }
            launch.condition.0.push_str(said);
            launch.condition.0.push(' ');
        }
    }
    let Some(span) = has_launch else {
        let message = "the kernel does not say how it is launched";
        let found = Diagnostic::error(codes::LITMUS_KERNEL, Span::default(), message);
        return Err(Box::new(found.help("write `// litmus: grid 2, block 1`")));
    };
    if launch.condition.0.is_empty() {
        let message = "the kernel has no final condition";
        let found = Diagnostic::error(codes::LITMUS_KERNEL, span, message);
        return Err(Box::new(
            found.help("write `// litmus: exists (P0:%r1 == 1)`"),
        ));
    }
    let threads = launch.grid.checked_mul(launch.block);
    if threads.is_none_or(|threads| threads == 0 || threads > MAX_THREADS) || launch.cluster == 0 {
        let message = format!("a launch has one to {MAX_THREADS} threads");
        return Err(Box::new(Diagnostic::error(
            codes::LITMUS_KERNEL,
            span,
            message,
        )));
    }
    Ok(launch)
}

fn size(launch: &mut Launch, words: &str, span: Span) -> Result<(), Box<Diagnostic>> {
    for part in words.split(',') {
        let mut pair = part.split_whitespace();
        let (name, number) = (pair.next().unwrap_or(""), pair.next().unwrap_or(""));
        let place = match name {
            "grid" => &mut launch.grid,
            "block" => &mut launch.block,
            "cluster" => &mut launch.cluster,
            _ => return Err(unclear(span, part)),
        };
        *place = number.parse().map_err(|_| unclear(span, part))?;
    }
    Ok(())
}

fn initial(launch: &mut Launch, words: &str, span: Span) -> Result<(), Box<Diagnostic>> {
    for part in words
        .split([',', ';'])
        .filter(|part| !part.trim().is_empty())
    {
        let (name, value) = part.split_once('=').ok_or_else(|| unclear(span, part))?;
        let value: i128 = value.trim().parse().map_err(|_| unclear(span, part))?;
        launch
            .initial
            .push((name.trim().to_string(), value as u64, span));
    }
    Ok(())
}

fn unclear(span: Span, part: &str) -> Box<Diagnostic> {
    let message = format!("`{}` is not clear", part.trim());
    let found = Diagnostic::error(codes::LITMUS_KERNEL, span, message);
    Box::new(found.help("as `grid 2, block 1, cluster 1` or `init x = 1`"))
}
