//! Types.

use super::{Parse, Parser};
use crate::types::{Arrow, Float, Signature, Type};
use std::rc::Rc;
use warpc_diag::{Span, codes};

/// The widest integer that LLVM IR has.
const MAX_BITS: u32 = 1 << 23;

impl<'a> Parser<'a> {
    pub(super) fn ty(&mut self) -> Parse<Type> {
        self.deeper(Parser::any_type)
    }

    fn any_type(&mut self) -> Parse<Type> {
        if self.scan.eat("(") {
            let inputs = self.list(")", Parser::ty)?;
            self.want("->")?;
            let results = self.results()?;
            return Ok(Type::Arrow(Rc::new(Arrow { inputs, results })));
        }
        if self.scan.peek() == b'!' {
            return self.dialect_type();
        }
        if self.scan.eat("<") {
            // Where only a pointer can stand, its address space is all that is written.
            let space = self.size()? as u32;
            self.want(">")?;
            return Ok(Type::Pointer(space));
        }
        let span = self.scan.span();
        let Some(word) = self.scan.word() else {
            return self.fail("a type");
        };
        if let Some(ty) = self.named_type(word, span)? {
            return Ok(ty);
        }
        if self.scan.eat("<") {
            self.raw()?;
        }
        if is_other(word) {
            return Ok(Type::Other(word.into()));
        }
        self.fail_at(
            codes::MLIR_SYNTAX,
            span,
            format!("there is no type `{word}`"),
        )
    }

    /// A type of one word, perhaps with something between `<>` after it.
    fn named_type(&mut self, word: &'a str, span: Span) -> Parse<Option<Type>> {
        let bits = word
            .strip_prefix("si")
            .or_else(|| word.strip_prefix("ui"))
            .or_else(|| word.strip_prefix('i'));
        if let Some(bits) = bits
            && !bits.is_empty()
            && bits.bytes().all(|byte| byte.is_ascii_digit())
        {
            return match bits.parse() {
                Ok(bits) if (1..=MAX_BITS).contains(&bits) => Ok(Some(Type::Int(bits))),
                _ => self.fail_at(codes::MLIR_SYNTAX, span, "integers have 1 to 8388608 bits"),
            };
        }
        if let Some(float) = Float::named(word) {
            return Ok(Some(Type::Float(float)));
        }
        Ok(Some(match word {
            "index" => Type::Index,
            "void" => Type::Void,
            "token" => Type::Token,
            "label" => Type::Label,
            "metadata" => Type::Metadata,
            "ptr" => {
                let mut space = 0;
                if self.scan.eat("<") {
                    space = self.size()? as u32;
                    self.want(">")?;
                }
                Type::Pointer(space)
            }
            "vector" | "tensor" => {
                self.want("<")?;
                self.shaped(word == "vector")?
            }
            "vec" => {
                self.want("<")?;
                let scalable = self.scan.eat("?");
                if scalable {
                    self.want("x")?;
                }
                let len = self.size()?;
                self.cross()?;
                let of = Rc::new(self.ty()?);
                self.want(">")?;
                Type::Vector { len, scalable, of }
            }
            "array" if self.scan.at("<") => {
                self.want("<")?;
                let len = self.size()?;
                self.cross()?;
                let of = Rc::new(self.ty()?);
                self.want(">")?;
                Type::Array(len, of)
            }
            "struct" if self.scan.at("<") => {
                self.want("<")?;
                self.structure()?
            }
            "func" if self.scan.at("<") => {
                self.want("<")?;
                let result = self.ty()?;
                self.want("(")?;
                let mut variadic = false;
                let params = self.list(")", |parser| {
                    if parser.scan.eat("...") {
                        variadic = true;
                        return Ok(Type::Void);
                    }
                    parser.ty()
                })?;
                let count = params.len() - usize::from(variadic);
                self.want(">")?;
                Type::Function(Rc::new(Signature {
                    result,
                    params: params.into_iter().take(count).collect(),
                    variadic,
                }))
            }
            "target" if self.scan.at("<") => {
                self.want("<")?;
                let body = self.raw()?;
                Type::Target(format!("target({body})").into())
            }
            _ => return Ok(None),
        }))
    }

    /// `4x3xf32>`, the part between `<>` of vectors and tensors.
    fn shaped(&mut self, vector: bool) -> Parse<Type> {
        let mut shape = Vec::new();
        let mut scalable = false;
        loop {
            let open = self.scan.eat("[");
            if self.scan.eat("?") || self.scan.eat("*") {
                return self.fail("a size that is known");
            }
            let Some(digits) = self.scan.digits() else {
                break;
            };
            if open {
                self.want("]")?;
                scalable = true;
            }
            let Ok(len) = digits.parse() else {
                return self.fail("a smaller size");
            };
            shape.push(len);
            self.cross()?;
        }
        let of = self.ty()?;
        if self.scan.eat(",") {
            self.raw()?;
        } else {
            self.want(">")?;
        }
        if !vector {
            return Ok(Type::Tensor(shape.into(), Rc::new(of)));
        }
        // A vector of several dimensions is an array of vectors in LLVM IR.
        let mut ty = of;
        for (i, &len) in shape.iter().rev().enumerate() {
            ty = match i {
                0 => Type::Vector {
                    len,
                    scalable,
                    of: Rc::new(ty),
                },
                _ => Type::Array(len, Rc::new(ty)),
            };
        }
        if shape.is_empty() {
            ty = Type::Vector {
                len: 1,
                scalable: false,
                of: Rc::new(ty),
            };
        }
        Ok(ty)
    }

    /// The `x` between a size and a type; what follows may stand directly after it.
    fn cross(&mut self) -> Parse<()> {
        if self.scan.peek() != b'x' {
            return self.fail("`x`");
        }
        let place = self.scan.place();
        self.scan.go(place + 1);
        Ok(())
    }

    fn size(&mut self) -> Parse<u64> {
        let digits = self.scan.digits().and_then(|digits| digits.parse().ok());
        match digits {
            Some(size) => Ok(size),
            None => self.fail("a number"),
        }
    }

    /// `(i32, f32)>`, `packed (i32)>`, `"name", (i32)>`, `"name">`, `"name", opaque>`.
    fn structure(&mut self) -> Parse<Type> {
        if self.scan.peek() != b'"' {
            let packed = self.scan.eat("packed");
            self.want("(")?;
            let fields = self.list(")", Parser::ty)?.into();
            self.want(">")?;
            return Ok(Type::Struct { packed, fields });
        }
        let Some(name) = self.scan.string() else {
            return self.fail("a name that ends");
        };
        let name: Rc<str> = String::from_utf8_lossy(&name).into();
        let known = self.structs.iter().position(|(other, _)| *other == name);
        let index = known.unwrap_or_else(|| {
            self.structs.push((name.clone(), None));
            self.structs.len() - 1
        });
        if self.scan.eat(",") && !self.scan.eat("opaque") {
            let packed = self.scan.eat("packed");
            self.want("(")?;
            let fields = self.list(")", Parser::ty)?.into();
            self.structs[index].1 = Some((packed, fields));
        }
        self.want(">")?;
        Ok(Type::Named(name))
    }

    /// `!llvm.ptr`, or a name for a type.
    fn dialect_type(&mut self) -> Parse<Type> {
        let span = self.scan.span();
        let start = self.scan.place();
        let Some(name) = self.scan.marked(b'!') else {
            return self.fail("a type");
        };
        let marked = &self.scan.text()[start..self.scan.pos()];
        if let Some(ty) = self.alias(marked, Parser::ty) {
            return ty;
        }
        if name == "llvm" && self.scan.eat("<") {
            // An old form: `!llvm<"ptr">` and `!llvm<ptr>`.
            let ty = self.ty()?;
            self.want(">")?;
            return Ok(ty);
        }
        if let Some(word) = name.strip_prefix("llvm.")
            && let Some(ty) = self.named_type(word, span)?
        {
            return Ok(ty);
        }
        if self.scan.eat("<") {
            self.raw()?;
        }
        Ok(Type::Other(marked.into()))
    }

    /// One type, or several between `()`.
    pub(super) fn results(&mut self) -> Parse<Vec<Type>> {
        if self.scan.eat("(") {
            return self.list(")", Parser::ty);
        }
        Ok(vec![self.ty()?])
    }

    /// Whether a word starts a type of MLIR.
    pub(super) fn is_type_word(word: &str) -> bool {
        let rest = word.trim_start_matches(['s', 'u']).strip_prefix('i');
        let int = rest
            .is_some_and(|bits| !bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_digit()));
        int || Float::named(word).is_some()
            || is_other(word)
            || matches!(word, "index" | "vector" | "tensor" | "memref" | "none")
    }
}

/// Types that attributes may name and LLVM IR does not have.
fn is_other(word: &str) -> bool {
    let small = word
        .strip_prefix('f')
        .is_some_and(|rest| rest.contains('E') && rest.contains('M'));
    small || matches!(word, "none" | "tf32" | "memref" | "complex" | "tuple")
}
