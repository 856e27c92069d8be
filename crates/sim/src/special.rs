//! Special registers.

/// A special register, or an element of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Special {
    Tid(u8),
    Ntid(u8),
    Laneid,
    Warpid,
    Nwarpid,
    Ctaid(u8),
    Nctaid(u8),
    Smid,
    Nsmid,
    Gridid,
    IsExplicitCluster,
    Clusterid(u8),
    Nclusterid(u8),
    ClusterCtaid(u8),
    ClusterNctaid(u8),
    ClusterCtarank,
    ClusterNctarank,
    LanemaskEq,
    LanemaskLe,
    LanemaskLt,
    LanemaskGe,
    LanemaskGt,
    Clock,
    ClockHi,
    Clock64,
    /// An environment register, by its number.
    Environment(u8),
    /// Performance counters: always zero here.
    Zero,
    Globaltimer,
    GlobaltimerLo,
    GlobaltimerHi,
    ReservedSmemBegin,
    ReservedSmemEnd,
    ReservedSmemCap,
    TotalSmemSize,
    AggrSmemSize,
    DynamicSmemSize,
}

impl Special {
    /// The register with a name; `element` counts from x to w.
    pub fn find(name: &str, element: u8) -> Option<Special> {
        Some(match name {
            "%tid" => Special::Tid(element),
            "%ntid" => Special::Ntid(element),
            "%laneid" => Special::Laneid,
            "%warpid" => Special::Warpid,
            "%nwarpid" => Special::Nwarpid,
            "%ctaid" => Special::Ctaid(element),
            "%nctaid" => Special::Nctaid(element),
            "%smid" => Special::Smid,
            "%nsmid" => Special::Nsmid,
            "%gridid" => Special::Gridid,
            "%is_explicit_cluster" => Special::IsExplicitCluster,
            "%clusterid" => Special::Clusterid(element),
            "%nclusterid" => Special::Nclusterid(element),
            "%cluster_ctaid" => Special::ClusterCtaid(element),
            "%cluster_nctaid" => Special::ClusterNctaid(element),
            "%cluster_ctarank" => Special::ClusterCtarank,
            "%cluster_nctarank" => Special::ClusterNctarank,
            "%lanemask_eq" => Special::LanemaskEq,
            "%lanemask_le" => Special::LanemaskLe,
            "%lanemask_lt" => Special::LanemaskLt,
            "%lanemask_ge" => Special::LanemaskGe,
            "%lanemask_gt" => Special::LanemaskGt,
            "%clock" => Special::Clock,
            "%clock_hi" => Special::ClockHi,
            "%clock64" => Special::Clock64,
            "%globaltimer" => Special::Globaltimer,
            "%globaltimer_lo" => Special::GlobaltimerLo,
            "%globaltimer_hi" => Special::GlobaltimerHi,
            "%reserved_smem_offset_begin" => Special::ReservedSmemBegin,
            "%reserved_smem_offset_end" => Special::ReservedSmemEnd,
            "%reserved_smem_offset_cap" => Special::ReservedSmemCap,
            "%total_smem_size" => Special::TotalSmemSize,
            "%aggr_smem_size" => Special::AggrSmemSize,
            "%dynamic_smem_size" => Special::DynamicSmemSize,
            "%current_graph_exec" => Special::Zero,
            _ if name.starts_with("%pm") => Special::Zero,
            _ if name.starts_with("%envreg") => Special::Environment(name[7..].parse().ok()?),
            _ if name.starts_with("%reserved_smem_offset_") => Special::ReservedSmemBegin,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_special_register_is_known() {
        for row in warpc_ptx::sreg::ROWS {
            let number = if row.series == 0 { "" } else { "0" };
            let name = format!("{}{number}{}", row.name, row.suffix);
            assert!(Special::find(&name, 0).is_some(), "{name}");
        }
    }
}
