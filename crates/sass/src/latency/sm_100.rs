//! sm_100, sm_103 and sm_110.

use super::pipes::rows;
use super::sm_90::*;
use super::sm_120::PREDICATE_RAW_120;
use super::{Generation, Pipe, Source, tables};

const REGISTER_RAW: &str = "
                                        alu,dispatch pair fma low high half halfalu halfsingle matrix
    alu dispatch r2p r2ur:                4    6    5    3    5    5    5    5   19
    fma low:                              5    6    4    4    4    5    5    5   19
    factor:                               5    6    4    4    6    5    5    5   19
    high:                                 3    4    2    4    4    3    3    3   19
    half:                                 5    6    5    3    5    4    5    5   19
    halfalu:                              5    6    5    3    5    5    4    5   19
    halfsingle:                           5    6    5    3    5    5    5    5   19
    double:                               6    6    6    6    6    6    6    6   19
    matrixshort matrix matrixdouble:      7    7    7    7    7    7    7    7   20
    branch variable texture touniform:    4    4    4    4    4    4    4    4   19
    memory:                               5    5    5    5    5    5    5    5   19
";

const REGISTER_WAW: &str = "
                                     alu,dispatch pair fma low high half halfalu halfsingle matrix
    alu dispatch:                      1  1+1    1    1    1    1    1    1 14+2
    pair:                              1    1    1    1    1    1    1    1 14+1
    fma:                               1  1+1    1    1  1+1    1    1    1 14+3
    low:                             1+2  1+3  1+1    1  1+1  1+2  1+2  1+2 14+3
    high:                              1  1+1    1    1    1    1    1    1 14+3
    half halfalu:                      1  1+1    1    1    1    1    1    1 14+2
    halfsingle:                        1    1    1    1    1    1    1    1 14+2
    double:                            1    1    1    1    1    1    1    1   13
    matrixshort matrix:                2    2    2    2    2    2    2    2    1
    matrixdouble:                    2+4  2+4  2+4  2+4  2+4  2+4  2+4  2+4 10+9
    branch variable memory texture:  1+5  1+5  1+5  1+5  1+5  1+5  1+5  1+5 13+6
";

const REGISTER_WAR: &str = "
                   alu,dispatch,r2p,fma,factor,low,high half,halfalu,halfsingle matrix,branch,r2ur
    alu dispatch pair fma low high half halfalu halfsingle double:    1    1    1
    matrixshort matrix matrixdouble branch variable memory texture:    2    2    1
";

/// sm_100.
pub(super) const SM_100: Generation = Generation {
    chips: (100, 102),
    pipes: rows!(Pipe, PIPES),
    variable: &[
        Pipe::Double,
        Pipe::MatrixShort,
        Pipe::MatrixDouble,
        Pipe::Branch,
        Pipe::Variable,
        Pipe::Memory,
        Pipe::Texture,
        Pipe::ToUniform,
        Pipe::Bulk,
    ],
    tables: all_tables!(Source::Nak),
    least_stalls: rows!(u8, LEAST_STALLS),
    issue: rows!(
        u8,
        &[
            ("FADD FMUL FFMA", 1),
            ("FADD2 FMUL2 FFMA2", 2),
            ("IMAD.WIDE IMAD.HI", 4),
            ("IMAD IDP FSWZADD VIADD", 2),
            (
                "IADD3 LEA LOP3 SHF PRMT SGXT BMSK IABS MOV SEL ISETP IMNMX VIMNMX VIMNMX3 VIADDMNMX PLOP3 P2R R2P VABSDIFF VABSDIFF4 FMNMX FMNMX3 FSEL FSET FSETP I2I I2IP F2FP I2FP VOTE",
                2,
            ),
            ("HADD2 HMUL2 HFMA2 HSET2 HSETP2 HMNMX2", 2),
            ("DADD DMUL DFMA DSETP", 2),
            ("HMMA IMMA", 8),
            ("DMMA", 16),
            (
                "MUFU F2F F2I I2F FRND FLO BREV POPC MATCH LDC REDUX S2UR",
                8,
            ),
            ("R2UR CREDUX", 2),
            (
                "LD LDG LDL LDSM LDGSTS ST STG STS STL STSM ATOM ATOMG ATOMS REDG QSPC SHFL MOVM",
                4,
            ),
            (
                "UIADD3 UIMAD UISETP ULEA ULOP3 UPRMT USEL USGXT USHF UBMSK",
                2,
            ),
            ("CS2R", 2),
        ]
    ),
};

/// sm_103: comparisons of halves are a cycle faster.
pub(super) const SM_103: Generation = Generation {
    chips: (103, 109),
    tables: all_tables!(Source::NakAndPtxas, PREDICATE_RAW_120),
    ..SM_100
};

/// sm_110: matrices of integers have a fixed latency.
pub(super) const SM_110: Generation = Generation {
    chips: (110, 119),
    pipes: rows!(
        Pipe,
        &[("R2UR CREDUX", Pipe::MoveToUniform), ("IMMA", Pipe::Matrix)]
    ),
    ..SM_100
};

pub(super) const PIPES: &[(&str, Pipe)] = &[("R2UR CREDUX", Pipe::MoveToUniform)];
