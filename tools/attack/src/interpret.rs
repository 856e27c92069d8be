//! What a program writes.

use crate::program::{Arg, Edge, Function, ICMP, Inst, Kind, Op, Place, Program, Term, seen};
use crate::ty::{Format, Scalar, Ty};
use crate::{float, integer};

/// A byte of memory, if it is known.
type Byte = Option<u8>;

/// What was seen of the instructions of each function.
pub type Seen = Vec<Vec<u32>>;

/// What a program writes, and what was seen.
pub struct Ran {
    /// For each thread, the parts of each result.
    pub results: Vec<Vec<Vec<u128>>>,
    /// By function and value.
    pub seen: Seen,
}

/// Why a program says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unclear {
    /// It reads a byte that nothing has written.
    Unknown,
    /// It does not end soon.
    Long,
}

/// Runs all threads.
pub fn run(program: &Program) -> Result<Ran, Unclear> {
    let empty = program.functions.iter();
    let empty = empty.map(|function| vec![0; function.types.len()]);
    let mut machine = Machine {
        program,
        memory: Vec::new(),
        seen: empty.collect(),
        fuel: 0,
    };
    let mut results = Vec::new();
    for input in &program.input {
        machine.fuel = 20_000;
        machine.memory.clear();
        let kernel = program.functions.len() - 1;
        results.push(machine.call(kernel, Vec::new(), &[], input)?);
    }
    Ok(Ran {
        results,
        seen: machine.seen,
    })
}

struct Machine<'p> {
    program: &'p Program,
    memory: Vec<Vec<Byte>>,
    seen: Seen,
    fuel: u32,
}

/// A running function.
struct Frame<'f> {
    function: &'f Function,
    number: usize,
    values: Vec<Vec<u128>>,
    /// For each object, its memory and where in it.
    objects: Vec<(usize, u64)>,
}

impl Frame<'_> {
    fn value(&self, arg: &Arg) -> Vec<u128> {
        match arg {
            Arg::Local(id) => self.values[*id].clone(),
            Arg::Const(_, parts) => parts.clone(),
        }
    }

    /// Memory and offset of a place; `rest` are its operands.
    fn place(&self, place: &Place, rest: &[Arg]) -> (usize, usize) {
        let mut rest = rest.iter();
        let mut offset = place.offset;
        if let Some((scale, bits)) = place.index {
            let index = self.value(rest.next().expect("an index has an operand"))[0];
            offset += scale * (index as u64 & ((1 << bits) - 1));
        }
        let mut object = place.object;
        if let Some(other) = place.other {
            let condition = rest.next().expect("a choice has an operand");
            if self.value(condition)[0] & 1 == 0 {
                object = other;
            }
        }
        let (memory, base) = self.objects[object];
        (memory, (base + offset) as usize)
    }
}

/// How many operands a place takes.
pub fn operands(place: &Place) -> usize {
    usize::from(place.index.is_some()) + usize::from(place.other.is_some())
}

impl Machine<'_> {
    fn call(
        &mut self,
        number: usize,
        args: Vec<Vec<u128>>,
        pointers: &[(usize, u64)],
        input: &[u8],
    ) -> Result<Vec<Vec<u128>>, Unclear> {
        let function = &self.program.functions[number];
        let mut pointers = pointers.iter();
        let mut objects = Vec::new();
        for object in &function.objects {
            let size = object.size as usize;
            let known = |bytes: &[u8]| bytes.iter().copied().map(Some).collect();
            let bytes: Vec<Byte> = match &object.kind {
                Kind::Input => known(input),
                Kind::Stack | Kind::Variable(_) => vec![None; size],
                Kind::Table(_, bytes) | Kind::Parameter(bytes) => known(bytes),
                Kind::ByValue(_) => {
                    let (memory, at) = *pointers.next().expect("every pointer is passed");
                    self.memory[memory][at as usize..at as usize + size].to_vec()
                }
                Kind::Reference => {
                    objects.push(*pointers.next().expect("every pointer is passed"));
                    continue;
                }
            };
            objects.push((self.memory.len(), 0));
            self.memory.push(bytes);
        }
        let mut frame = Frame {
            function,
            number,
            values: vec![Vec::new(); function.types.len()],
            objects,
        };
        for (i, arg) in args.into_iter().enumerate() {
            frame.values[i] = arg;
        }
        let mut at = 0;
        loop {
            let block = &function.blocks[at];
            for inst in &block.insts {
                self.fuel = self.fuel.checked_sub(1).ok_or(Unclear::Long)?;
                let value = self.step(&frame, inst)?;
                frame.values[inst.id] = value;
            }
            self.fuel = self.fuel.checked_sub(1).ok_or(Unclear::Long)?;
            let edge = match &block.term {
                Term::Return(args) => {
                    return Ok(args.iter().map(|arg| frame.value(arg)).collect());
                }
                Term::Jump(edge) => edge,
                Term::Branch(condition, yes, no) => match frame.value(condition)[0] & 1 {
                    1 => yes,
                    _ => no,
                },
                Term::Switch(value, cases, default) => {
                    let value = frame.value(value)[0];
                    let case = cases.iter().find(|(key, _)| *key == value);
                    case.map_or(default, |(_, edge)| edge)
                }
            };
            let Edge { to, values } = edge;
            let values: Vec<_> = values.iter().map(|arg| frame.value(arg)).collect();
            for (slot, value) in function.blocks[*to].slots.iter().zip(values) {
                frame.values[*slot] = value;
            }
            at = *to;
        }
    }

    fn load(&self, ty: &Ty, memory: usize, at: usize) -> Result<Vec<u128>, Unclear> {
        let bytes = &self.memory[memory][at..at + ty.store_size() as usize];
        ty.parts_of(bytes).ok_or(Unclear::Unknown)
    }

    fn step(&mut self, frame: &Frame<'_>, inst: &Inst) -> Result<Vec<u128>, Unclear> {
        let ty = &frame.function.types[inst.id];
        let args: Vec<Vec<u128>> = inst.args.iter().map(|arg| frame.value(arg)).collect();
        let of = |i: usize| frame.function.ty(&inst.args[i]);
        let mut flags = seen::RAN;
        let result = match &inst.op {
            Op::Load(place) => {
                let (memory, at) = frame.place(place, &inst.args);
                self.load(ty, memory, at)?
            }
            Op::Store(place) => {
                let (memory, at) = frame.place(place, &inst.args[1..]);
                let bytes = of(0).to_bytes(&args[0]);
                self.memory[memory][at..at + bytes.len()].copy_from_slice(&bytes);
                args[0].clone()
            }
            Op::Spill(..) => args[0].clone(),
            Op::Copy {
                to, from, bytes, ..
            } => {
                let (to_memory, to_at) = frame.place(to, &inst.args);
                let rest = &inst.args[operands(to)..];
                let (memory, at) = frame.place(from, rest);
                let copied = self.memory[memory][at..at + *bytes as usize].to_vec();
                self.memory[to_memory][to_at..to_at + copied.len()].copy_from_slice(&copied);
                Vec::new()
            }
            Op::Set { to, bytes } => {
                let (memory, at) = frame.place(to, &inst.args[1..]);
                self.memory[memory][at..at + *bytes as usize].fill(Some(args[0][0] as u8));
                Vec::new()
            }
            Op::Call(function, places) => {
                let values = self.program.functions[*function].params.len();
                let mut rest = &inst.args[values..];
                let mut pointers = Vec::new();
                for place in places {
                    let (memory, at) = frame.place(place, rest);
                    rest = &rest[operands(place)..];
                    pointers.push((memory, at as u64));
                }
                let args = args[..values].to_vec();
                self.call(*function, args, &pointers, &[])?.swap_remove(0)
            }
            _ => {
                let types: Vec<Ty> = (0..args.len()).map(of).collect();
                let (result, broken) = compute(&inst.op, ty, &types, &args);
                flags |= broken;
                result
            }
        };
        self.seen[frame.number][inst.id] |= flags;
        Ok(result)
    }
}

/// What an operation without memory gives, and the flags that do not hold.
fn compute(op: &Op, ty: &Ty, types: &[Ty], args: &[Vec<u128>]) -> (Vec<u128>, u32) {
    let width = types[0].scalar().width();
    let mut flags = 0;
    let mut lanes = |f: &mut dyn FnMut(usize) -> (u128, u32)| -> Vec<u128> {
        let lane = |i| {
            let (bits, broken) = f(i);
            flags |= broken;
            bits
        };
        (0..args[0].len()).map(lane).collect()
    };
    let format = match types[0].scalar() {
        Scalar::Fp(format) => format,
        Scalar::Int(_) => Format::Double,
    };
    let to = match ty.scalar() {
        Scalar::Fp(format) => format,
        Scalar::Int(_) => Format::Double,
    };
    let result = match op {
        Op::Int(op) => lanes(&mut |i| integer::two(*op, width, args[0][i], args[1][i])),
        Op::Bit(op) => lanes(&mut |i| integer::one(*op, width, args[0][i])),
        Op::Cmp(predicate) => lanes(&mut |i| {
            let (holds, broken) = integer::compare(ICMP[*predicate], width, args[0][i], args[1][i]);
            (holds.into(), broken)
        }),
        Op::Sign(is_signed) => lanes(&mut |i| {
            let (a, b) = (args[0][i], args[1][i]);
            let (x, y) = (integer::signed(width, a), integer::signed(width, b));
            let order = if *is_signed { x.cmp(&y) } else { a.cmp(&b) };
            let mask = crate::chance::mask(ty.scalar().width());
            (order as i8 as i128 as u128 & mask, 0)
        }),
        Op::Funnel(left) => lanes(&mut |i| {
            (
                integer::funnel(*left, width, args[0][i], args[1][i], args[2][i]),
                0,
            )
        }),
        Op::Overflow(is_signed, op) => {
            let pairs = args[0].iter().zip(&args[1]);
            let pairs = pairs.map(|(a, b)| integer::overflow(*is_signed, *op, width, *a, *b));
            let (bits, over): (Vec<u128>, Vec<bool>) = pairs.unzip();
            bits.into_iter()
                .chain(over.into_iter().map(u128::from))
                .collect()
        }
        Op::Reduce(op) => {
            let all = args[0].iter().copied();
            let folded = all.reduce(|a, b| integer::two(*op, width, a, b).0);
            vec![folded.expect("a vector has elements")]
        }
        Op::Select => {
            let whole = args[0].len() == 1;
            let pick = |i: usize| {
                let condition = args[0][if whole { 0 } else { i }] & 1;
                args[if condition == 1 { 1 } else { 2 }][i]
            };
            (0..args[1].len()).map(pick).collect()
        }
        Op::Trunc => {
            let to = ty.scalar().width();
            lanes(&mut |i| {
                let bits = args[0][i] & crate::chance::mask(to);
                let mut broken = 0;
                if bits != args[0][i] {
                    broken |= seen::NUW;
                }
                if integer::signed(to, bits) != integer::signed(width, args[0][i]) {
                    broken |= seen::NSW;
                }
                (bits, broken)
            })
        }
        Op::ZExt => lanes(&mut |i| {
            let negative = args[0][i] >> (width - 1) & 1 == 1;
            (args[0][i], if negative { seen::NNEG } else { 0 })
        }),
        Op::SExt => {
            let mask = crate::chance::mask(ty.scalar().width());
            lanes(&mut |i| (integer::signed(width, args[0][i]) as u128 & mask, 0))
        }
        Op::Bitcast => repack(&types[0], ty, &args[0]),
        Op::Freeze => args[0].clone(),
        Op::Extract => vec![args[0][(args[1][0] % args[0].len() as u128) as usize]],
        Op::Insert => {
            let mut all = args[0].clone();
            let at = (args[2][0] % all.len() as u128) as usize;
            all[at] = args[1][0];
            all
        }
        Op::Shuffle(mask) => {
            let both = [&args[0][..], &args[1][..]].concat();
            mask.iter().map(|i| both[*i as usize]).collect()
        }
        Op::GetField(field) => {
            let (at, inner) = types[0].field(*field);
            args[0][at..at + inner.leaves().len()].to_vec()
        }
        Op::SetField(field) => {
            let mut all = args[0].clone();
            let (at, _) = types[0].field(*field);
            all[at..at + args[1].len()].copy_from_slice(&args[1]);
            all
        }
        Op::Float(op) => lanes(&mut |i| {
            let (a, b) = (args[0][i], args[1][i]);
            let result = float::two(*op, format, a, b);
            let mut broken = kinds(format, &[a, b, result]);
            if *op == float::Two::Mul && !float::product_is_exact(format, a, b) {
                broken |= seen::ROUNDED;
            }
            (result, broken)
        }),
        Op::FloatOne(op) => lanes(&mut |i| {
            let result = float::single(*op, format, args[0][i]);
            (result, kinds(format, &[args[0][i], result]))
        }),
        Op::Fma => lanes(&mut |i| {
            let [a, b, c] = [args[0][i], args[1][i], args[2][i]];
            let result = float::fma(format, a, b, c);
            (result, kinds(format, &[a, b, c, result]))
        }),
        Op::FCmp(predicate) => lanes(&mut |i| {
            let (a, b) = (args[0][i], args[1][i]);
            let holds = float::compare(float::PREDICATES[*predicate].1, format, a, b);
            (holds.into(), kinds(format, &[a, b]))
        }),
        Op::Canonical => lanes(&mut |i| {
            let bits = args[0][i];
            (float::canonical(format, bits), kinds(format, &[bits]))
        }),
        Op::FpConvert => lanes(&mut |i| {
            let result = float::convert(format, to, args[0][i]);
            (result, kinds(format, &[args[0][i]]) | kinds(to, &[result]))
        }),
        Op::FromInt(is_signed) => lanes(&mut |i| {
            let bits = args[0][i];
            let negative = bits >> (width - 1) & 1 == 1;
            let result = float::from_int(to, *is_signed, width, bits);
            let nneg = if negative { seen::NNEG } else { 0 };
            (result, nneg | kinds(to, &[result]))
        }),
        Op::ToInt(is_signed) => lanes(&mut |i| {
            let to = ty.scalar().width();
            let (bits, inside) = float::to_int(format, *is_signed, to, args[0][i]);
            let guard = if inside { 0 } else { seen::GUARD };
            (bits, guard | kinds(format, &[args[0][i]]))
        }),
        _ => unreachable!("memory and calls are done by the machine"),
    };
    (result, flags)
}

/// What kinds of numbers there are among these.
fn kinds(format: Format, all: &[u128]) -> u32 {
    let any = |test: fn(Format, u128) -> bool| all.iter().any(|bits| test(format, *bits));
    let large = |format, bits| {
        let value = float::to_f64(format, bits);
        !(value.abs() <= 1024.0 && value.fract() == 0.0)
    };
    [
        (seen::NAN, any(float::is_nan)),
        (seen::INF, any(float::is_inf)),
        (seen::ZERO, any(float::is_zero)),
        (seen::SUBNORMAL, any(float::is_subnormal)),
        (seen::LARGE, any(large)),
    ]
    .iter()
    .filter(|(_, is)| *is)
    .fold(0, |sum, (flag, _)| sum | flag)
}

/// The same bits in parts of another width; the first is the lowest.
fn repack(from: &Ty, to: &Ty, parts: &[u128]) -> Vec<u128> {
    let (a, b) = (from.scalar().width() as usize, to.scalar().width() as usize);
    let bit = |at: usize| parts[at / a] >> (at % a) & 1;
    let part = |lane: usize| (0..b).fold(0, |sum, i| sum | bit(lane * b + i) << i);
    (0..to.lanes() as usize).map(part).collect()
}
