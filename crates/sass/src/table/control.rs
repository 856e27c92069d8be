//! Control flow, convergence barriers and what acts on a whole warp.

use crate::form::{Row, row};

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    // Branches.
    row(0x947, 75, "BRA<85.2=|.INC|.DEC|.INVALID3><91.1=<32.2=|.U<84.1=|.ANY>|.DIV|.CONV>|\
         <32.2=.INVALID0|.INVALID1|.DIV|.CONV>> $when<91.1=|{UR24 ~30}, >$place").until(89).unsaid(87, 7),
    row(0x947, 90, "BRA<85.2=|.INC|.DEC|.INVALID3><91.1=<32.2=|.U<84.1=|.ANY>|.DIV|.CONV>|\
         <32.2=.INVALID0|.INVALID1|.DIV|.CONV>> $when<91.1=|{UR24 ~30}, >$far_place").until(99).unsaid(87, 7),
    row(0x947, 100, "BRA<85.2=|.INC|.DEC|.INVALID3><91.1=<32.2=|.U<84.1=|.ANY>|.DIV|.CONV>|\
         <32.2=.INVALID0|.INVALID1|.DIV|.CONV>> $when<91.1=|{UR24}, >$far_place").unsaid(87, 7),
    row(0x547, 90, "BRA<85.2=|.INC|.DEC|.INVALID3>.U<84.1=|.ANY> $when{UP24 !27}, $far_place").unsaid(32, 1).unsaid(87, 7).unsaid(91, 1),
    row(0x949, 75, "BRX<85.2=|.INC|.DEC|.INVALID3> $when{R24} {S34.48*4}").until(89).unsaid(87, 7),
    row(0x949, 90, "BRX<85.2=|.INC|.DEC|.INVALID3> $when{R24} {S16.8~34.48*4}").unsaid(87, 7),
    row(0x943, 75, "CALL.ABS<86.1=|.NOINC> $when{S34.48*4}").until(89).unsaid(87, 7),
    row(0x943, 90, "CALL.ABS<86.1=|.NOINC> $when{S16.8~34.48*4}").unsaid(87, 7),
    row(0x944, 75, "CALL.REL<86.1=|.NOINC> $when$place").until(89).unsaid(87, 7),
    row(0x944, 90, "CALL.REL<86.1=|.NOINC> $when$far_place").unsaid(87, 7),
    row(0x343, 75, "CALL.ABS<86.1=|.NOINC> $when{R24}<34.48!0= {S34.48*4}>").until(89).unsaid(87, 7),
    row(0x343, 90, "CALL.ABS<86.1=|.NOINC> $when{R24}<16.8~34.48!0= {S16.8~34.48*4}>").unsaid(87, 7),
    row(0x344, 75, "CALL.REL<86.1=|.NOINC> $when{R24} $place").until(89).unsaid(87, 7),
    row(0x344, 90, "CALL.REL<86.1=|.NOINC> $when{R24} $far_place").unsaid(87, 7),
    row(0x950, 75, "RET.<85.1=REL|ABS><86.1=|.NODEC> $when<91.1={R24}|{UR24}> <85.1=$place|{S34.48*4}>").until(89).unsaid(87, 7),
    row(0x950, 90, "RET.<85.1=REL|ABS><86.1=|.NODEC> $when<91.1={R24}|{UR24}> <85.1=$far_place|{S16.8~34.48*4}>").unsaid(87, 7),
    row(0x34e, 75, "LEPC {R16}").until(89),
    row(0x94e, 90, "LEPC {R16}, {L24.58}"),
    row(0x94d, 75, "EXIT<84.2=|.KEEPREFCOUNT|.PREEMPTED|.INVALID3><86.1=|.NO_ATEXIT>$when_alone").unsaid(87, 7),
    row(0x918, 75, "NOP"),
    row(0x946, 75, "YIELD$when_alone").unsaid(87, 7),
    row(0x95c, 75, "BPT.<84.3=?|?|?|TRAP|INT|?|?|?><34.3!0= {U34.3}>"),
    row(0x801, 75, "PMTRIG $when{U32.16}").unsaid(87, 7),
    row(0x35d, 75, "NANOSLEEP<86.1=|.RAND><85.1=|.WARP><84.1=|.SYNCS> $when{R32}").unsaid(87, 7),
    row(0x95d, 75, "NANOSLEEP<83.1=<86.1=|.RAND><85.1=|.WARP><84.1=|.SYNCS> $when{U32.32}|.CLEAR$when_alone>").unsaid(87, 7),
    row(0x82d, 90, "PREEXIT"),
    row(0x82e, 90, "ACQBULK"),
    // Convergence.
    row(0x945, 75, "BSSY $when{B16}, {L34.30*4}").until(99).unsaid(87, 7),
    row(0x945, 100, "BSSY<72.2=|.RELIABLE|.RECONVERGENT|?> $when{B16}, {L34.30*4}").unsaid(87, 7),
    row(0x941, 75, "BSYNC $when{B16}").until(99).unsaid(87, 7),
    row(0x941, 100, "BSYNC<72.2=|.RELIABLE|.RECONVERGENT|?> $when{B16}").unsaid(87, 7),
    row(0x942, 75, "BREAK $when{B16}").until(99).unsaid(87, 7),
    row(0x942, 100, "BREAK<72.2=|.RELIABLE|.RECONVERGENT|?> $when{B16}").unsaid(87, 7),
    row(0x355, 75, "BMOV.32<84.1=|.CLEAR> {R16}, {B24.6}"),
    row(0x356, 75, "BMOV.32<84.1=|.PQUAD> {B24.6}, {R32}"),
    row(0xf55, 75, "BMOV.32<84.1=|.CLEAR> {B16}, {B24.6}"),
    row(0xf56, 75, "BMOV.32<84.1=|.PQUAD> {B24.6}, {B16}"),
    row(0x348, 75, "WARPSYNC<86.1=|.EXCLUSIVE> $when{R32}").until(89).unsaid(87, 7),
    row(0x348, 90, "WARPSYNC<85.2=|.EXCLUSIVE|.COLLECTIVE|?> $when{R24}<86:1=, $far_place>").unsaid(87, 7),
    row(0x948, 75, "WARPSYNC $when{U32.32}").until(89).unsaid(87, 7),
    row(0x948, 90, "WARPSYNC<86.1=.ALL$when_alone|.COLLECTIVE.ALL $when$far_place>").unsaid(87, 7),
    row(0x91b, 90, "ENDCOLLECTIVE$when_alone").unsaid(87, 7),
    row(0x352, 100, "RPCMOV.32 Rpc.<31.1=LO|HI>, {R32}"),
    row(0x353, 100, "RPCMOV.32 {R16}, Rpc.<31.1=LO|HI>"),
    // Exchanges between the threads of a warp.
    row(0x389, 75, "SHFL.<58.2=IDX|UP|DOWN|BFLY> {P81}, {R16}, {R24}, {R32}, {R64}"),
    row(0x589, 75, "SHFL.<58.2=IDX|UP|DOWN|BFLY> {P81}, {R16}, {R24}, {R32}, {U40.13}"),
    row(0x989, 75, "SHFL.<58.2=IDX|UP|DOWN|BFLY> {P81}, {R16}, {R24}, {U53.5}, {R64}"),
    row(0xf89, 75, "SHFL.<58.2=IDX|UP|DOWN|BFLY> {P81}, {R16}, {R24}, {U53.5}, {U40.13}"),
    row(0x3a1, 75, "MATCH.<79.1=ALL|ANY><73.1=|.U64> <79:0={P81}, >{R16}, {R24}").unsaid(81, 7),
    row(0x82f, 90, "ELECT<85.1=|.IGNOREKILL> {P81}, {UR16}, {P87 !90}"),
];
