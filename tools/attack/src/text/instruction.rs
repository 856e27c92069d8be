//! Instructions that compute, with the flags that hold and the guards that are needed.

use super::Writer;
use crate::float::{self, PREDICATES, Single, Two};
use crate::program::{Arg, BitOp, ICMP, Id, Inst, IntOp, Op, seen};
use crate::ty::{Format, Scalar, Ty};

impl Writer<'_> {
    pub(super) fn instruction(&mut self, inst: &Inst) {
        let id = inst.id;
        let args = &inst.args;
        let ty = self.function.types[id].clone();
        match &inst.op {
            Op::Load(place) => self.load(id, place, args),
            Op::Store(place) => self.store(place, args),
            Op::Spill(from, to) => self.spill(id, *from, *to, &args[0]),
            Op::Copy {
                to,
                from,
                bytes,
                may_overlap,
            } => self.copy(to, from, *bytes, *may_overlap, args),
            Op::Set { to, bytes } => self.set(to, *bytes, args),
            Op::Call(callee, places) => self.call(id, *callee, places, args),
            Op::Int(op) => self.int(id, *op, &ty, args),
            Op::Bit(op) => self.bit(id, *op, &ty, &args[0]),
            Op::Cmp(predicate) => {
                let same = match self.flag(id, seen::SAMESIGN) && ICMP[*predicate].len() == 3 {
                    true => "samesign ",
                    false => "",
                };
                let (a, b) = (self.typed(&args[0]), self.arg(&args[1]));
                self.line(&format!(
                    "%v{id} = icmp {same}{} {a}, {b}",
                    ICMP[*predicate]
                ));
            }
            Op::Sign(is_signed) => {
                let name = if *is_signed { "scmp" } else { "ucmp" };
                let of = self.function.ty(&args[0]);
                let full = format!("llvm.{name}.{}.{}", suffix(&ty), suffix(&of));
                self.intrinsic(id, &full, &ty, args);
            }
            Op::Funnel(left) => {
                let name = if *left { "fshl" } else { "fshr" };
                self.intrinsic(id, &format!("llvm.{name}.{}", suffix(&ty)), &ty, args);
            }
            Op::Overflow(is_signed, op) => {
                let sign = if *is_signed { 's' } else { 'u' };
                let of = self.function.ty(&args[0]);
                let name = format!("llvm.{sign}{}.with.overflow.{}", word(*op), suffix(&of));
                self.intrinsic(id, &name, &ty, args);
            }
            Op::Reduce(op) => {
                let of = self.function.ty(&args[0]);
                let name = format!("llvm.vector.reduce.{}.{}", word(*op), suffix(&of));
                self.intrinsic(id, &name, &ty, args);
            }
            Op::Trunc => {
                let mut flags = String::new();
                for (flag, name) in [(seen::NUW, "nuw "), (seen::NSW, "nsw ")] {
                    if self.flag(id, flag) {
                        flags.push_str(name);
                    }
                }
                self.cast(id, &format!("trunc {}", flags.trim()), &ty, &args[0]);
            }
            Op::ZExt if self.flag(id, seen::NNEG) => self.cast(id, "zext nneg", &ty, &args[0]),
            Op::ZExt => self.cast(id, "zext", &ty, &args[0]),
            Op::SExt => self.cast(id, "sext", &ty, &args[0]),
            Op::Bitcast => self.cast(id, "bitcast", &ty, &args[0]),
            Op::FromInt(true) => self.cast(id, "sitofp", &ty, &args[0]),
            Op::FromInt(false) => {
                let nneg = if self.flag(id, seen::NNEG) {
                    " nneg"
                } else {
                    ""
                };
                self.cast(id, &format!("uitofp{nneg}"), &ty, &args[0]);
            }
            Op::FpConvert => {
                let from = self.function.ty(&args[0]).scalar().width();
                let name = if from < ty.scalar().width() {
                    "fpext"
                } else {
                    "fptrunc"
                };
                self.cast(id, name, &ty, &args[0]);
            }
            Op::ToInt(is_signed) => {
                let name = if *is_signed { "fptosi" } else { "fptoui" };
                if self.flag(id, seen::GUARD) {
                    self.cast(id, name, &ty, &args[0]);
                } else {
                    let of = self.function.ty(&args[0]);
                    let full = format!("llvm.{name}.sat.{}.{}", suffix(&ty), suffix(&of));
                    self.intrinsic(id, &full, &ty, args);
                }
            }
            Op::Freeze => {
                let value = self.typed(&args[0]);
                self.line(&format!("%v{id} = freeze {value}"));
            }
            Op::Select => {
                let [a, b, c] = [0, 1, 2].map(|i: usize| self.typed(&args[i]));
                self.line(&format!("%v{id} = select {a}, {b}, {c}"));
            }
            Op::Extract => {
                let value = self.typed(&args[0]);
                let index = self.lane(&args[0], &args[1]);
                self.line(&format!("%v{id} = extractelement {value}, {index}"));
            }
            Op::Insert => {
                let (vector, value) = (self.typed(&args[0]), self.typed(&args[1]));
                let index = self.lane(&args[0], &args[2]);
                self.line(&format!(
                    "%v{id} = insertelement {vector}, {value}, {index}"
                ));
            }
            Op::Shuffle(mask) => {
                let (a, b) = (self.typed(&args[0]), self.typed(&args[1]));
                let places: Vec<String> = mask.iter().map(|i| format!("i32 {i}")).collect();
                let n = mask.len();
                let places = places.join(", ");
                self.line(&format!(
                    "%v{id} = shufflevector {a}, {b}, <{n} x i32> <{places}>"
                ));
            }
            Op::GetField(field) => {
                let value = self.typed(&args[0]);
                self.line(&format!("%v{id} = extractvalue {value}, {field}"));
            }
            Op::SetField(field) => {
                let (whole, value) = (self.typed(&args[0]), self.typed(&args[1]));
                self.line(&format!("%v{id} = insertvalue {whole}, {value}, {field}"));
            }
            Op::Float(op) => self.float(id, *op, &ty, args),
            Op::FloatOne(Single::Neg) => {
                let flags = self.fast(id, true);
                let value = self.typed(&args[0]);
                self.line(&format!("%v{id} = fneg {flags}{value}"));
            }
            Op::FloatOne(op) => {
                let name = match op {
                    Single::Abs => "fabs",
                    Single::Sqrt => "sqrt",
                    Single::Floor => "floor",
                    Single::Ceil => "ceil",
                    Single::Trunc => "trunc",
                    Single::Round => "round",
                    _ => self.chance.of(&["rint", "nearbyint", "roundeven"]),
                };
                self.intrinsic(id, &format!("llvm.{name}.{}", suffix(&ty)), &ty, args);
            }
            Op::Fma => self.intrinsic(id, &format!("llvm.fma.{}", suffix(&ty)), &ty, args),
            Op::FCmp(predicate) => {
                let flags = self.fast(id, false);
                let (a, b) = (self.typed(&args[0]), self.arg(&args[1]));
                let name = PREDICATES[*predicate].0;
                self.line(&format!("%v{id} = fcmp {flags}{name} {a}, {b}"));
            }
            Op::Canonical => self.canonical(id, &ty, &args[0]),
        }
    }

    /// Whether a flag held whenever the instruction ran. One that never ran keeps what is safe.
    fn holds(&self, id: Id, flag: u32) -> bool {
        self.seen[id] & seen::RAN != 0 && self.seen[id] & flag == 0
    }

    /// The same, for most of the instructions. Guards are kept now and then though nothing needs them.
    fn flag(&mut self, id: Id, flag: u32) -> bool {
        self.holds(id, flag) && !self.chance.one_in(4)
    }

    fn cast(&mut self, id: Id, name: &str, ty: &Ty, arg: &Arg) {
        let value = self.typed(arg);
        self.line(&format!("%v{id} = {} {value} to {ty}", name.trim()));
    }

    fn intrinsic(&mut self, id: Id, name: &str, ty: &Ty, args: &[Arg]) {
        let types: Vec<String> = args
            .iter()
            .map(|arg| self.function.ty(arg).to_string())
            .collect();
        let mut values = Vec::new();
        for arg in args {
            values.push(self.typed(arg));
        }
        self.intrinsic_text(id, name, ty, &types, &values);
    }

    fn intrinsic_text(&mut self, id: Id, name: &str, ty: &Ty, types: &[String], values: &[String]) {
        self.declares
            .insert(format!("{ty} @{name}({})", types.join(", ")));
        self.line(&format!(
            "%v{id} = call {ty} @{name}({})",
            values.join(", ")
        ));
    }

    /// A constant in every lane.
    fn splat(&self, ty: &Ty, bits: u128) -> String {
        let bits = bits & crate::chance::mask(ty.scalar().width());
        ty.constant(&vec![bits; ty.lanes() as usize])
    }

    fn int(&mut self, id: Id, op: IntOp, ty: &Ty, args: &[Arg]) {
        let width = u128::from(ty.scalar().width());
        let (a, mut b) = (self.arg(&args[0]), self.arg(&args[1]));
        use IntOp::*;
        let guard = matches!(
            op,
            Shl | LShr | AShr | SShlSat | UShlSat | UDiv | URem | SDiv | SRem
        );
        if guard && !self.flag(id, seen::GUARD) {
            b = match op {
                Shl | LShr | AShr | SShlSat | UShlSat => {
                    if width.is_power_of_two() {
                        let mask = self.splat(ty, width - 1);
                        self.value(&format!("and {ty} {b}, {mask}"))
                    } else {
                        let by = self.splat(ty, width);
                        self.value(&format!("urem {ty} {b}, {by}"))
                    }
                }
                _ => {
                    let (zero, one) = (self.splat(ty, 0), self.splat(ty, 1));
                    let bools = ty.with(Scalar::BOOL);
                    let mut bad = self.value(&format!("icmp eq {ty} {b}, {zero}"));
                    if matches!(op, SDiv | SRem) {
                        let minus = self.splat(ty, u128::MAX);
                        let low = self.splat(ty, 1 << (width - 1));
                        let is_minus = self.value(&format!("icmp eq {ty} {b}, {minus}"));
                        let is_low = self.value(&format!("icmp eq {ty} {a}, {low}"));
                        let both = self.value(&format!("and {bools} {is_minus}, {is_low}"));
                        bad = self.value(&format!("or {bools} {bad}, {both}"));
                    }
                    self.value(&format!("select {bools} {bad}, {ty} {one}, {ty} {b}"))
                }
            };
        }
        let mut flags = String::new();
        let possible: &[(u32, &str)] = match op {
            Add | Sub | Mul | Shl => &[(seen::NUW, "nuw "), (seen::NSW, "nsw ")],
            UDiv | SDiv | LShr | AShr => &[(seen::EXACT, "exact ")],
            Or => &[(seen::DISJOINT, "disjoint ")],
            _ => &[],
        };
        for (flag, name) in possible {
            if self.flag(id, *flag) {
                flags.push_str(name);
            }
        }
        let name = word(op);
        if is_intrinsic(op) {
            let full = format!("llvm.{name}.{}", suffix(ty));
            let types = [ty.to_string(), ty.to_string()];
            self.intrinsic_text(
                id,
                &full,
                ty,
                &types,
                &[format!("{ty} {a}"), format!("{ty} {b}")],
            );
        } else {
            self.line(&format!("%v{id} = {name} {flags}{ty} {a}, {b}"));
        }
    }

    fn bit(&mut self, id: Id, op: BitOp, ty: &Ty, arg: &Arg) {
        let name = match op {
            BitOp::Ctpop => "ctpop",
            BitOp::Ctlz => "ctlz",
            BitOp::Cttz => "cttz",
            BitOp::Bswap => "bswap",
            BitOp::BitReverse => "bitreverse",
            BitOp::Abs => "abs",
        };
        let full = format!("llvm.{name}.{}", suffix(ty));
        let mut types = vec![ty.to_string()];
        let mut values = vec![self.typed(arg)];
        if matches!(op, BitOp::Ctlz | BitOp::Cttz | BitOp::Abs) {
            types.push("i1 immarg".into());
            let poison = self.flag(id, seen::SPECIAL);
            values.push(format!("i1 {poison}"));
        }
        self.intrinsic_text(id, &full, ty, &types, &values);
    }

    /// The number of a lane with its type, held below the number of lanes.
    fn lane(&mut self, vector: &Arg, index: &Arg) -> String {
        let lanes = self.function.ty(vector).lanes();
        let ty = self.function.ty(index);
        let text = self.arg(index);
        if let Arg::Const(_, parts) = index {
            return format!("i32 {}", parts[0] % u128::from(lanes));
        }
        // The count itself may not fit into a narrow type.
        let (ty, text) = match ty.scalar().width() {
            ..8 => {
                let wide = self.value(&format!("zext {ty} {text} to i32"));
                ("i32".to_string(), wide)
            }
            _ => (ty.to_string(), text),
        };
        let held = self.value(&format!("urem {ty} {text}, {lanes}"));
        format!("{ty} {held}")
    }

    /// Fast-math flags that change nothing.
    fn fast(&mut self, id: Id, arithmetic: bool) -> String {
        let mut flags = String::new();
        if self.chance.one_in(2) {
            return flags;
        }
        let kinds = [
            (seen::NAN, "nnan "),
            (seen::INF, "ninf "),
            (seen::ZERO, "nsz "),
        ];
        for (flag, name) in kinds {
            if self.flag(id, flag) {
                flags.push_str(name);
            }
        }
        let wide = !matches!(
            self.function.types[id].scalar(),
            Scalar::Fp(Format::Half | Format::BFloat)
        );
        if arithmetic && self.flag(id, seen::ROUNDED) {
            flags.push_str("contract ");
        }
        if arithmetic && wide && self.calm && self.chance.one_in(2) {
            flags.push_str("reassoc ");
        }
        flags
    }

    fn float(&mut self, id: Id, op: Two, ty: &Ty, args: &[Arg]) {
        let name = match op {
            Two::Add => "fadd",
            Two::Sub => "fsub",
            Two::Mul => "fmul",
            Two::Div => "fdiv",
            // The plain ones leave open which zero comes out.
            Two::MinNum if self.flag(id, seen::ZERO) => "minnum",
            Two::MaxNum if self.flag(id, seen::ZERO) => "maxnum",
            Two::MinNum => "minimumnum",
            Two::MaxNum => "maximumnum",
            Two::Minimum => "minimum",
            Two::Maximum => "maximum",
            Two::CopySign => "copysign",
        };
        if !matches!(op, Two::Add | Two::Sub | Two::Mul | Two::Div) {
            self.intrinsic(id, &format!("llvm.{name}.{}", suffix(ty)), ty, args);
            return;
        }
        let flags = self.fast(id, op != Two::Div);
        let (a, b) = (self.arg(&args[0]), self.arg(&args[1]));
        self.line(&format!("%v{id} = {name} {flags}{ty} {a}, {b}"));
    }

    /// The one NaN in the place of all.
    fn canonical(&mut self, id: Id, ty: &Ty, arg: &Arg) {
        if self.same.contains_key(&id) {
            return;
        }
        let Scalar::Fp(format) = ty.scalar() else {
            unreachable!("only numbers can be NaNs")
        };
        let bools = ty.with(Scalar::BOOL);
        let (text, nan) = (self.arg(arg), self.splat(ty, float::nan(format)));
        let zero = self.splat(ty, 0);
        let is = self.value(&format!("fcmp uno {ty} {text}, {zero}"));
        self.line(&format!(
            "%v{id} = select {bools} {is}, {ty} {nan}, {ty} {text}"
        ));
    }
}

/// The name of a type in the name of an intrinsic.
fn suffix(ty: &Ty) -> String {
    match ty {
        Ty::Vector(n, scalar) => format!("v{n}{}", scalar.suffix()),
        _ => ty.scalar().suffix(),
    }
}

fn is_intrinsic(op: IntOp) -> bool {
    use IntOp::*;
    matches!(
        op,
        SMin | SMax | UMin | UMax | SAddSat | UAddSat | SSubSat | USubSat | SShlSat | UShlSat
    )
}

fn word(op: IntOp) -> &'static str {
    match op {
        IntOp::Add => "add",
        IntOp::Sub => "sub",
        IntOp::Mul => "mul",
        IntOp::UDiv => "udiv",
        IntOp::SDiv => "sdiv",
        IntOp::URem => "urem",
        IntOp::SRem => "srem",
        IntOp::Shl => "shl",
        IntOp::LShr => "lshr",
        IntOp::AShr => "ashr",
        IntOp::And => "and",
        IntOp::Or => "or",
        IntOp::Xor => "xor",
        IntOp::SMin => "smin",
        IntOp::SMax => "smax",
        IntOp::UMin => "umin",
        IntOp::UMax => "umax",
        IntOp::SAddSat => "sadd.sat",
        IntOp::UAddSat => "uadd.sat",
        IntOp::SSubSat => "ssub.sat",
        IntOp::USubSat => "usub.sat",
        IntOp::SShlSat => "sshl.sat",
        IntOp::UShlSat => "ushl.sat",
    }
}
