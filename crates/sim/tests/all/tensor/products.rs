//! Products of pairs of blocks, with a stationary B, and of a sparse A, judged by sums of products that are computed here.
//!
//! The kernel copies an image to shared memory and words to tensor memory, multiplies once, and gives back all of D.

use warpc_diag::SourceFile;
use warpc_sim::{Argument, Device, Launch, Options, Races};

const KERNEL: &str = ".version 9.0\n.target sm_100a\n.address_size 64
.visible .entry k(.param .u64 image, .param .u64 words, .param .u64 out, .param .u64 a, .param .u64 b, .param .u32 id, .param .u32 columns,
    .param .u64 mask) {
    .shared .align 1024 .b8 factors[32768];
    .shared .align 8 .b64 done;
    .shared .align 4 .b32 place;
    .reg .b64 %image, %words, %out, %da, %db, %mask, %far;
    .reg .b32 %t, %at, %to, %w, %warp, %i, %tm, %own, %id, %count, %rank, %col;
    .reg .pred %p, %first, %one, %over;
    ld.param.u64 %image, [image]; ld.param.u64 %words, [words]; ld.param.u64 %out, [out];
    ld.param.u64 %da, [a]; ld.param.u64 %db, [b]; ld.param.u32 %id, [id]; ld.param.u32 %count, [columns]; ld.param.u64 %mask, [mask];
    mov.u32 %t, %tid.x; shr.u32 %warp, %t, 5; mov.u32 %rank, %cluster_ctarank;
    mov.u32 %at, factors;
    setp.eq.u32 %first, %warp, 0; setp.eq.u32 %one, %t, 0;
    // The image of this block.
    mul.wide.u32 %far, %rank, 32768; add.u64 %image, %image, %far;
    shl.b32 %i, %t, 2; cvt.u64.u32 %far, %i; add.u64 %image, %image, %far;
COPY:
    add.u32 %to, %at, %i; ld.global.b32 %w, [%image]; st.shared.b32 [%to], %w;
    add.u64 %image, %image, 512; add.u32 %i, %i, 512; setp.lt.u32 %p, %i, 32768; @%p bra COPY;
    @%one mbarrier.init.shared.b64 [done], 1;
    @%one fence.mbarrier_init.release.cluster;
    fence.proxy.async.shared::cta;
    ALLOC
    bar.sync 0;
    ld.shared.b32 %tm, [place];
    shl.b32 %own, %warp, 21; add.u32 %own, %own, %tm;
    // 64 columns from 256 on, and as many columns of D as there are.
    mul.wide.u32 %far, %rank, 163840; add.u64 %words, %words, %far;
    mul.wide.u32 %far, %t, 1280; add.u64 %words, %words, %far;
    mov.u32 %i, 0;
FILL:
    ld.global.b32 %w, [%words]; add.u32 %col, %own, %i; tcgen05.st.sync.aligned.32x32b.x1.b32 [%col], {%w};
    add.u64 %words, %words, 4; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 320; @%p bra FILL;
    STORED
    tcgen05.fence::before_thread_sync;
    barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
    tcgen05.fence::after_thread_sync;
    shr.u32 %w, %at, 4; cvt.u64.u32 %far, %w; add.u64 %da, %da, %far; add.u64 %db, %db, %far;
    setp.eq.u32 %p, %rank, 0; and.pred %one, %one, %p;
    PRODUCT
    COMMIT
    WAIT
    mul.wide.u32 %far, %rank, 131072; add.u64 %out, %out, %far;
    mul.wide.u32 %far, %t, 1024; add.u64 %out, %out, %far;
    mov.u32 %i, 0;
READ:
    add.u32 %col, %own, %i; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%w}, [%col]; tcgen05.wait::ld.sync.aligned;
    st.global.b32 [%out], %w;
    add.u64 %out, %out, 4; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, %count; @%p bra READ;
    barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
    FREE
    ret;
}";

/// Words of a block: 64 columns of D, and 256 and more.
const WORDS: usize = 320;

/// A product and what it is given.
#[derive(Clone, Default)]
struct Case {
    pair: bool,
    product: String,
    /// Blocks after each other.
    image: Vec<u8>,
    words: Vec<u32>,
    a: u64,
    b: u64,
    id: u32,
    columns: u32,
    mask: u64,
    changes: Vec<(&'static str, String)>,
}

type Outcome = Result<Vec<u32>, (&'static str, String)>;

fn run(case: &Case, seed: u64) -> Outcome {
    let group = if case.pair { 2 } else { 1 };
    let commit = match case.pair {
        true => {
            "@%one tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [done], 3;"
        }
        false => {
            "@%one tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [done];"
        }
    };
    let mut text = KERNEL.to_owned();
    if case.product.is_empty() {
        // Loads with a reduction.
        text = text.replace("sm_100a", "sm_103a");
    }
    let usual = [
        ("ALLOC", format!("@%first tcgen05.alloc.cta_group::{group}.sync.aligned.shared::cta.b32 [place], 512;")),
        ("STORED", "tcgen05.wait::st.sync.aligned;".to_owned()),
        ("PRODUCT", format!("@%one {};", case.product)),
        ("COMMIT", commit.to_owned()),
        ("WAIT", "TRY: mbarrier.try_wait.parity.shared.b64 %over, [done], 0; @!%over bra TRY; tcgen05.fence::after_thread_sync;".to_owned()),
        ("FREE", format!("@%first tcgen05.dealloc.cta_group::{group}.sync.aligned.b32 %tm, 512;")),
    ];
    for (name, with) in case.changes.iter().chain(&usual) {
        text = text.replacen(&format!("    {name}\n"), &format!("    {with}\n"), 1);
    }
    let file = SourceFile::new("k.ptx", text).expect("a short text");
    let checked = warpc_ptx::check(&file);
    let shown = warpc_diag::render_human(&file, &checked.diagnostics, false);
    assert!(!checked.diagnostics.has_errors(), "{shown}");
    let options = Options {
        seed,
        jobs: 1,
        races: Races::All,
        ..Options::default()
    };
    let mut device = Device::new(checked.value.as_ref().unwrap(), options);
    let blocks = if case.pair { 2 } else { 1 };
    let mut image = case.image.clone();
    image.resize(32768 * blocks, 0);
    let mut words: Vec<u8> = case
        .words
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    words.resize(128 * WORDS * 4 * blocks, 0);
    let image = device.buffer(&image);
    let words = device.buffer(&words);
    let out = device.buffer(&vec![0; 131072 * blocks]);
    let outcome = device.launch(&Launch {
        kernel: "k".to_owned(),
        grid: [blocks as u32, 1, 1],
        block: [128, 1, 1],
        cluster: case.pair.then_some([2, 1, 1]),
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![
            Argument::Buffer(image),
            Argument::Buffer(words),
            Argument::Buffer(out),
            Argument::Value(case.a.to_le_bytes().to_vec()),
            Argument::Value(case.b.to_le_bytes().to_vec()),
            Argument::Value(case.id.to_le_bytes().to_vec()),
            Argument::Value(case.columns.to_le_bytes().to_vec()),
            Argument::Value(case.mask.to_le_bytes().to_vec()),
        ],
    });
    if let Err(found) = outcome {
        let shown = warpc_diag::render_human(&file, &found, false);
        return Err((found.first_error().map_or("", |error| error.code.0), shown));
    }
    let bytes = device.read(out);
    Ok(bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|word| u32::from_le_bytes(*word))
        .collect())
}

fn code(case: &Case) -> &'static str {
    match run(case, 1) {
        Ok(_) => "ok",
        Err((code, _)) => code,
    }
}

/// A descriptor of a matrix at an offset, of so many lines of pieces of 16 bytes: eight pieces of a column of them are together.
fn matrix(offset: u32, lines: usize) -> u64 {
    let leading = lines as u64 / 8 * 128;
    u64::from(offset / 16) | (leading / 16) << 16 | (128 / 16) << 32 | 1 << 46
}

/// Where an element of such a matrix is.
fn at(lines: usize, line: usize, byte: usize) -> usize {
    line % 8 * 16 + line / 8 * 128 + byte / 16 * (lines / 8 * 128) + byte % 16
}

/// The letters of the manual's layouts.
fn place(layout: char, row: usize, column: usize, columns: usize) -> (usize, usize) {
    match layout {
        'A' | 'D' => (row, column),
        'B' | 'E' => (row + column / (columns / 2) * 64, column % (columns / 2)),
        'C' | 'F' => (row / 16 * 32 + row % 16, column),
        _ => (row + column / (columns / 4) * 32, column % (columns / 4)),
    }
}

/// The elements: whole numbers that are short, without a pattern.
fn value(seed: usize, at: usize) -> i32 {
    ((at * 7919 + seed * 104_729 + at / 13 * 31) % 7) as i32 - 3
}

fn half(value: i32) -> u16 {
    let sign = if value < 0 { 0x8000 } else { 0 };
    sign | match value.abs() {
        0 => 0,
        1 => 0x3c00,
        2 => 0x4000,
        _ => 0x4200,
    }
}

/// Which type of elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    F16,
    Tf32,
    I8,
    E4m3,
}

impl Kind {
    fn bytes(self) -> usize {
        match self {
            Kind::F16 => 2,
            Kind::Tf32 => 4,
            _ => 1,
        }
    }

    fn put(self, value: i32) -> Vec<u8> {
        match self {
            Kind::F16 => half(value).to_le_bytes().to_vec(),
            Kind::Tf32 => (value as f32).to_le_bytes().to_vec(),
            Kind::I8 => vec![value as u8],
            Kind::E4m3 => {
                let sign = if value < 0 { 0x80 } else { 0 };
                vec![sign | [0, 0x38, 0x40, 0x44][value.unsigned_abs() as usize]]
            }
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::F16 => "kind::f16",
            Kind::Tf32 => "kind::tf32",
            Kind::I8 => "kind::i8",
            Kind::E4m3 => "kind::f8f6f4",
        }
    }

    /// The types of D, A and B in a descriptor.
    fn types(self) -> u32 {
        match self {
            Kind::F16 | Kind::E4m3 => 1 << 4,
            Kind::Tf32 => 1 << 4 | 2 << 7 | 2 << 10,
            Kind::I8 => 2 << 4 | 1 << 7 | 1 << 10,
        }
    }

    fn word(self, value: i32) -> u32 {
        match self {
            Kind::I8 => value as u32,
            _ => (value as f32).to_bits(),
        }
    }
}

/// What a test asks for.
#[derive(Clone, Copy)]
struct Shape {
    kind: Kind,
    rows: usize,
    columns: usize,
    layout: char,
    pair: bool,
    stationary: bool,
    sparse: bool,
    /// A is in tensor memory.
    a_in_memory: bool,
    mask: u64,
    selector: u32,
}

const PLAIN: Shape = Shape {
    kind: Kind::F16,
    rows: 128,
    columns: 32,
    layout: 'D',
    pair: false,
    stationary: false,
    sparse: false,
    a_in_memory: false,
    mask: 0,
    selector: 0,
};

impl Shape {
    fn blocks(&self) -> usize {
        if self.pair { 2 } else { 1 }
    }

    fn own_rows(&self) -> usize {
        self.rows / self.blocks()
    }

    /// Logical elements along k.
    fn k(&self) -> usize {
        32 / self.kind.bytes() * if self.sparse { 2 } else { 1 }
    }

    /// Copies of A and metadata, one above the other.
    fn parts(&self) -> usize {
        match self.layout {
            'B' | 'E' => 2,
            'G' => 4,
            _ => 1,
        }
    }

    /// The places of the stored elements of a group of a row: bits of metadata, and which of them.
    fn chosen(&self, row: usize, group: usize) -> (u32, Vec<usize>) {
        match self.kind {
            Kind::Tf32 => {
                [(0b0100, vec![0]), (0b1110, vec![1])][(row * 5 + group * 3) / 2 % 2].clone()
            }
            _ => {
                let places = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
                let (first, second) = places[(row * 5 + group) % 6];
                ((first | second << 2) as u32, vec![first, second])
            }
        }
    }

    /// A with its zeros.
    fn a(&self, row: usize, k: usize) -> i32 {
        let group = if self.kind == Kind::Tf32 { 2 } else { 4 };
        let is_there = !self.sparse || self.chosen(row, k / group).1.contains(&(k % group));
        if is_there { value(1, row * 64 + k) } else { 0 }
    }

    fn b(&self, k: usize, column: usize) -> i32 {
        value(2, k * 300 + column)
    }

    fn case(&self) -> Case {
        let (own, k, bytes) = (self.own_rows(), self.k(), self.kind.bytes());
        let stored = k / if self.sparse { 2 } else { 1 };
        let mut image = vec![0; 32768 * self.blocks()];
        let mut words = vec![0; 128 * WORDS * self.blocks()];
        let own_columns = self.columns / self.blocks();
        // Columns of B that come after the last one are used if it is shifted.
        let lines_of_b = own_columns + if self.stationary { 32 } else { 0 };
        for block in 0..self.blocks() {
            let mut set = |lane: usize, column: usize, word: u32| {
                words[(block * 128 + lane) * WORDS + column] |= word;
            };
            for row in 0..own {
                let group = if self.kind == Kind::Tf32 { 2 } else { 4 };
                let all = block * own + row;
                let kept: Vec<usize> = match self.sparse {
                    true => (0..k / group)
                        .flat_map(|at| {
                            self.chosen(all, at)
                                .1
                                .into_iter()
                                .map(move |place| at * group + place)
                        })
                        .collect(),
                    false => (0..k).collect(),
                };
                for (index, k) in kept.iter().enumerate() {
                    let element = self.kind.put(self.a(all, *k));
                    for (byte, bits) in element.iter().enumerate() {
                        let at_byte = index * bytes + byte;
                        match self.a_in_memory {
                            false => image[block * 32768 + at(own, row, at_byte)] = *bits,
                            true => {
                                for part in 0..self.parts() {
                                    let (lane, _) = place(self.layout, row, 0, self.columns);
                                    let lane = lane + part * 128 / self.parts();
                                    set(
                                        lane,
                                        272 + at_byte / 4,
                                        u32::from(*bits) << (at_byte % 4 * 8),
                                    );
                                }
                            }
                        }
                    }
                }
                for at in 0..if self.sparse { k / group } else { 0 } {
                    let (bits, _) = self.chosen(all, at);
                    for part in 0..self.parts() {
                        let (in_lane, column, shift) = match bytes {
                            1 => (row, at / 8, at % 8 * 4),
                            _ => (
                                row / 16 * 16 + row % 8 + at / 4 * 8,
                                self.selector as usize,
                                at % 4 * 4 + row / 8 % 2 * 16,
                            ),
                        };
                        let (lane, _) = place(self.layout, in_lane, 0, self.columns);
                        set(
                            lane + part * 128 / self.parts(),
                            256 + column,
                            bits << shift,
                        );
                    }
                }
            }
            for line in 0..lines_of_b {
                for k in 0..k {
                    let element = self.kind.put(self.b(k, block * own_columns + line));
                    let to = block * 32768 + 8192 + at(lines_of_b, line, k * bytes);
                    image[to..to + bytes].copy_from_slice(&element);
                }
            }
            for row in 0..own {
                for column in 0..self.columns {
                    let (lane, at) = place(self.layout, row, column, self.columns);
                    words[(block * 128 + lane) * WORDS + at] =
                        self.kind.word(self.old(block * own + row, column));
                }
            }
        }
        assert_eq!(stored * bytes, 32);
        let group = self.blocks();
        let name = self.kind.name();
        let ws = if self.stationary { ".ws" } else { "" };
        let sp = if self.sparse { ".sp" } else { "" };
        let a = if self.a_in_memory { "[%tm+272]" } else { "%da" };
        let metadata = if self.sparse { ", [%tm+256]" } else { "" };
        let mask = if self.mask != 0 { ", %mask" } else { "" };
        let m_and_n = (self.columns as u32 / 8) << 17 | (self.rows as u32 / 16) << 24;
        let max_shift = if self.stationary { 3 << 30 } else { 0 };
        Case {
            pair: self.pair,
            product: format!(
                "tcgen05.mma{ws}{sp}.cta_group::{group}.{name} [%tm], {a}, %db{metadata}, %id, 1{mask}"
            ),
            image,
            words,
            a: matrix(0, own),
            b: matrix(8192, lines_of_b),
            id: self.kind.types()
                | u32::from(self.sparse) << 2
                | self.selector
                | m_and_n
                | max_shift,
            columns: 256,
            mask: self.mask,
            changes: Vec::new(),
        }
    }

    fn old(&self, row: usize, column: usize) -> i32 {
        value(3, row * 77 + column)
    }

    /// What D is; columns that count as zero, and by how many B is shifted, are given.
    fn check(&self, case: &Case, zero: impl Fn(usize) -> bool, shift: usize) {
        for seed in 0..2 {
            let found = run(case, seed).unwrap_or_else(|(_, shown)| panic!("{shown}"));
            for row in 0..self.rows {
                let (block, own) = (row / self.own_rows(), row % self.own_rows());
                for column in 0..self.columns {
                    let products =
                        (0..self.k()).map(|k| self.a(row, k) * self.b(k, column + shift));
                    let sum: i32 = if zero(column) { 0 } else { products.sum() };
                    let (lane, at) = place(self.layout, own, column, self.columns);
                    let expected = self.kind.word(sum + self.old(row, column));
                    let word = found[(block * 128 + lane) * 256 + at];
                    assert_eq!(word, expected, "{} row {row} column {column}", case.product);
                }
            }
        }
    }

    fn holds(&self) {
        self.check(&self.case(), |_| false, 0);
    }
}

#[test]
fn pairs_of_blocks() {
    for (rows, layout) in [(256, 'A'), (128, 'B')] {
        for (kind, a_in_memory) in [
            (Kind::F16, false),
            (Kind::F16, true),
            (Kind::I8, false),
            (Kind::Tf32, true),
        ] {
            Shape {
                kind,
                rows,
                layout,
                pair: true,
                columns: if kind == Kind::I8 { 64 } else { 48 },
                a_in_memory,
                ..PLAIN
            }
            .holds();
        }
    }
}

#[test]
fn stationary_factors() {
    for (rows, layout) in [(32, 'G'), (64, 'E'), (128, 'D')] {
        for (kind, a_in_memory) in [
            (Kind::F16, false),
            (Kind::E4m3, true),
            (Kind::I8, false),
            (Kind::Tf32, false),
        ] {
            let columns = if kind == Kind::F16 { 128 } else { 64 };
            Shape {
                kind,
                rows,
                layout,
                stationary: true,
                columns,
                a_in_memory,
                ..PLAIN
            }
            .holds();
        }
    }
}

#[test]
fn columns_that_count_as_zero() {
    // Spans of four columns that are used and three that are not; the second half begins with those, and leaves out one.
    let mask = 2 << 40 | 3 << 48 | 1 << 39 | 1 << 33 | 1 << 8 | 5u64 << 56;
    let shape = Shape {
        rows: 64,
        columns: 64,
        layout: 'E',
        stationary: true,
        mask,
        ..PLAIN
    };
    let zero = |column: usize| match column {
        0..32 => column % 7 >= 4,
        _ => (column - 32 + 1) % 7 < 3,
    };
    shape.check(&shape.case(), zero, 5);
    let mut far = shape.case();
    far.mask |= 63 << 56;
    assert_eq!(code(&far), "W0725");
    // The instruction descriptor allows no shift.
    let mut none = shape.case();
    none.id &= !(3 << 30);
    assert_eq!(code(&none), "W0725");
}

#[test]
fn sparse_factors() {
    for kind in [Kind::F16, Kind::Tf32, Kind::I8, Kind::E4m3] {
        for (rows, layout, pair, stationary) in [
            (64, 'F', false, false),
            (128, 'D', false, false),
            (256, 'A', true, false),
            (128, 'C', true, false),
            (32, 'G', false, true),
            (64, 'E', false, true),
        ] {
            let selectors = if kind.bytes() > 1 { 2 } else { 1 };
            for selector in 0..selectors {
                Shape {
                    kind,
                    rows,
                    columns: 64,
                    layout,
                    pair,
                    stationary,
                    sparse: true,
                    a_in_memory: selector == 1,
                    selector,
                    ..PLAIN
                }
                .holds();
            }
        }
    }
}

/// Scale factors of two blocks: those of A for the block's rows, those of B for all columns, where columns come in halves in two halves of
/// the lanes; and of a sparse A.
#[test]
fn scale_factors_of_pairs() {
    for (rows, layout, pair, sparse) in [
        (256, 'A', true, false),
        (128, 'B', true, false),
        (256, 'A', true, true),
        (128, 'C', true, true),
        (128, 'D', false, true),
    ] {
        let shape = Shape {
            kind: Kind::E4m3,
            rows,
            columns: 96,
            layout,
            pair,
            sparse,
            ..PLAIN
        };
        let mut case = shape.case();
        // Bytes are exponents: of rows by 3, of columns by 2.
        let parts = shape.parts();
        let width = shape.columns / parts;
        for block in 0..shape.blocks() {
            for lane in 0..128 {
                let words = &mut case.words[(block * 128 + lane) * WORDS..][..WORDS];
                for column in 0..4 {
                    let row = block * shape.own_rows() + column * 32 + lane % 32;
                    words[280 + column] = (127 + row % 3) as u32;
                    let line = lane / 32 * parts / 4 * width + column * 32 + lane % 32;
                    words[288 + column] = (127 + line % 2) as u32;
                }
            }
        }
        let group = shape.blocks();
        let sp = if sparse { ".sp" } else { "" };
        let metadata = if sparse { "[%tm+256], " } else { "" };
        case.product = format!(
            "tcgen05.mma{sp}.cta_group::{group}.kind::mxf8f6f4.block_scale [%tm], %da, %db, {metadata}%id, [%tm+280], [%tm+288], 1"
        );
        case.id = case.id & !(3 << 4) | 1 << 23;
        let found = run(&case, 1).unwrap_or_else(|(_, shown)| panic!("{shown}"));
        for row in 0..shape.rows {
            let (block, own) = (row / shape.own_rows(), row % shape.own_rows());
            for column in 0..shape.columns {
                let products = (0..shape.k()).map(|k| shape.a(row, k) * shape.b(k, column));
                let scale = 1 << (row % 3 + column % 2);
                let expected = products.sum::<i32>() * scale + shape.old(row, column);
                let (lane, at) = place(layout, own, column, shape.columns);
                let word = found[(block * 128 + lane) * 256 + at];
                assert_eq!(
                    word,
                    (expected as f32).to_bits(),
                    "{layout} row {row} column {column}"
                );
            }
        }
    }
}

#[test]
fn sums_that_count_less() {
    let shape = Shape {
        columns: 16,
        ..PLAIN
    };
    let mut case = shape.case();
    for word in &mut case.words {
        *word = (f32::from_bits(*word) * 8.0).to_bits();
    }
    case.product = case.product.replace("%id, 1", "%id, 1, 3");
    shape.check(&case, |_| false, 0);
}

/// What is invalid, and steps that are left out.
#[test]
fn findings() {
    let pair = Shape {
        rows: 256,
        pair: true,
        layout: 'A',
        ..PLAIN
    };
    let with = |case: &Case, changes: &[(&'static str, &str)]| {
        let mut case = case.clone();
        case.changes.extend(
            changes
                .iter()
                .map(|(name, text)| (*name, (*text).to_owned())),
        );
        code(&case)
    };
    let case = pair.case();
    assert_eq!(code(&case), "ok");
    // The block that does not multiply has to wait as well.
    let only_first =
        "@%one tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.b64 [done];";
    assert_eq!(with(&case, &[("COMMIT", only_first)]), "W0722");
    assert_eq!(with(&case, &[("WAIT", "")]), "W0737");
    assert_eq!(with(&case, &[("STORED", "")]), "W0737");
    let alone = "setp.eq.u32 %p, %rank, 0; @!%p ret; @%first tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [place], 512;";
    assert_eq!(with(&case, &[("ALLOC", alone)]), "W0722");
    let other = "setp.eq.u32 %p, %rank, 0; selp.u32 %w, 512, 256, %p; @%first tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [place], %w;";
    assert_eq!(with(&case, &[("ALLOC", other)]), "W0725");
    let mut rows = case.clone();
    rows.id = rows.id & !(31 << 24) | 4 << 24;
    assert_eq!(code(&rows), "W0725", "64 rows of two blocks");
    let mut lane = case.clone();
    lane.product = lane.product.replace("[%tm]", "[%tm+0x100000]");
    assert_eq!(code(&lane), "W0725");
    // A pair needs a cluster.
    let single = Case {
        pair: false,
        ..case.clone()
    };
    let [alloc, commit, free] = [
        "@%first tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [place], 512;",
        only_first,
        "@%first tcgen05.dealloc.cta_group::2.sync.aligned.b32 %tm, 512;",
    ];
    let changes = [("ALLOC", alloc), ("COMMIT", commit), ("FREE", free)];
    assert_eq!(with(&single, &changes), "W0725");
    // Metadata that nobody wrote, that have no meaning, at an odd column; a descriptor that specifies none.
    let sparse = Shape {
        sparse: true,
        ..PLAIN
    };
    let case = sparse.case();
    assert_eq!(code(&case), "ok");
    let mut never = case.clone();
    never.product = never.product.replace("[%tm+256]", "[%tm+400]");
    assert_eq!(code(&never), "W0725");
    let mut zero = case.clone();
    zero.words[5 * WORDS + 256] = 0;
    assert_eq!(code(&zero), "W0725");
    let mut odd = case.clone();
    odd.product = odd.product.replace("[%tm+256]", "[%tm+257]");
    assert_eq!(code(&odd), "W0725");
    let mut dense = case.clone();
    dense.id &= !4;
    assert_eq!(code(&dense), "W0725");
    let mut outside = case.clone();
    outside.product = outside.product.replace("[%tm+256]", "[%tm+512]");
    assert_eq!(code(&outside), "W0725");
    // The upper halves of lanes: D, A and metadata have to be in the same.
    let mut upper = Shape {
        rows: 64,
        layout: 'F',
        a_in_memory: true,
        ..sparse
    }
    .case();
    assert_eq!(code(&upper), "ok");
    upper.product = upper.product.replace("[%tm]", "[%tm+0x100000]");
    assert_eq!(code(&upper), "W0725");
}

#[test]
fn loads_with_a_reduction() {
    let mut case = Case {
        product: String::new(),
        words: (0..128 * WORDS as u32)
            .map(|at| ((at % 320) as f32 - 10.0 - (at / 320) as f32).to_bits())
            .collect(),
        columns: 1,
        ..Case::default()
    };
    let loads = |form: &str| {
        format!(
            ".reg .f32 %f<5>; .reg .b32 %b; tcgen05.ld.red.sync.aligned.32x32b.x4.{form} {{%f0, %f1, %f2, %f3}}, %f4, [%own+16]; \
             tcgen05.wait::ld.sync.aligned; mov.b32 %b, %f4; tcgen05.st.sync.aligned.32x32b.x1.b32 [%own], {{%b}}; tcgen05.wait::st.sync.aligned;"
        )
    };
    let run_with = |case: &mut Case, form: &str| {
        case.changes = vec![
            ("PRODUCT", loads(form)),
            ("COMMIT", String::new()),
            ("WAIT", String::new()),
        ];
        run(case, 1).unwrap_or_else(|(_, shown)| panic!("{shown}"))
    };
    for (form, expected) in [
        ("max.f32", (|lane: f32| 9.0 - lane) as fn(f32) -> f32),
        ("min.f32", |lane| 6.0 - lane),
        ("max.abs.f32", |lane| {
            (9.0 - lane).abs().max((6.0 - lane).abs())
        }),
    ] {
        let found = run_with(&mut case, form);
        for lane in 0..128 {
            assert_eq!(
                f32::from_bits(found[lane * 256]),
                expected(lane as f32),
                "{form} {lane}"
            );
        }
    }
}
