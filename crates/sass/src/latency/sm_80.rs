//! sm_80, and sm_86, sm_87 and sm_89, whose double precision is slower.

use super::pipes::rows;
use super::{Generation, Pipe, Source, tables};

const REGISTER_RAW: &str = "
                                        alu,dispatch pair fma low high half halfalu halfsingle halfmatrix matrixshort matrix matrixlong
    alu dispatch r2p:                     4    6    5    5    5    5    5    5   10   13   16   24
    fma:                                  5    6    4    4    4    5    5    5   10   13   16   24
    low:                                  5    6    4    6    6    5    5    5   10   13   16   24
    factor:                               5    6    4    6    6    5    5    5   10   13   16   24
    high:                                 5    6    4    6    6    5    5    5   10   13   16   24
    half:                                 5    6    5    5    5    4    5    5   10   13   16   24
    halfalu:                              5    6    5    5    5    5    4    5   10   13   16   24
    halfsingle:                           5    6    5    5    5    5    5    5   10   13   16   24
    halfmatrix double:                    6    6    6    6    6    6    6    6    6   13   16   24
    matrixshort matrix matrixlong matrixdouble:    7    7    7    7    7    7    7    7   11   14   16   24
    branch variable texture touniform:    4    4    4    4    4    4    4    4    6   11   14   22
    memory:                               5    5    5    5    5    5    5    5    7   12   15   23
";

const REGISTER_WAW: &str = "
                                     alu,dispatch pair fma low high half halfalu halfsingle halfmatrix matrixshort matrix matrixlong
    alu dispatch:                      1  1+1    1    1    1    1    1    1  3+3  8+1 12+1 20+1
    pair:                              1    1    1    1    1    1    1    1  3+1    8   12   20
    fma:                               1  1+1    1    1  1+1    1    1    1  3+3  8+1 12+1 20+1
    low:                             1+2  1+3  1+1    1  1+1  1+2  1+2  1+2  5+3  8+3 12+3 20+3
    high:                              1  1+1    1    1    1    1    1    1  5+1  8+1 12+1 20+1
    half halfalu:                      1  1+1    1    1    1    1    1    1  3+3  8+1 12+1 20+1
    halfsingle:                        1    1    1    1    1    1    1    1  3+2    8   12   20
    halfmatrix:                        1    1    1    1    1    1    1    1    2    8   12   20
    double:                            1    1    1    1    1    1    1    1    2    7   11   19
    matrixshort matrix matrixlong matrixdouble:    2    2    2    2    2    2    2    2    2    4    8   16
    branch variable memory texture:  1+5  1+5  1+5  1+5  1+5  1+5  1+5  1+5  1+9  7+6 11+6 19+6
";

const REGISTER_WAR: &str = "
                   alu,dispatch,r2p,fma,factor,low,high half,halfalu,halfsingle,halfmatrix,matrixshort,matrix,matrixlong,branch
    alu dispatch pair fma low high half halfalu halfsingle halfmatrix double:    1    1
    matrixshort matrix matrixlong matrixdouble branch variable memory texture:    2    1
";

const PREDICATE_RAW: &str = "
                              alu,dispatch r2p fma,product half,halfalu
    dispatch:                  13   13   13   13
    alu r2p:                    4    4    5    5
    fma product:                5    5    4    5
    half halfalu halfsingle:   13   13   13    5
    halfmatrix double:         13   13   13   13
    branch variable memory texture matrix matrixlong touniform vote guard:   13   13   13   13
";

const PREDICATE_WAW: &str = "
                                   alu,dispatch,r2p,fma,product half,halfalu
    alu dispatch r2p fma product:    1    1
    half halfalu:                  2+7    1
    double:                        2+5  2+5
    variable memory texture branch touniform: 2+10 1+11
";

const PREDICATE_WAR: &str = "
                   alu,dispatch,r2p,fma,product,half,halfalu,halfsingle,halfmatrix,double,variable,memory,texture,branch,touniform,vote,elect,matrix,matrixlong,pair,bulk,guard
    alu dispatch r2p fma product half halfalu double variable memory texture branch touniform elect:    1
";

const UNIFORM_RAW: &str = "
                    uniform load,move,vote
    alu dispatch pair fma product factor low high half halfalu halfsingle halfmatrix matrix matrixlong matrixshort:    6    2
    variable memory texture double matrixdouble touniform:    9    2
    branch:          10    3
    bindless load:   12    5
    uniform:          4    2
    move vote:        7    2
";

const UNIFORM_WAW: &str = "
                     uniform load,move,vote
    touniform:       4+7    4
    uniform:           1    1
    load move vote:    7    1
";

const UNIFORM_WAR: &str = "
                        alu,dispatch,pair,fma,product,factor,low,high,half,halfalu,halfsingle,halfmatrix,double,variable,memory,texture,branch,bindless,load,move,matrix,matrixlong uniform
    touniform uniform:    1    1
    load move vote:       1    3
";

const UNIFORM_PREDICATE_RAW: &str = "
                                   uniform vote
    alu fma:                         6    1
    uniform:                         4    1
    guard load matrix matrixlong:   11    5
    branch:                          9    2
";

const UNIFORM_PREDICATE_WAW: &str = "
                   uniform vote
    uniform:         1    1
    vote:            7    1
";

const UNIFORM_PREDICATE_WAR: &str = "
                   alu,fma,uniform guard,branch,load
    uniform:         1    1
    vote:            2    1
";

/// sm_80.
pub(super) const SM_80: Generation = Generation {
    chips: (80, 85),
    pipes: rows!(Pipe, PIPES),
    variable: VARIABLE,
    tables: all_tables!(Source::NakAndPtxas),
    least_stalls: rows!(
        u8,
        &[
            ("BRA BRX JMP JMX EXIT RET BSYNC KILL", 5),
            ("BAR.ARV MEMBAR", 6),
            ("CCTL", 5),
            ("DEPBAR", 4),
        ]
    ),
    issue: rows!(
        u8,
        &[
            ("FADD FMUL FFMA", 2),
            ("IMAD.WIDE IMAD.HI", 4),
            ("IMAD IDP FSWZADD", 2),
            (
                "IADD3 LEA LOP3 SHF PRMT SGXT BMSK IABS MOV SEL ISETP IMNMX PLOP3 P2R R2P VABSDIFF VABSDIFF4 FMNMX FSEL FSET FSETP I2I I2IP F2FP I2FP VOTE",
                2,
            ),
            ("HADD2 HMUL2 HFMA2 HSET2 HSETP2 HMNMX2", 2),
            ("DADD DMUL DFMA DSETP", 4),
            ("HMMA.1688.TF32", 8),
            (
                "HMMA.1688 HMMA.1684 HMMA.SP.16816 IMMA.8816 IMMA.8832 IMMA.16816 BMMA.88128 BMMA.168128",
                4,
            ),
            ("HMMA IMMA BMMA", 8),
            ("DMMA", 18),
            (
                "MUFU F2F F2I I2F FRND FLO BREV POPC MATCH LDC REDUX S2UR",
                8,
            ),
            ("R2UR", 8),
            (
                "LD LDG LDL LDS S2R LDSM LDGSTS ST STG STS STL ATOM ATOMG ATOMS RED QSPC SHFL MOVM",
                4,
            ),
            (
                "UIADD3 UIMAD UISETP ULEA ULOP3 UPRMT USEL USGXT USHF UBMSK",
                2,
            ),
            ("ULDC UMOV", 2),
        ]
    ),
};

/// sm_86, sm_87 and sm_89.
pub(super) const SM_86: Generation = Generation {
    chips: (86, 89),
    issue: rows!(
        u8,
        &[
            ("FADD FMUL FFMA", 1),
            ("IMAD.WIDE IMAD.HI", 4),
            ("IMAD IDP FSWZADD", 2),
            (
                "IADD3 LEA LOP3 SHF PRMT SGXT BMSK IABS MOV SEL ISETP IMNMX PLOP3 P2R R2P VABSDIFF VABSDIFF4 FMNMX FSEL FSET FSETP I2I I2IP F2FP I2FP VOTE",
                2,
            ),
            ("HADD2 HMUL2 HFMA2 HSET2 HSETP2 HMNMX2", 2),
            ("DADD DMUL DFMA DSETP", 4),
            ("HMMA.1688.TF32", 8),
            (
                "HMMA.1688 HMMA.1684 HMMA.SP.16816 IMMA.8816 IMMA.8832 IMMA.16816 BMMA.88128 BMMA.168128",
                4,
            ),
            ("HMMA IMMA BMMA", 8),
            ("DMMA", 18),
            (
                "MUFU F2F F2I I2F FRND FLO BREV POPC MATCH LDC REDUX S2UR",
                8,
            ),
            ("R2UR", 8),
            (
                "LD LDG LDL LDS S2R LDSM LDGSTS ST STG STS STL ATOM ATOMG ATOMS RED QSPC SHFL MOVM",
                4,
            ),
            (
                "UIADD3 UIMAD UISETP ULEA ULOP3 UPRMT USEL USGXT USHF UBMSK",
                2,
            ),
            ("ULDC UMOV", 2),
        ]
    ),
    ..SM_80
};

#[rustfmt::skip]
const PIPES: &[(&str, Pipe)] = &[
    ("IMMA.8816 IMMA.8832 BMMA.88128", Pipe::MatrixShort),
    ("HMMA.1688.TF32", Pipe::MatrixLong),
    ("HMMA.SP.16816.TF32", Pipe::MatrixLong),
    ("HMMA.1688 HMMA.1684 HMMA.SP.16816 IMMA.16816 IMMA.16832.U4 IMMA.16832.S4 IMMA.SP.16832 BMMA.168128", Pipe::Matrix),
    ("IMMA.SP.16864.U4 IMMA.SP.16864.S4", Pipe::Matrix),
    ("HMMA IMMA BMMA", Pipe::MatrixLong),
];

const VARIABLE: &[Pipe] = &[
    Pipe::Double,
    Pipe::MatrixDouble,
    Pipe::Branch,
    Pipe::Variable,
    Pipe::Memory,
    Pipe::Texture,
    Pipe::ToUniform,
    Pipe::Bulk,
    Pipe::Group,
];
