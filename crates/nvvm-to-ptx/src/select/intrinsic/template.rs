//! PTX text of a row to instructions: choices made, places filled.

use super::row::Captures;
use crate::Options;
use crate::code::{Arg, Args, Class, Reg};
use crate::select::{Regs, Selector};
use crate::unit::Refused;
use warpc_diag::codes;
use warpc_nvvm::types::Type;
use warpc_nvvm::value::{InstId, Value};
use warpc_ptx::inst::Part;
use warpc_target::PtxVersion;

impl Selector<'_, '_> {
    /// Writes what the text of a row says for a call.
    pub(super) fn template(
        &mut self,
        inst: InstId,
        text: &str,
        captures: &Captures,
    ) -> Result<(), Refused> {
        let args = self.call_args(inst);
        let text = self.expand(inst, text, captures, &args)?;
        let text = self.available_text(&text);
        let (results, narrow) = self.wanted(inst)?;
        let mut call = Call {
            args,
            results,
            temporaries: Vec::new(),
        };
        let lines = || lines_of(text);
        // If the target lacks some of them, the last is the one the intrinsic is about.
        for (mnemonic, _) in lines().rev() {
            self.unit.mnemonic(mnemonic, self.at)?;
        }
        for (mnemonic, operands) in lines() {
            let mut made = Args::new();
            let mut rest = operands.trim_start();
            while !rest.is_empty() {
                made.extend(self.operand(&mut call, &mut rest, false)?);
                rest = rest.trim_start_matches([',', ' ']);
            }
            self.emit(mnemonic, &made)?;
        }
        self.widen(&narrow)
    }

    /// The first of the texts whose instructions the target has; if it has none of them, the first is refused.
    fn available_text<'t>(&mut self, text: &'t str) -> &'t str {
        let (first, second) = match text.split_once("||") {
            Some((first, second)) => (first.trim(), second.trim()),
            None => return text,
        };
        let mut has_all = |text| lines_of(text).all(|(mnemonic, _)| self.has(mnemonic));
        match !has_all(first) && has_all(second) {
            true => second,
            false => first,
        }
    }

    /// Copies results of 16 bits into the registers of 32 bits that such integers live in.
    pub(super) fn widen(&mut self, narrow: &[(Reg, Reg)]) -> Result<(), Refused> {
        for &(to, from) in narrow {
            self.emit("cvt.u32.u16", &[to.into(), from.into()])?;
        }
        Ok(())
    }

    /// The arguments of a call.
    pub(super) fn call_args(&self, inst: InstId) -> Vec<Value> {
        let site = self.body.insts[inst].op.call_site();
        match site.map(|site| *self.module.call_sites.get(site)) {
            Some(site) => self.body.call(inst, &site).args.to_vec(),
            None => Vec::new(),
        }
    }

    /// The registers that instructions write for the result, and those that are copied into the result
    /// afterwards: integers of 16 bits live in registers of 32.
    #[allow(clippy::type_complexity)]
    pub(super) fn wanted(&mut self, inst: InstId) -> Result<(Regs, Vec<(Reg, Reg)>), Refused> {
        let mut results = self.results(inst)?;
        let parts = self.parts(self.body.insts[inst].ty)?;
        let mut narrow = Vec::new();
        for (result, part) in results.iter_mut().zip(&parts) {
            if part.class == Class::B32 && part.bits == 16 {
                let short = self.code.reg(Class::B16);
                narrow.push((*result, short));
                *result = short;
            }
        }
        Ok((results, narrow))
    }

    /// Makes the choices of a text.
    fn expand(
        &mut self,
        inst: InstId,
        text: &str,
        captures: &Captures,
        args: &[Value],
    ) -> Result<String, Refused> {
        let mut out = String::with_capacity(text.len() + 16);
        let mut rest = text;
        while let Some(at) = rest.find(['$', '(']) {
            out.push_str(&rest[..at]);
            let special = &rest[at..];
            if let Some(inner) = special.strip_prefix("(?") {
                let (inside, after) = split_choice(inner);
                let (number, text) = inside.split_once(':').unwrap_or((inside, ""));
                if self.constant_argument(args, number)? != 0 {
                    out.push_str(&self.expand(inst, text, captures, args)?);
                }
                rest = after;
            } else if let Some(inner) = special.strip_prefix("(=") {
                let (inside, after) = split_choice(inner);
                let (number, cases) = inside.split_once(':').unwrap_or((inside, ""));
                let value = self.constant_argument(args, number)?.to_string();
                let case = cases
                    .split(',')
                    .filter_map(|case| case.split_once('='))
                    .find(|(case, _)| *case == value);
                let Some((_, text)) = case else {
                    let message = format!("argument {number} of this intrinsic cannot be {value}");
                    return Err(self.refuse(codes::UNSUPPORTED, message));
                };
                out.push_str(text);
                rest = after;
            } else {
                let mut chars = special[1..].chars();
                match chars.next() {
                    Some('S') => {
                        let space = self.first_space(args)?;
                        out.push_str(space);
                    }
                    Some('C') => {
                        let space = self.first_space(args)?;
                        out.push_str(match space {
                            ".shared" => ".shared::cta",
                            space => space,
                        });
                    }
                    Some('A') => {
                        let bits = args.first().map_or(0, |&arg| {
                            let ty = self.type_of(arg);
                            self.unit.layout.bits(&self.module.types, ty)
                        });
                        out.push_str(&bits.to_string());
                    }
                    Some('F') if self.unit.options.ftz == Some(true) => out.push_str(".ftz"),
                    Some('R') => out.push_str(match self.unit.options.precise_square_root {
                        true => "rn",
                        false => "approx",
                    }),
                    Some('F') => {}
                    Some('T') => {
                        let bits = self.moved_bits(inst, args)?;
                        out.push_str(&bits.to_string());
                    }
                    Some(digit) => {
                        let number = digit.to_digit(10).unwrap_or(0) as usize;
                        out.push_str(captures.get(number.wrapping_sub(1)).unwrap_or(&""));
                    }
                    None => {}
                }
                rest = chars.as_str();
            }
        }
        out.push_str(rest);
        Ok(out)
    }

    /// The state space of the first pointer among arguments.
    fn first_space(&self, args: &[Value]) -> Result<&'static str, Refused> {
        let pointer = args
            .iter()
            .map(|&arg| self.type_of(arg))
            .find(|&ty| self.module.types.is_ptr(ty));
        match pointer {
            Some(ty) => Ok(self.space_of(ty)?.modifier()),
            None => Ok(""),
        }
    }

    /// The bits of the result, or of the last argument.
    fn moved_bits(&mut self, inst: InstId, args: &[Value]) -> Result<u64, Refused> {
        let result = self.body.insts[inst].ty;
        let ty = match (self.kind(result), args.last()) {
            (Type::Void, Some(&last)) => self.type_of(last),
            _ => result,
        };
        Ok(self.unit.layout.bits(&self.module.types, ty))
    }

    fn constant_argument(&self, args: &[Value], number: &str) -> Result<u64, Refused> {
        let index: usize = number.parse().unwrap_or(usize::MAX);
        args.get(index)
            .and_then(|&arg| self.integer(arg))
            .ok_or_else(|| {
                let message = format!("argument {number} of this intrinsic must be a constant");
                self.refuse(codes::UNSUPPORTED, message)
            })
    }

    /// Takes one operand off the front of a text. A range gives several. Vectors hold registers only.
    fn operand(
        &mut self,
        call: &mut Call,
        rest: &mut &str,
        in_vector: bool,
    ) -> Result<Args, Refused> {
        let text = *rest;
        let one = |arg: Arg| -> Args { smallvec::smallvec![arg] };
        let (first, close) = match text.as_bytes().first() {
            Some(b'{') => (b'{', '}'),
            Some(b'[') => (b'[', ']'),
            _ => {
                let end = text.find([',', ' ', '}', ']']).unwrap_or(text.len());
                *rest = &text[end..];
                let word = &text[..end];
                if let Some((a, b)) = word.split_once('|') {
                    let (a, b) = (self.word(call, a, true)?, self.word(call, b, true)?);
                    return Ok(one(self.code.pair(a[0], b[0])));
                }
                return self.word(call, word, in_vector);
            }
        };
        *rest = &text[1..];
        // An address of one argument: its offset is taken in.
        if first == b'['
            && let Some((inside, after)) = rest.split_once(']')
            && let Some(number) = inside
                .strip_prefix('%')
                .and_then(|n| n.parse::<usize>().ok())
            && let Some(&pointer) = call.args.get(number)
        {
            *rest = after;
            let address = self.plain_address(pointer)?;
            return Ok(one(self.address_arg(address, 0)));
        }
        let mut items = Args::new();
        loop {
            *rest = rest.trim_start_matches([',', ' ']);
            if let Some(after) = rest.strip_prefix(close) {
                *rest = after;
                break;
            }
            if rest.is_empty() {
                break;
            }
            items.extend(self.operand(call, rest, first == b'{')?);
        }
        Ok(one(match (first, items.len()) {
            (b'{', _) => self.code.vector(&items),
            (_, 1) => self.code.address(items[0], 0),
            _ => self.code.group(&items),
        }))
    }

    fn word(&mut self, call: &mut Call, word: &str, in_vector: bool) -> Result<Args, Refused> {
        let one = |arg: Arg| -> Args { smallvec::smallvec![arg] };
        if word == "_" {
            return Ok(one(Arg::Sink));
        }
        let Some(name) = word.strip_prefix('%') else {
            let number = word.strip_prefix('#').unwrap_or(word);
            if let Some(hex) = number.strip_prefix("0x") {
                return Ok(one(Arg::Int(i64::from_str_radix(hex, 16).unwrap_or(0))));
            }
            return Ok(one(Arg::Int(number.parse().unwrap_or(0))));
        };
        if let Some(part) = name.strip_prefix('d')
            && (part.is_empty() || part.parse::<usize>().is_ok())
        {
            return Ok(match part.parse::<usize>() {
                Ok(index) => one(call.results.get(index).map_or(Arg::Sink, |&reg| reg.into())),
                Err(_) => call.results.iter().map(|&reg| reg.into()).collect(),
            });
        }
        if let Some(temporary) = name.strip_prefix('t')
            && temporary.starts_with(|c: char| c.is_ascii_digit())
        {
            return Ok(one(self.temporary(call, temporary).into()));
        }
        // `^` is the last argument; a range may be open, or end before the last.
        let last = call.args.len().saturating_sub(1);
        let (from, to) = match name.split_once('-') {
            Some((from, "")) => (from.to_owned(), last.to_string()),
            Some((from, "^")) => (from.to_owned(), last.saturating_sub(1).to_string()),
            Some((from, to)) => (from.to_owned(), to.to_owned()),
            None if name == "^" => (last.to_string(), last.to_string()),
            None => (name.to_owned(), name.to_owned()),
        };
        let (Ok(from), Ok(to)) = (from.parse::<usize>(), to.parse::<usize>()) else {
            return Ok(one(self.special_register(name)?));
        };
        let mut made = Args::new();
        for index in from..=to {
            let Some(&value) = call.args.get(index) else {
                return Err(self.refuse(codes::UNSUPPORTED, "this intrinsic has too few arguments"));
            };
            made.extend(match in_vector {
                true => self.argument(value)?,
                false => self.plain_argument(value)?,
            });
        }
        Ok(made)
    }

    /// An argument as an operand of its own: integer constants stay what they are.
    pub(super) fn plain_argument(&mut self, value: Value) -> Result<Args, Refused> {
        match self.kind(self.type_of(value)) {
            Type::Int(2..=64) if self.integer(value).is_some() => self.args(value),
            _ => self.argument(value),
        }
    }

    /// The parts of an argument, in registers.
    pub(super) fn argument(&mut self, value: Value) -> Result<Args, Refused> {
        let parts = self.parts(self.type_of(value))?;
        let args = self.args(value)?;
        let mut made = Args::new();
        for (&arg, part) in args.iter().zip(&parts) {
            made.push(match part.class {
                Class::B32 if part.bits == 16 => {
                    let wide = self.in_register(arg, Class::B32)?;
                    self.op(Class::B16, "cvt.u16.u32", &[wide.into()])?.into()
                }
                class => self.in_register(arg.as_bits(), class)?.into(),
            });
        }
        Ok(made)
    }

    fn temporary(&mut self, call: &mut Call, name: &str) -> Reg {
        let (number, class) = name.split_once(':').unwrap_or((name, ""));
        let number: usize = number.parse().unwrap_or(0);
        let class = match class {
            "pred" => Class::Pred,
            "b8" => Class::B8,
            "b16" => Class::B16,
            "b64" => Class::B64,
            "b128" => Class::B128,
            _ => Class::B32,
        };
        while call.temporaries.len() <= number {
            let reg = self.code.reg(class);
            call.temporaries.push(reg);
        }
        call.temporaries[number]
    }

    /// A special register by its name without `%`: `tid.x`, `laneid`.
    fn special_register(&mut self, name: &str) -> Result<Arg, Refused> {
        let (register, part) = match name.split_once('.') {
            Some((register, part)) => (register, Part::find(part.as_bytes())),
            None => (name, None),
        };
        let register = format!("%{register}");
        if let Some(found) = warpc_ptx::sreg::find(&register, "") {
            let Options { sm, version, .. } = self.unit.options;
            let version = version.unwrap_or(PtxVersion::LATEST);
            if let Err(why) = found.row.gate.check(sm, version) {
                return Err(self.unit.unavailable(why, &format!("`%{name}`"), self.at));
            }
        }
        let register = self.unit.intern(&register);
        Ok(match part {
            Some(part) => Arg::Element(register, part),
            None => Arg::Name(register),
        })
    }
}

/// The instructions of a text: mnemonics and operands.
fn lines_of(text: &str) -> impl DoubleEndedIterator<Item = (&str, &str)> {
    text.split(';').map(|line| {
        let line = line.trim();
        line.split_once(' ').unwrap_or((line, ""))
    })
}

/// A call while its text is filled in.
struct Call {
    args: Vec<Value>,
    results: Regs,
    temporaries: Vec<Reg>,
}

/// The inside of a choice up to its own closing parenthesis, and what follows.
fn split_choice(text: &str) -> (&str, &str) {
    let mut depth = 1;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (&text[..at], &text[at + 1..]);
        }
    }
    (text, "")
}
