//! sm_120 and sm_121: matrices take longer, integers and comparisons have a second pipe.

use super::pipes::rows;
use super::sm_90::*;
use super::sm_100::PIPES;
use super::{Generation, Pipe, Source, tables};

const REGISTER_RAW: &str = "
                                        alu,dispatch pair fma low high half halfalu halfsingle matrix matrixshort
    alu dispatch r2p r2ur:                4    6    5    3    5    5    5    5   28   26
    fma low:                              5    6    4    4    4    5    5    5   28   26
    factor:                               5    6    4    4    6    5    5    5   28   26
    high:                                 3    4    2    4    4    3    3    3   28   26
    half:                                 5    6    5    3    5    4    5    5   28   26
    halfalu:                              5    6    5    3    5    5    4    5   28   26
    halfsingle:                           5    6    5    3    5    5    5    5   28   26
    double:                               6    6    6    6    6    6    6    6   28   26
    matrixshort matrix matrixdouble:      7    7    7    7    7    7    7    7   29   27
    branch variable texture touniform:    4    4    4    4    4    4    4    4   28   26
    memory:                               5    5    5    5    5    5    5    5   28   26
";

const REGISTER_WAW: &str = "
                                     alu,dispatch pair fma low high half halfalu halfsingle matrix matrixshort
    alu dispatch:                      1  1+1    1    1    1    1    1    1 23+2 21+2
    pair:                              1    1    1    1    1    1    1    1 23+1 21+1
    fma:                               1  1+1    1    1  1+1    1    1    1 23+3 21+3
    low:                             1+2  1+3  1+1    1  1+1  1+2  1+2  1+2 23+3 21+3
    high:                              1  1+1    1    1    1    1    1    1 23+3 21+3
    half halfalu:                      1  1+1    1    1    1    1    1    1 23+2 21+2
    halfsingle:                        1    1    1    1    1    1    1    1 23+2 21+2
    double:                            1    1    1    1    1    1    1    1   22   20
    matrixshort matrix:                2    2    2    2    2    2    2    2    1    1
    matrixdouble:                    2+4  2+4  2+4  2+4  2+4  2+4  2+4  2+4 19+9 17+9
    branch variable memory texture:  1+5  1+5  1+5  1+5  1+5  1+5  1+5  1+5 22+6 20+6
";

const REGISTER_WAR: &str = "
                   alu,dispatch,r2p,fma,factor,low,high half,halfalu,halfsingle matrix,matrixshort,branch,r2ur
    alu dispatch pair fma low high half halfalu halfsingle double:    1    1    1
    matrixshort matrix matrixdouble branch variable memory texture:    2    2    1
";

pub(super) const PREDICATE_RAW_120: &str = "
                              alu,dispatch,elect r2p r2ur fma,product half,halfalu double
    dispatch:                  13   13   13   13   13   14
    alu r2p:                    4    5    8    5    4    6
    fma product:                5    5   13    4    5    6
    half halfalu halfsingle:   13   13   13   13    5   14
    double:                    13   13   13   13   13    6
    branch variable memory texture matrixshort matrix group touniform vote elect guard:   13   13   13   13   13   14
";

/// sm_120 and sm_121.
pub(super) const SM_120: Generation = Generation {
    chips: (120, u16::MAX),
    pipes: rows!(Pipe, PIPES),
    variable: &[
        Pipe::Double,
        Pipe::MatrixDouble,
        Pipe::Branch,
        Pipe::Variable,
        Pipe::Memory,
        Pipe::Texture,
        Pipe::ToUniform,
        Pipe::Bulk,
    ],
    tables: all_tables!(Source::NakAndPtxas, PREDICATE_RAW_120),
    least_stalls: rows!(u8, LEAST_STALLS),
    issue: rows!(
        u8,
        &[
            (
                "IADD MOV SEL ISETP VIMNMX VIADD FMNMX FSEL FSET FSETP VOTE",
                1,
            ),
            ("FADD FMUL FFMA", 1),
            ("IMAD.WIDE IMAD.HI", 4),
            ("IMAD IDP FSWZADD", 2),
            (
                "IADD3 LEA LOP3 SHF PRMT SGXT BMSK IABS MOV SEL ISETP IMNMX VIMNMX VIMNMX3 VIADDMNMX PLOP3 P2R R2P VABSDIFF VABSDIFF4 FMNMX FSEL FSET FSETP I2I I2IP F2FP I2FP VOTE",
                2,
            ),
            ("HADD2 HMUL2 HFMA2 HSET2 HSETP2 HMNMX2", 2),
            ("HMMA IMMA QMMA", 11),
            (
                "MUFU F2F F2I I2F FRND FLO BREV POPC MATCH LDC REDUX S2UR",
                8,
            ),
            ("R2UR CREDUX", 2),
            (
                "LD LDG LDL LDSM LDGSTS ST STG STS STL STSM ATOM ATOMG ATOMS REDG QSPC SHFL MOVM",
                4,
            ),
        ]
    ),
};
