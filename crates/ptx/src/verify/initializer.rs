//! Initial values.
//!
//! Rules: one level of braces a bound and one more for vectors; not more elements than the array
//! has, exactly as many as a vector has; integers for integer types, floating-point numbers for
//! `.f32` and `.f64`, either for bit types; addresses of global and constant variables and of
//! functions only in `.u32` and `.u64`, single bytes of them (`0xFF(x)`) in `.u8`, too.

use super::Verifier;
use super::names::Meaning;
use crate::module::{InitAddress, InitItem, Initializer, Linkage, Space, Variable};
use crate::table::gates::v;
use crate::types::{Meaning as TypeMeaning, ScalarType};
use warpc_diag::{Diagnostic, codes};
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
        if let Err(message) = self.initializer(variable, init) {
            self.error(Diagnostic::error(
                codes::BAD_INITIALIZER,
                init.at.0,
                message,
            ));
        }
    }

    fn initializer(&mut self, variable: &'m Variable, init: &'m Initializer) -> Result<(), String> {
        let name = self.module.name(variable.name);
        if variable.linkage == Linkage::Extern {
            return Err(format!(
                "`{name}` is defined elsewhere and cannot have a value here"
            ));
        }
        if !matches!(variable.space, Space::Global | Space::Const) {
            return Err(format!(
                "a `{}` variable has no initial value",
                variable.space.text()
            ));
        }
        if variable.ty == ScalarType::F16 {
            return Err("`.f16` variables have no initial value".to_owned());
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
        for item in &init.items {
            match item {
                InitItem::Open => {
                    self.count_element(&mut counts, &bounds)?;
                    if counts.len() >= bounds.len() {
                        return Err("too many braces".to_owned());
                    }
                    counts.push(0);
                }
                InitItem::Close => {
                    let level = counts.len() - 1;
                    let count = counts.pop().unwrap_or(0);
                    if let (Some(length), true) = bounds[level]
                        && count != length
                    {
                        return Err(format!("a vector of {length} has {count} values"));
                    }
                }
                value => {
                    if counts.len() < bounds.len() {
                        return Err(
                            "braces are missing around the elements of an array or vector"
                                .to_owned(),
                        );
                    }
                    self.count_element(&mut counts, &bounds)?;
                    self.init_value(variable, value)?;
                }
            }
        }
        Ok(())
    }

    fn count_element(
        &self,
        counts: &mut [u64],
        bounds: &[(Option<u64>, bool)],
    ) -> Result<(), String> {
        let level = counts.len();
        if let Some(count) = counts.last_mut() {
            *count += 1;
            if let Some(length) = bounds[level - 1].0
                && *count > length
            {
                return Err(format!("more than {length} elements"));
            }
        }
        Ok(())
    }

    fn init_value(&mut self, variable: &Variable, item: &'m InitItem) -> Result<(), String> {
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
            InitItem::Int(_) => {
                format!("an integer cannot initialise {ty}: write a floating-point number")
            }
            InitItem::Field(_) => format!("{ty} has no fields"),
            _ => format!("a floating-point number cannot initialise {ty}: write an integer"),
        })
    }

    fn init_address(&mut self, ty: ScalarType, address: &'m InitAddress) -> Result<(), String> {
        let name = self.module.name(address.symbol);
        if let Some(mask) = address.mask {
            if let Err(error) = self.require(MASKED_ADDRESS) {
                self.report_gate(error, "mask()", address.at.0);
                return Ok(());
            }
            let byte = (0..8).any(|i| mask == 0xff << (8 * i));
            if !byte {
                return Err(format!("the mask 0x{mask:X} does not select one byte"));
            }
        }
        let fits = matches!(ty, ScalarType::U32 | ScalarType::U64)
            || (address.mask.is_some() && ty == ScalarType::U8);
        if !fits {
            return Err(format!("an address initialises .u32 or .u64, not {ty}"));
        }
        match self
            .names
            .find(address.symbol)
            .map(|declaration| declaration.meaning)
        {
            None => Err(format!("`{name}` is not declared")),
            Some(Meaning::Function(_)) if address.generic => {
                Err(format!("`{name}` is a function and has no generic address"))
            }
            Some(Meaning::Function(_)) => Ok(()),
            Some(Meaning::Variable(target, _))
                if matches!(target.space, Space::Global | Space::Const) =>
            {
                Ok(())
            }
            Some(_) => Err(format!(
                "`{name}` lies in no memory whose address is known before the program runs"
            )),
        }
    }
}

fn check_fields(init: &Initializer) -> Result<(), String> {
    use crate::module::FieldValue;
    for item in &init.items {
        match item {
            InitItem::Open | InitItem::Close => {}
            InitItem::Field(field) => {
                if !FIELDS.contains(&field.name.as_str()) {
                    return Err(format!("there is no field `{}`", field.name));
                }
                if let FieldValue::Word(word) = &field.value
                    && !FIELD_WORDS.contains(&word.as_str())
                {
                    return Err(format!("`{word}` is no value of a field"));
                }
            }
            _ => {
                return Err(
                    "textures, samplers and surfaces are initialised field by field".to_owned(),
                );
            }
        }
    }
    Ok(())
}
