//! Loads and stores: every space, type and vector, and every cache operator, eviction priority,
//! prefetch size, cache policy, order and scope.
//!
//! ```text
//!   load    cell <- input;            TEST: d <- cell;    output <- d, whatever its register's width
//!   store   cell <- input; b <- input; TEST: cell <- b;   output <- cell
//! ```

use super::kernel::Kernel;
use super::place::{CELL, PLACES, Place};
use crate::forms::choices::{combinations, open};
use warpc_ptx::form::FormId;
use warpc_ptx::inst::Choice;
use warpc_ptx::types::{Meaning, ScalarType};
use warpc_ptx::{mnemonic_text, table};

/// Bytes a thread reads: its cell, and four registers of 64 bits.
const INPUT: u32 = CELL + 32;

/// A load or store.
struct Access {
    text: String,
    store: bool,
    ty: ScalarType,
    count: Option<u32>,
    policy: bool,
    /// Slots other than space, type and vector that are filled; order and scope count as one.
    extras: usize,
    /// The space it names; `None` for generic addresses.
    space: Option<Place>,
}

/// All kernels.
pub fn kernels() -> Vec<Kernel> {
    let mut list: Vec<Kernel> = Vec::new();
    for access in accesses() {
        let places: Vec<Place> = match access.space {
            Some(place) => vec![place],
            None if access.extras > 0 => vec![Place::Global],
            None => PLACES.to_vec(),
        };
        let written =
            |place: &Place| !access.store || !matches!(place, Place::Const | Place::Param);
        for place in places.into_iter().filter(written) {
            for width in access.widths() {
                let kernel = access.kernel(place, width);
                // Rows overlap where what they add is left out.
                if list.iter().all(|other| other.name != kernel.name) {
                    list.push(kernel);
                }
            }
        }
    }
    list
}

fn accesses() -> Vec<Access> {
    let mut found = Vec::new();
    let mut number = 0;
    for section in table::SECTIONS {
        for row in section.rows {
            let id = FormId(number);
            number += 1;
            if section.name == "load_store" && open(row.gate) && row.removed.is_none() {
                let choices = combinations(id);
                found.extend(choices.iter().filter_map(Access::new));
            }
        }
    }
    found
}

impl Access {
    /// `None` for what is thinned out, and for parameters of functions, which only calls have.
    fn new(choice: &Choice) -> Option<Access> {
        let text = mnemonic_text(choice);
        let form = choice.form.form();
        let has = |word: &str| text.split('.').any(|part| part == word);
        if text.contains("param::") || has("st") && has("param") {
            return None;
        }
        let space = PLACES.into_iter().find(|place| {
            let word = place.word();
            text.split('.')
                .any(|part| part.split("::").next() == Some(word))
        });
        let count = match choice.token("vec") {
            Some(vector) => vector.trim_start_matches(".v").parse().ok(),
            None => None,
        };
        let ty = choice.scalar("type").unwrap_or(ScalarType::B128);
        let slots = form.slots.iter().zip(&choice.values);
        let filled = slots.filter(|(slot, value)| {
            !matches!(slot.name, "ss" | "space" | "vec" | "type" | "scope")
                && **value != Choice::ABSENT
        });
        let extras = filled.count();
        // With other modifiers a narrow, a wide and a vector type will do; no more than two of them.
        let few = matches!(
            (ty, count),
            (ScalarType::S16, None) | (ScalarType::U32, Some(2)) | (ScalarType::B128, None)
        );
        let wanted =
            extras == 0 || extras == 1 && few || extras == 2 && ty == ScalarType::S16 && few;
        wanted.then_some(Access {
            store: form.opcode == "st",
            ty,
            count,
            policy: choice.has("level::cache_hint"),
            extras,
            space,
            text,
        })
    }

    /// Widths of the registers it is tried with: integers and plain bits also in wider ones.
    fn widths(&self) -> Vec<u32> {
        let bits = self.ty.bits();
        let least = bits.max(16);
        let float = self.ty.meaning() == Meaning::Float;
        match (self.extras, self.count) {
            _ if float || bits > 32 => vec![least],
            (0, None) => [16, 32, 64].into_iter().filter(|w| *w >= least).collect(),
            (0, Some(_)) => vec![least, 64],
            _ => vec![32],
        }
    }

    fn kernel(&self, place: Place, width: u32) -> Kernel {
        let generic = match self.space {
            None => format!(" generic {}", place.word()),
            Some(_) => String::new(),
        };
        let wider = match width > self.ty.bits().max(16) {
            true => format!(" r{width}"),
            false => String::new(),
        };
        let mut kernel = Kernel::new(&format!("{}{generic}{wider}", self.text), INPUT);
        place.cell(&mut kernel);
        if self.space.is_none() && place != Place::Global {
            kernel.line(format!("cvta.{}.u64 %cell, %cell;", place.word()));
        }
        let policy = if self.policy {
            kernel.register(64, "%policy");
            kernel.line("createpolicy.fractional.L2::evict_last.b64 %policy;");
            ", %policy"
        } else {
            ""
        };
        let names: Vec<String> = (0..self.count.unwrap_or(1))
            .map(|i| format!("%r{i}"))
            .collect();
        for name in &names {
            kernel.register(width, name);
        }
        let value = match self.count {
            None => names[0].clone(),
            Some(_) => format!("{{{}}}", names.join(", ")),
        };
        // The last place in the cell that it fits, so that offsets are seen.
        let size = self.ty.bits() / 8 * self.count.unwrap_or(1);
        let offset = CELL - size;
        if self.store {
            self.values(&mut kernel, &names, width);
            kernel.line(format!("{} [%cell+{offset}], {value}{policy};", self.text));
            let from = if self.space.is_some() {
                format!(".{}", place.word())
            } else {
                String::new()
            };
            kernel.line(format!("ld{from}.v2.b64 {{%low, %high}}, [%cell];"));
            kernel.output(64, "%low");
            kernel.output(64, "%high");
        } else {
            kernel.line(format!("{} {value}, [%cell+{offset}]{policy};", self.text));
            for name in &names {
                kernel.output(width, name);
            }
        }
        kernel.launch([2, 1, 1], [32, 1, 1], "", &place.arguments());
        kernel
    }

    /// Fills the registers that are stored.
    fn values(&self, kernel: &mut Kernel, names: &[String], width: u32) {
        for (i, name) in names.iter().enumerate() {
            let from = CELL + 8 * i as u32;
            if width == 128 {
                kernel.line(format!("ld.global.v2.b64 {{%low, %high}}, [%in+{from}];"));
                kernel.line(format!("mov.b128 {name}, {{%low, %high}};"));
            } else {
                kernel.line(format!("ld.global.b{width} {name}, [%in+{from}];"));
            }
        }
    }
}
