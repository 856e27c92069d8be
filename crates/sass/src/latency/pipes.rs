//! Pipes: where instructions are executed, and the ports by which registers go in and come out.

use super::effects::{Access, File, Role, base};

/// Where an instruction is executed, as far as latencies differ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Pipe {
    /// Integers, logic, comparisons.
    Alu,
    /// The same with predicates as results, from a register.
    SetPredicates,
    /// The dispatcher itself: votes, no-operations.
    Dispatch,
    /// The same with 64 bits of result.
    DispatchPair,
    /// Products and single precision.
    Fma,
    /// Products of 64 bits.
    Product,
    /// Pairs of halves.
    Half,
    /// The same, comparisons.
    HalfAlu,
    /// The same with a result of single precision.
    HalfSingle,
    /// Pairs of halves in the pipe of matrices.
    HalfMatrix,
    /// Double precision.
    Double,
    /// Matrices of 8 by 8, and those of integers where they have a pipe of their own.
    MatrixShort,
    /// Matrices of 16 by 8 with one step.
    Matrix,
    /// Matrices of 16 by 8 with two steps.
    MatrixLong,
    /// Matrices of double precision.
    MatrixDouble,
    /// Matrices of a warpgroup.
    Group,
    /// Branches and convergence.
    Branch,
    /// Functions, conversions, and what else takes as long as it takes.
    Variable,
    /// Memory.
    Memory,
    /// Textures and surfaces.
    Texture,
    /// The uniform datapath.
    Uniform,
    /// Loads of constants to uniform registers.
    UniformLoad,
    /// Moves to uniform registers.
    UniformMove,
    /// Votes with a uniform result.
    UniformVote,
    /// The choice of a thread.
    Elect,
    /// From the threads to a uniform register, at no fixed time.
    ToUniform,
    /// The same at a fixed time.
    MoveToUniform,
    /// Copies in bulk and tensor memory, which read uniform registers.
    Bulk,
}

/// Where a register or predicate goes into a pipe or comes out of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Port {
    /// What the pipe does for all its operands.
    Pipe(Pipe),
    /// The factors of a product of 64 bits.
    Factor,
    /// The lower half of the summand or result of such a product.
    ProductLow,
    /// The upper half.
    ProductHigh,
    /// The guard.
    Guard,
    /// The descriptor of a constant bank.
    Bindless,
}

/// The names of ports in tables.
static NAMES: [(&str, Port); 33] = [
    ("alu", Port::Pipe(Pipe::Alu)),
    ("r2p", Port::Pipe(Pipe::SetPredicates)),
    ("dispatch", Port::Pipe(Pipe::Dispatch)),
    ("pair", Port::Pipe(Pipe::DispatchPair)),
    ("fma", Port::Pipe(Pipe::Fma)),
    ("product", Port::Pipe(Pipe::Product)),
    ("factor", Port::Factor),
    ("low", Port::ProductLow),
    ("high", Port::ProductHigh),
    ("half", Port::Pipe(Pipe::Half)),
    ("halfalu", Port::Pipe(Pipe::HalfAlu)),
    ("halfsingle", Port::Pipe(Pipe::HalfSingle)),
    ("halfmatrix", Port::Pipe(Pipe::HalfMatrix)),
    ("double", Port::Pipe(Pipe::Double)),
    ("matrix", Port::Pipe(Pipe::Matrix)),
    ("matrixlong", Port::Pipe(Pipe::MatrixLong)),
    ("matrixshort", Port::Pipe(Pipe::MatrixShort)),
    ("matrixdouble", Port::Pipe(Pipe::MatrixDouble)),
    ("group", Port::Pipe(Pipe::Group)),
    ("branch", Port::Pipe(Pipe::Branch)),
    ("variable", Port::Pipe(Pipe::Variable)),
    ("memory", Port::Pipe(Pipe::Memory)),
    ("texture", Port::Pipe(Pipe::Texture)),
    ("uniform", Port::Pipe(Pipe::Uniform)),
    ("load", Port::Pipe(Pipe::UniformLoad)),
    ("move", Port::Pipe(Pipe::UniformMove)),
    ("vote", Port::Pipe(Pipe::UniformVote)),
    ("elect", Port::Pipe(Pipe::Elect)),
    ("touniform", Port::Pipe(Pipe::ToUniform)),
    ("r2ur", Port::Pipe(Pipe::MoveToUniform)),
    ("bulk", Port::Pipe(Pipe::Bulk)),
    ("guard", Port::Guard),
    ("bindless", Port::Bindless),
];

impl Port {
    /// How many there are.
    pub(super) const COUNT: usize = NAMES.len();

    /// All of them.
    pub(super) fn all() -> impl Iterator<Item = Port> {
        NAMES.iter().map(|row| row.1)
    }

    /// Its number among all.
    pub(super) const fn index(self) -> usize {
        match self {
            Port::Pipe(pipe) => pipe as usize,
            Port::Factor => Pipe::Bulk as usize + 1,
            Port::ProductLow => Pipe::Bulk as usize + 2,
            Port::ProductHigh => Pipe::Bulk as usize + 3,
            Port::Guard => Pipe::Bulk as usize + 4,
            Port::Bindless => Pipe::Bulk as usize + 5,
        }
    }

    /// The port with a name.
    pub const fn named(name: &str) -> Option<Port> {
        let mut row = 0;
        while row < NAMES.len() {
            if is_same(NAMES[row].0.as_bytes(), name.as_bytes()) {
                return Some(NAMES[row].1);
            }
            row += 1;
        }
        None
    }

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        let row = NAMES.iter().find(|row| row.1 == self);
        row.map_or("?", |row| row.0)
    }
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// The port of an access; `index` says which of its registers is meant.
pub(super) fn port(pipe: Pipe, access: &Access, index: u8) -> Port {
    match (access.role, pipe, access.file) {
        (Role::Guard, ..) => Port::Guard,
        (Role::Bindless, ..) => Port::Bindless,
        // The upper word of a product is all there is of it.
        (Role::Result, Pipe::Product, File::Register) if access.count < 2 => Port::ProductHigh,
        (_, Pipe::Product, File::Register) if access.count < 2 => Port::Factor,
        (_, Pipe::Product, File::Register) if index == 0 => Port::ProductLow,
        (_, Pipe::Product, File::Register) => Port::ProductHigh,
        _ => Port::Pipe(pipe),
    }
}

/// For each row of a table the [`hashes`] of the names that it begins with.
macro_rules! name_hashes {
    ($table:expr) => {{
        let mut all = [0; $table.len()];
        let mut row = 0;
        while row < $table.len() {
            all[row] = $crate::latency::pipes::hashes($table[row].0);
            row += 1;
        }
        all
    }};
}
pub(crate) use name_hashes;

/// A set of hashes of the names in a text without their modifiers: names whose hash is not there are not in the text.
/// Tables have it made when the crate is compiled, because most rows are not of a name and are then not read.
pub(crate) const fn hashes(names: &str) -> u128 {
    let names = names.as_bytes();
    let (mut all, mut at) = (0, 0);
    while at < names.len() {
        let mut hash = SEED;
        while at < names.len() && !matches!(names[at], b' ' | b'.') {
            hash = with_byte(hash, names[at]);
            at += 1;
        }
        all |= 1 << (hash >> HASH_SHIFT);
        while at < names.len() && names[at] != b' ' {
            at += 1;
        }
        at += 1;
    }
    all
}

const SEED: u32 = 0x811c_9dc5;
/// Seven bits are left.
const HASH_SHIFT: u32 = 25;

const fn with_byte(hash: u32, byte: u8) -> u32 {
    (hash ^ byte as u32).wrapping_mul(0x0100_0193)
}

/// The hash of a name without modifiers, as the bit of a set.
pub(crate) fn hash(base: &str) -> u128 {
    1 << (base.bytes().fold(SEED, with_byte) >> HASH_SHIFT)
}

/// Whether a name with modifiers is one of these, separated by spaces; each may have modifiers that the name must have
/// too.
pub(crate) fn is(names: &str, name: &str) -> bool {
    let (own, mut rest) = (base(name), names);
    loop {
        // Most begin otherwise: they are not cut out.
        if let Some(after) = rest.strip_prefix(own)
            && has_all(after, name)
        {
            return true;
        }
        match rest.bytes().position(|byte| byte == b' ') {
            Some(end) => rest = &rest[end + 1..],
            None => return false,
        }
    }
}

/// Whether a name has the modifiers that a wanted one goes on with, and that ends there.
fn has_all(rest: &str, name: &str) -> bool {
    let wanted = rest.split(' ').next().unwrap_or(rest);
    match wanted.strip_prefix('.') {
        None => wanted.is_empty(),
        Some(wanted) => {
            (wanted.split('.')).all(|modifier| name.split('.').skip(1).any(|own| own == modifier))
        }
    }
}

/// Rows of names, separated by spaces, and what holds for them.
pub struct Rows<T: 'static> {
    rows: &'static [(&'static str, T)],
    hashes: &'static [u128],
}

/// Rows with their hashes.
macro_rules! rows {
    ($type:ty, $rows:expr) => {{
        const ROWS: &[(&str, $type)] = $rows;
        const HASHES: [u128; ROWS.len()] = $crate::latency::pipes::name_hashes!(ROWS);
        $crate::latency::pipes::Rows::new(ROWS, &HASHES)
    }};
}
pub(crate) use rows;

impl<T: Copy> Rows<T> {
    pub(super) const fn new(rows: &'static [(&'static str, T)], hashes: &'static [u128]) -> Self {
        Rows { rows, hashes }
    }

    /// What holds for a name: the first row that fits.
    pub(super) fn first(&self, name: &str) -> Option<T> {
        let hash = hash(base(name));
        let mut rows = self.rows.iter().zip(self.hashes);
        let row = rows.find(|(row, hashes)| *hashes & hash != 0 && is(row.0, name))?;
        Some(row.0.1)
    }
}

/// The pipes of operations on most chips; the first row that fits counts.
#[rustfmt::skip]
pub(super) static PIPES: Rows<Pipe> = rows!(Pipe, &[
    ("IMAD.WIDE IMAD.HI", Pipe::Product),
    ("IMAD IDP FADD FMUL FFMA FADD2 FMUL2 FFMA2 FSWZADD", Pipe::Fma),
    ("VIADD", Pipe::Fma),
    ("IADD3 IADD LEA IABS IMNMX VIMNMX VIADDMNMX VIMNMX3 VABSDIFF VABSDIFF4 MOV SEL PRMT LOP3 SHF SGXT BMSK", Pipe::Alu),
    ("FMNMX FMNMX3 FSEL FSET FSETP ISETP PLOP3 P2R I2I I2IP F2IP F2FP I2FP RPCMOV", Pipe::Alu),
    ("R2P", Pipe::SetPredicates),
    ("CS2R.32", Pipe::Alu),
    ("CS2R LEPC PMTRIG", Pipe::DispatchPair),
    ("VOTE NOP", Pipe::Dispatch),
    ("HADD2.F32", Pipe::HalfSingle),
    ("HFMA2.MMA", Pipe::HalfMatrix),
    ("HADD2 HMUL2 HFMA2", Pipe::Half),
    ("HSET2 HSETP2 HMNMX2", Pipe::HalfAlu),
    ("DADD DMUL DFMA DSETP", Pipe::Double),
    ("HMMA BMMA QMMA", Pipe::Matrix),
    ("IMMA", Pipe::MatrixShort),
    ("DMMA", Pipe::MatrixDouble),
    ("HGMMA IGMMA BGMMA QGMMA", Pipe::Group),
    // Functions, conversions, special registers, exchanges.
    ("MUFU FCHK F2F F2I I2F FRND FLO BREV POPC MATCH LDC SYNCS LDTM STTM", Pipe::Variable),
    ("S2R B2R SHFL BAR MOVM", Pipe::Memory),
    // Memory.
    ("LD LDG LDS LDL LDSM LDGMC LDGSTS LDGDEPBAR ST STG STS STL STSM STAS ATOM ATOMG ATOMS RED REDG REDAS", Pipe::Memory),
    ("CCTL QSPC ARRIVES MEMBAR ERRBAR CGAERRBAR FENCE", Pipe::Memory),
    ("TEX TLD TLD4 TXD TXQ SULD SUST SURED", Pipe::Texture),
    // Control flow.
    ("BRA BRX JMP JMX BRXU JMXU KILL CALL RET EXIT BPT BSSY BSYNC BREAK BMOV WARPSYNC ENDCOLLECTIVE YIELD", Pipe::Branch),
    ("NANOSLEEP PREEXIT ACQBULK DEPBAR WARPGROUP", Pipe::Branch),
    // Uniform registers.
    ("R2UR REDUX S2UR CREDUX", Pipe::ToUniform),
    ("CS2UR", Pipe::UniformMove),
    ("LDCU", Pipe::ToUniform),
    ("ULDC", Pipe::UniformLoad),
    ("UMOV", Pipe::UniformMove),
    ("VOTEU", Pipe::UniformVote),
    ("ELECT", Pipe::Elect),
    ("UBLKCP UBLKRED UBLKPF UTMALDG UTMASTG UTMAREDG UTMAPF UTMACMDFLUSH UTMACCTL", Pipe::Bulk),
    ("UTC UTCHMMA UTCIMMA UTCQMMA UTCCP UTCSHIFT UTCATOMSWS UTCBAR UGETNEXTWORKID USETMAXREG", Pipe::Bulk),
    ("UCGABAR_ARV UCGABAR_WAIT UVIRTCOUNT", Pipe::Bulk),
    ("UIADD3 ULEA UIMAD UISETP ULOP3 USHF USGXT UBMSK UBREV UFLO UPOPC UPRMT USEL UPLOP3 UP2UR UR2UP UIABS UVIMNMX UIMNMX UVIADD UCLEA", Pipe::Uniform),
    ("UFADD UFMUL UFFMA UFSEL UFSETP UFSET UFMNMX UF2I UF2F UF2FP UI2F UI2FP UI2I UI2IP UFRND", Pipe::Uniform),
]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_port_has_a_number_of_its_own() {
        let mut numbers: Vec<usize> = NAMES.iter().map(|(_, port)| port.index()).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..Port::COUNT).collect::<Vec<_>>());
    }
}
