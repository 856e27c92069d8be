//! Initial values.
//!
//! Rules: one level of braces a bound and one more for vectors; not more elements than the array
//! has, exactly as many as a vector has; integers for integer types, floating-point numbers for
//! `.f32` and `.f64`, either for bit types; addresses of global and constant variables and of
//! functions only in `.u32` and `.u64`, single bytes of them (`0xFF(x)`) in `.u8`, too.

use super::Verifier;
use super::names::Meaning;
use crate::lex::{Lexer, TokenKind};
use crate::module::{FieldValue, InitAddress, InitItem, Initializer, Linkage, Space, Variable};
use crate::table::gates::v;
use crate::types::{Meaning as TypeMeaning, ScalarType};
use warpc_diag::{Span, codes};
use warpc_target::{Gate, at_least};

const MASKED_ADDRESS: Gate = Gate(&[at_least(60, v(7, 1))]);

/// The fields of textures, samplers and surfaces, and the words they take.
const FIELDS: [&str; 11] = [
    "width",
    "height",
    "depth",
    "channel_data_type",
    "channel_order",
    "normalized_coords",
    "filter_mode",
    "addr_mode_0",
    "addr_mode_1",
    "addr_mode_2",
    "force_unnormalized_coords",
];
const FIELD_WORDS: [&str; 7] = [
    "wrap",
    "mirror",
    "clamp_ogl",
    "clamp_to_edge",
    "clamp_to_border",
    "nearest",
    "linear",
];

impl<'m> Verifier<'m> {
    pub(super) fn check_initializer(&mut self, variable: &'m Variable, init: &'m Initializer) {
        if let Err(wrong) = self.initializer(variable, init) {
            let span = match wrong.item {
                Some(item) => self.item_span(init, item),
                None => init.at.0,
            };
            self.refuse(codes::BAD_INITIALIZER, span, wrong.message, wrong.help);
        }
    }

    /// Where an item of an initialiser stands. Items do not carry their places, there may be
    /// millions of them; who asks reads the text again.
    fn item_span(&self, init: &Initializer, wanted: usize) -> Span {
        let whole = init.at.0;
        let Some(source) = self.source else {
            return whole;
        };
        let mut lexer = Lexer::new(source.bytes());
        lexer.seek(whole.start as usize);
        let mut value: Option<Span> = None;
        let mut item = 0;
        loop {
            let token = lexer.next_token();
            let inside = token.kind != TokenKind::End && token.span.start < whole.end;
            let brace = match token.kind {
                TokenKind::Punct(b'{' | b'}') if inside => true,
                TokenKind::Punct(b',') => false,
                _ if inside => {
                    value = Some(value.map_or(token.span, |start| start.to(token.span)));
                    continue;
                }
                _ => return value.unwrap_or(whole),
            };
            for found in [value.take(), brace.then_some(token.span)]
                .into_iter()
                .flatten()
            {
                if item == wanted {
                    return found;
                }
                item += 1;
            }
        }
    }

    fn initializer(&mut self, variable: &'m Variable, init: &'m Initializer) -> Result<(), Wrong> {
        let name = self.module.name(variable.name);
        if variable.linkage == Linkage::Extern {
            return Err(wrong(
                format!("`{name}` is defined elsewhere and cannot have a value here"),
                "leave out `.extern` or the value",
            ));
        }
        if !matches!(variable.space, Space::Global | Space::Const) {
            return Err(wrong(
                format!(
                    "a `{}` variable has no initial value",
                    variable.space.text()
                ),
                "only `.global` and `.const` variables have one; store it in the code",
            ));
        }
        if variable.ty == ScalarType::F16 {
            return Err(wrong(
                "`.f16` variables have no initial value",
                "declare it as .b16 and write its bits",
            ));
        }
        if variable.ty.meaning() == TypeMeaning::Opaque {
            return check_fields(init);
        }
        // The bounds that braces must respect, outermost first; the vector's length counts exactly.
        let mut bounds: Vec<(Option<u64>, bool)> = variable
            .dims
            .iter()
            .map(|dim| (dim.filter(|length| *length > 0), false))
            .collect();
        if variable.vector > 1 {
            bounds.push((Some(u64::from(variable.vector)), true));
        }
        if variable.ty == ScalarType::F16x2 && bounds.is_empty() {
            // Two halves in braces, each of them an integer.
            bounds.push((Some(2), false));
        }
        let mut counts: Vec<u64> = Vec::new();
        for (i, item) in init.items.iter().enumerate() {
            let at = |message: String, help: &str| Err(wrong(message, help).at(i));
            if !matches!(item, InitItem::Close)
                && let Some(most) = count_element(&mut counts, &bounds)
            {
                let message = format!("more than {most} elements");
                return at(message, "leave some out, or give a larger bound");
            }
            match item {
                InitItem::Open => {
                    if counts.len() >= bounds.len() {
                        let message = "too many braces".to_owned();
                        return at(message, "one pair of braces a bound of the array");
                    }
                    counts.push(0);
                }
                InitItem::Close => {
                    if let Some(count) = counts.pop()
                        && let (Some(length), true) = bounds[counts.len()]
                        && count != length
                    {
                        let message = format!("a vector of {length} has {count} values");
                        return at(message, "give exactly as many values as elements");
                    }
                }
                value => {
                    if counts.len() < bounds.len() {
                        let message = "a single value for an array or vector".to_owned();
                        return at(message, "put braces around the elements");
                    }
                    self.init_value(variable, value)
                        .map_err(|wrong| wrong.at(i))?;
                }
            }
        }
        Ok(())
    }

    fn init_value(&mut self, variable: &Variable, item: InitItem<'m>) -> Result<(), Wrong> {
        let ty = variable.ty;
        let fits = match (item, ty.meaning()) {
            (InitItem::Int(_), TypeMeaning::Signed | TypeMeaning::Unsigned | TypeMeaning::Bits) => {
                true
            }
            (InitItem::Int(_), _) => ty == ScalarType::F16x2,
            (InitItem::F32(_) | InitItem::F64(_), TypeMeaning::Float | TypeMeaning::Bits) => true,
            (InitItem::Address(address), _) => return self.init_address(ty, address),
            _ => false,
        };
        if fits {
            return Ok(());
        }
        Err(match item {
            InitItem::Int(_) => wrong(
                format!("an integer cannot initialise {ty}"),
                "write a floating-point number such as 1.0",
            ),
            InitItem::Field(_) => wrong(
                format!("{ty} has no fields"),
                "only textures, samplers and surfaces have",
            ),
            _ => wrong(
                format!("a floating-point number cannot initialise {ty}"),
                "write an integer",
            ),
        })
    }

    fn init_address(&mut self, ty: ScalarType, address: &'m InitAddress) -> Result<(), Wrong> {
        let name = self.module.name(address.symbol);
        if let Some(mask) = address.mask {
            if let Err(error) = self.require(MASKED_ADDRESS) {
                self.report_gate(error, "mask()", address.at.0);
                return Ok(());
            }
            let byte = (0..8).any(|i| mask == 0xff << (8 * i));
            if !byte {
                return Err(wrong(
                    format!("the mask 0x{mask:X} does not select one byte"),
                    "masks are 0xFF, 0xFF00 and so on",
                ));
            }
        }
        let fits = matches!(ty, ScalarType::U32 | ScalarType::U64)
            || (address.mask.is_some() && ty == ScalarType::U8);
        if !fits {
            return Err(wrong(
                format!("an address cannot initialise {ty}"),
                "declare the variable as .u64",
            ));
        }
        match self
            .names
            .find(address.symbol)
            .map(|declaration| declaration.meaning)
        {
            None => Err(wrong(
                format!("`{name}` is not declared"),
                "names are declared before they are used",
            )),
            Some(Meaning::Function(_)) if address.generic => Err(wrong(
                format!("`{name}` is a function and has no generic address"),
                "write its name alone",
            )),
            Some(Meaning::Function(_)) => Ok(()),
            Some(Meaning::Variable(target, _))
                if matches!(target.space, Space::Global | Space::Const) =>
            {
                Ok(())
            }
            Some(_) => Err(wrong(
                format!("the address of `{name}` is not known before the program runs"),
                "take that of a `.global` or `.const` variable, or of a function",
            )),
        }
    }
}

/// What is wrong with an initialiser.
struct Wrong {
    /// The item to point at; all of it if there is none.
    item: Option<usize>,
    message: String,
    help: String,
}

impl Wrong {
    fn at(self, item: usize) -> Wrong {
        Wrong {
            item: Some(item),
            ..self
        }
    }
}

fn wrong(message: impl Into<String>, help: impl Into<String>) -> Wrong {
    Wrong {
        item: None,
        message: message.into(),
        help: help.into(),
    }
}

/// Counts an element of the innermost braces. Gives their bound if there is one too many.
fn count_element(counts: &mut [u64], bounds: &[(Option<u64>, bool)]) -> Option<u64> {
    let level = counts.len();
    let count = counts.last_mut()?;
    *count += 1;
    bounds[level - 1].0.filter(|length| *count > *length)
}

fn check_fields(init: &Initializer) -> Result<(), Wrong> {
    for (i, item) in init.items.iter().enumerate() {
        let (message, help) = match item {
            InitItem::Open | InitItem::Close => continue,
            InitItem::Field(field) => match &field.value {
                _ if !FIELDS.contains(&field.name.as_str()) => (
                    format!("there is no field `{}`", field.name),
                    FIELDS.as_slice(),
                ),
                FieldValue::Word(word) if !FIELD_WORDS.contains(&word.as_str()) => (
                    format!("`{word}` is not a value of a field"),
                    FIELD_WORDS.as_slice(),
                ),
                _ => continue,
            },
            _ => (
                "textures, samplers and surfaces are initialised field by field".to_owned(),
                FIELDS.as_slice(),
            ),
        };
        let help = format!("there are {}", help.join(", "));
        return Err(wrong(message, help).at(i));
    }
    Ok(())
}
