//! Decodes what `exec::texture` runs.

use super::body::{Decoder, Refused};
use super::names::Meaning;
use super::operand::Operands;
use crate::address::Space;
use crate::exec::texture::{Clamp, Handle, Query, Result4, Sample, Surface, TextureOp};
use crate::program::{Addr, Op, Src};
use warpc_launch::texture::{Geometry, Kind};
use warpc_ptx::inst::Operand;
use warpc_ptx_eval as eval;

impl Decoder<'_> {
    /// `tex`, `tld4`, `txq`, `istypep`, `suld`, `sust`, `sured`, `suq`
    pub(super) fn texture(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        let op = match of.choice.form.form().opcode {
            "tex" | "tld4" => TextureOp::Sample(self.sample(of)?),
            "txq" | "suq" => self.query(of)?,
            "istypep" => TextureOp::IsKind {
                of: self.needed(of, "a")?,
                kind: match of.choice.token("type") {
                    Some(".texref") => Kind::Texture,
                    Some(".samplerref") => Kind::Sampler,
                    _ => Kind::Surface,
                },
                to: self.destination(of, "p")?,
            },
            _ => TextureOp::Surface(self.surface(of)?),
        };
        Ok(Op::Texture(Box::new(op)))
    }

    /// A handle in a register, or the variable or parameter that has one.
    fn handle(&mut self, of: Operands<'_>, name: &str) -> Result<Handle, Refused> {
        let Some(index) = of.find(name) else {
            return self.refuse_form(of);
        };
        let mut operand = self.body.operands[index];
        if let Operand::Address { items, .. } = operand {
            operand = self.body.operands[items.start as usize];
        }
        if let Operand::Name { symbol, .. } = operand
            && let Some(Meaning::Fixed(space, address, _)) = self.names.find(symbol)
        {
            let at = Addr {
                base: Src::Imm(address),
                offset: 0,
            };
            return Ok(Handle { at, space });
        }
        let at = self.addr_at(index)?;
        Ok(Handle {
            at,
            space: Space::Generic,
        })
    }

    /// How texels are found.
    fn geometry(&mut self, of: Operands<'_>) -> Result<Geometry, Refused> {
        let name = of.choice.token("geom").unwrap_or_default();
        let dimensions = match name {
            ".1d" | ".a1d" => 1,
            ".2d" | ".a2d" | ".cube" | ".acube" | ".2dms" | ".a2dms" => 2,
            ".3d" => 3,
            _ => return self.refuse_form(of),
        };
        Ok(Geometry {
            dimensions,
            layered: name.starts_with(".a"),
            cube: name.ends_with("cube"),
            samples: name.ends_with("ms"),
        })
    }

    fn sample(&mut self, of: Operands<'_>) -> Result<Sample, Refused> {
        let choice = of.choice;
        let geometry = self.geometry(of)?;
        // Depths are not compared.
        if of.find("f").is_some() {
            return self.refuse_form(of);
        }
        let half = eval::named("cvt.rn.f16.f32").map(|operation| operation.compute);
        let Some(eval::Compute::One(to_half)) = half else {
            return self.refuse_form(of);
        };
        let sampler = match of.find("b") {
            Some(_) => Some(self.handle(of, "b")?),
            None => None,
        };
        Ok(Sample {
            texture: self.handle(of, "a")?,
            sampler,
            geometry,
            coordinates: self.source_list(of, "c")?,
            whole: choice.token("ctype") == Some(".s32"),
            moved: self.source_list(of, "e")?,
            gathered: match choice.token("comp") {
                Some(".r") => Some(0),
                Some(".g") => Some(1),
                Some(".b") => Some(2),
                Some(_) => Some(3),
                None => None,
            },
            result: match choice.token("dtype") {
                Some(".u32") => Result4::U32,
                Some(".s32") => Result4::S32,
                Some(".f16") => Result4::F16,
                Some(".f16x2") => Result4::F16x2,
                _ => Result4::F32,
            },
            to_half,
            to: self.destination_list(of, "d")?,
            resident: self.destination(of, "p")?,
        })
    }

    fn query(&mut self, of: Operands<'_>) -> Result<TextureOp, Refused> {
        let choice = of.choice;
        let names = ["tquery", "tlquery", "squery", "query"];
        let query = match names.iter().find_map(|name| choice.token(name)) {
            Some(".width") => Query::Width,
            Some(".height") => Query::Height,
            Some(".depth") => Query::Depth,
            Some(".array_size") => Query::Layers,
            Some(".normalized_coords") => Query::Normalized,
            Some(".num_mipmap_levels") => Query::Levels,
            Some(".num_samples") => Query::Samples,
            Some(".channel_data_type") => Query::DataType,
            Some(".channel_order") => Query::ChannelOrder,
            // Filters and modes, whose numbers no document lists; what a linear layout is; what a sampler forces.
            _ => return self.refuse_form(of),
        };
        Ok(TextureOp::Query {
            of: self.handle(of, "a")?,
            kind: match choice.form.form().opcode {
                "suq" => Kind::Surface,
                _ => Kind::Texture,
            },
            query,
            level: self.source(of, "lod")?,
            to: self.destination(of, "d")?,
        })
    }

    fn surface(&mut self, of: Operands<'_>) -> Result<Surface, Refused> {
        let choice = of.choice;
        let geometry = self.geometry(of)?;
        let formatted = choice.has("p");
        let reduces = choice.form.form().opcode == "sured";
        let ty = choice.scalar("type");
        let bytes = ty.map_or(4, |ty| ty.bytes());
        let mut updates = None;
        if reduces {
            let operation = choice.token("op").unwrap_or(".add");
            let name = ty.map_or("b32", |ty| ty.name());
            // Whether elements have a sign is in the format of the surface.
            let names = match (formatted, operation) {
                (true, ".and" | ".or") => ["b32"; 2],
                (true, _) => ["u32", "s32"],
                (false, _) => [name; 2],
            };
            let wide = formatted && bytes != 4;
            let update =
                |name: &str| eval::named_atomic(&format!("red.global{operation}.{name}"), true);
            match (update(names[0]), update(names[1])) {
                (Some(first), Some(second)) if !wide => updates = Some([first, second]),
                _ => return self.refuse_form(of),
            }
        }
        Ok(Surface {
            surface: self.handle(of, "a")?,
            geometry,
            coordinates: self.source_list(of, "b")?,
            bytes,
            formatted,
            clamp: match choice.token("clamp") {
                Some(".trap") => Clamp::Trap,
                Some(".clamp") => Clamp::Nearest,
                _ => Clamp::Zero,
            },
            to: self.destination_list(of, "d")?,
            from: self.source_list(of, "c")?,
            updates,
        })
    }
}
