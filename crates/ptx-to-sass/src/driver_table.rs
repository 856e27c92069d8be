//! The driver's tables of textures, samplers and surfaces: an entry for each handle, with words that queries read.
//!
//! Where a table is in memory is in bank 0; how large an entry is, only the loader knows, which writes it into the code.
//!
//! | query | unified textures | independent textures | independent samplers | surfaces |
//! |---|---|---|---|---|
//! | `channel_data_type`, `channel_order` | 0x20, 0x24 | 0x10, 0x14 | | 0xc, 0x10 |
//! | `array_size` | 0x28 | 0x18 | | 0x1c |
//! | `num_mipmap_levels`, `num_samples` | 0x2c, 0x30 | 0x1c, 0x20 | | |
//! | `normalized_coords` | 0x1c | 0xc | | |
//! | `addr_mode_0`, `_1`, `_2` | 0xc, 0x10, 0x14 | | 0, 4, 8 | |
//! | `filter_mode` | 0x18 | | 0xc | |
//! | `force_unnormalized_coords` | 0 | | 0x10 | |
//! | `memory_layout` | | | | 0x14 |
//!
//! Source: what ptxas 13.4 emits for sm_90. It reads the first word for `force_unnormalized_coords` of a unified texture.

/// A table of the driver.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Table {
    /// Textures with their samplers.
    Unified,
    /// Textures where samplers are apart.
    Texture,
    /// Samplers.
    Sampler,
    /// Surfaces.
    Surface,
}

impl Table {
    /// All of them.
    pub const ALL: [Table; 4] = [
        Table::Unified,
        Table::Texture,
        Table::Sampler,
        Table::Surface,
    ];

    /// The symbol whose value is the size of an entry.
    pub fn size_symbol(self) -> &'static str {
        match self {
            Table::Unified => ".nv.unified.texrefDescSize",
            Table::Texture => ".nv.independent.texrefDescSize",
            Table::Sampler => ".nv.independent.samplerrefDescSize",
            Table::Surface => ".nv.surfrefDescSize",
        }
    }

    /// The place in bank 0 of the table's address.
    pub(crate) fn address_at(self) -> u32 {
        match self {
            Table::Unified | Table::Texture => 0xf0,
            Table::Sampler => 0xf8,
            Table::Surface => 0x100,
        }
    }

    /// The table that has what `txq` or `suq` asks for, and where it is in an entry.
    pub(crate) fn of_query(opcode: &str, query: &str, independent: bool) -> Option<(Table, u32)> {
        let places: &[(&str, u32)] = match (opcode, independent) {
            ("suq", _) => &SURFACE,
            (_, false) => &UNIFIED,
            (_, true) => &TEXTURE,
        };
        let find = |places: &[(&str, u32)]| {
            let mut places = places.iter();
            places.find(|one| one.0 == query).map(|one| one.1)
        };
        let table = match (opcode, independent) {
            ("suq", _) => Table::Surface,
            (_, false) => Table::Unified,
            (_, true) if find(places).is_some() => Table::Texture,
            (_, true) => return Some((Table::Sampler, find(&SAMPLER)?)),
        };
        Some((table, find(places)?))
    }
}

const UNIFIED: [(&str, u32); 11] = [
    (".addr_mode_0", 0xc),
    (".addr_mode_1", 0x10),
    (".addr_mode_2", 0x14),
    (".filter_mode", 0x18),
    (".normalized_coords", 0x1c),
    (".channel_data_type", 0x20),
    (".channel_order", 0x24),
    (".array_size", 0x28),
    (".num_mipmap_levels", 0x2c),
    (".num_samples", 0x30),
    (".force_unnormalized_coords", 0),
];

const TEXTURE: [(&str, u32); 6] = [
    (".normalized_coords", 0xc),
    (".channel_data_type", 0x10),
    (".channel_order", 0x14),
    (".array_size", 0x18),
    (".num_mipmap_levels", 0x1c),
    (".num_samples", 0x20),
];

const SAMPLER: [(&str, u32); 5] = [
    (".addr_mode_0", 0),
    (".addr_mode_1", 4),
    (".addr_mode_2", 8),
    (".filter_mode", 0xc),
    (".force_unnormalized_coords", 0x10),
];

const SURFACE: [(&str, u32); 4] = [
    (".channel_data_type", 0xc),
    (".channel_order", 0x10),
    (".memory_layout", 0x14),
    (".array_size", 0x1c),
];
