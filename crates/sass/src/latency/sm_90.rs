//! sm_90: double precision has a fixed latency here, matrices of a warpgroup have a scoreboard of their own.

use super::pipes::rows;
use super::{Generation, Pipe, Source, tables};

const REGISTER_RAW: &str = "
                                        alu,dispatch pair fma low high half halfalu halfsingle halfmatrix double matrixshort matrix matrixlong group
    alu dispatch r2p r2ur:                4    6    5    3    5    5    5    5   10   10   13   16   24    -
    fma low:                              5    6    4    4    4    5    5    5   10   10   13   16   24    -
    factor:                               5    6    4    4    6    5    5    5   10   10   13   16   24    -
    high:                                 3    4    2    4    4    3    3    3    8    8   11   14   22    -
    half:                                 5    6    5    3    5    4    5    5   10   10   13   16   24    -
    halfalu:                              5    6    5    3    5    5    4    5   10   10   13   16   24    -
    halfsingle:                           5    6    5    3    5    5    5    5   10   10   13   16   24    -
    halfmatrix:                           6    6    6    6    6    6    6    6    8   10   13   16   24    -
    double:                               6    6    6    6    6    6    6    6    8    8   13   16   24    -
    matrixshort matrix matrixlong matrixdouble:    7    7    7    7    7    7    7    7   11   11   14   16   24    -
    branch variable texture touniform:    4    4    4    4    4    4    4    4    6    6   11   14   22    -
    memory:                               5    5    5    5    5    5    5    5    7    7   12   15   23    -
    group:                                7    7    7    7    7    7    7    7   11   11   14   16   24    1
";

const REGISTER_WAW: &str = "
                                     alu,dispatch pair fma low high half halfalu halfsingle halfmatrix double matrixshort matrix matrixlong group
    alu dispatch:                      1  1+1    1    1    1    1    1    1  3+3  3+3  8+1 12+1 20+1    -
    pair:                              1    1    1    1    1    1    1    1  3+1  3+1    8   12   20    -
    fma:                               1  1+1    1    1  1+1    1    1    1  3+3  3+3  8+1 12+1 20+1    -
    low:                             1+2  1+3  1+1    1  1+1  1+2  1+2  1+2  5+3  5+3  8+3 12+3 20+3    -
    high:                              1  1+1    1    1    1    1    1    1  5+1  5+1  8+1 12+1 20+1    -
    half halfalu:                      1  1+1    1    1    1    1    1    1  3+3  3+3  8+1 12+1 20+1    -
    halfsingle:                        1    1    1    1    1    1    1    1  3+2  3+2    8   12   20    -
    halfmatrix:                        1    1    1    1    1    1    1    1    1    3    8   12   20    -
    double:                            1    1    1    1    1    1    1    1    2    1    7   11   19    -
    matrixshort matrix matrixlong matrixdouble:    2    2    2    2    2    2    2    2    2    2    4    8   16    -
    branch variable memory texture:  1+5  1+5  1+5  1+5  1+5  1+5  1+5  1+5  1+9  1+9  7+6 11+6 19+6    -
    group:                             2    2    2    2    2    2    2    2    2    2    4    8   16    1
";

const REGISTER_WAR: &str = "
                   alu,dispatch,r2p,fma,factor,low,high half,halfalu,halfsingle,halfmatrix double,matrixshort,matrix,matrixlong,branch,r2ur
    alu dispatch pair fma low high half halfalu halfsingle halfmatrix double:    1    1    1
    matrixshort matrix matrixlong matrixdouble group branch variable memory texture:    2    2    1
";

pub(super) const PREDICATE_RAW: &str = "
                              alu,dispatch,elect r2p r2ur fma,product half,halfalu double
    dispatch:                  13   13   13   13   13   14
    alu r2p:                    4    5    8    5    5    6
    fma product:                5    5   13    4    5    6
    half halfalu halfsingle:   13   13   13   13    5   14
    halfmatrix double:         13   13   13   13   13    6
    branch variable memory texture matrixshort matrix matrixlong group touniform vote elect guard:   13   13   13   13   13   14
";

pub(super) const PREDICATE_WAW: &str = "
                             alu,dispatch,r2p,elect r2ur fma,product half,halfalu double
    alu dispatch r2p elect:    1  1+7    1    1    2
    r2ur:                      1    1    1    1    2
    fma product:               1  1+8    1    1    2
    half halfalu:            2+6  2+6  2+6    1  2+7
    double:                  2+5  2+5  2+5  2+5    1
    variable memory texture branch touniform: 2+10 2+10 2+10 2+10 1+12
";

pub(super) const PREDICATE_WAR: &str = "
                   alu,dispatch,r2p,fma,product,half,halfalu,halfsingle,halfmatrix,double,variable,memory,texture,branch,touniform,r2ur,vote,elect,matrixshort,matrix,matrixlong,pair,group,bulk,guard
    alu dispatch r2p r2ur fma product half halfalu double variable memory texture branch touniform elect:    1
";

pub(super) const UNIFORM_RAW: &str = "
                    uniform load,move,vote,elect r2ur
    alu dispatch r2p pair fma product factor low high half halfalu halfsingle matrixshort matrix matrixlong group:    6    2   13
    halfmatrix double matrixdouble variable memory texture bulk:    9    2   13
    branch:          10    3   13
    bindless load:   12    5   15
    touniform:       12    5   13
    uniform:          4    2   13
    move:             7    2   13
    elect:            8    2   13
";

pub(super) const UNIFORM_WAW: &str = "
                           uniform load,move,vote,elect r2ur
    touniform bulk:        4+7    4 4+10
    uniform:                 1    1  4+5
    load move vote elect:    7    1 10+1
    r2ur:                    7    1    1
";

pub(super) const UNIFORM_WAR: &str = "
                                  alu,dispatch,r2p,pair,fma,product,factor,low,high,half,halfalu,halfsingle,halfmatrix,double,matrixdouble,variable,memory,texture,branch,bindless,load,move,elect,touniform,matrixshort,matrix,matrixlong,group uniform
    touniform uniform r2ur bulk:    1    1
    load move vote elect:           1    3
";

pub(super) const UNIFORM_PREDICATE_RAW: &str = "
                       uniform vote
    alu dispatch fma:    6    1
    uniform:             4    1
    guard load matrixshort matrix matrixlong matrixdouble group bulk:   11    5
    branch:              9    2
";

pub(super) const UNIFORM_PREDICATE_WAW: &str = "
                   uniform vote
    uniform:         1    1
    vote:            7    1
    bulk:          8+2    8
";

pub(super) const UNIFORM_PREDICATE_WAR: &str = "
                   alu,dispatch,fma,uniform guard,branch,load,bulk,matrixshort,matrix,matrixlong,matrixdouble,group
    uniform bulk:    1    1
    vote:            2    1
";

/// Those of sm_90 and later chips.
pub(super) const LEAST_STALLS: &[(&str, u8)] = &[
    (
        "BRA BRX JMP JMX EXIT RET BSYNC KILL BRXU JMXU CALL BREAK BMOV YIELD NANOSLEEP WARPSYNC",
        5,
    ),
    ("BAR.ARV MEMBAR CGAERRBAR", 6),
    ("DEPBAR", 4),
    ("WARPGROUP.DEPBAR", 2),
];

/// sm_90.
pub(super) const SM_90: Generation = Generation {
    chips: (90, 99),
    pipes: rows!(Pipe, PIPES),
    variable: &[
        Pipe::MatrixDouble,
        Pipe::Branch,
        Pipe::Variable,
        Pipe::Memory,
        Pipe::Texture,
        Pipe::ToUniform,
        Pipe::Bulk,
        Pipe::Group,
    ],
    tables: all_tables!(Source::NakAndPtxas),
    least_stalls: rows!(u8, LEAST_STALLS),
    issue: rows!(
        u8,
        &[
            ("FADD FMUL FFMA", 1),
            ("IMAD.WIDE IMAD.HI", 4),
            ("IMAD IDP FSWZADD VIADD", 2),
            (
                "IADD3 LEA LOP3 SHF PRMT SGXT BMSK IABS MOV SEL ISETP IMNMX VIMNMX VIMNMX3 VIADDMNMX PLOP3 P2R R2P VABSDIFF VABSDIFF4 FMNMX FSEL FSET FSETP I2I I2IP F2FP I2FP VOTE",
                2,
            ),
            ("HADD2 HMUL2 HFMA2 HSET2 HSETP2 HMNMX2", 2),
            ("DADD DMUL DFMA DSETP", 2),
            ("HMMA.1688.TF32", 6),
            (
                "HMMA.1688 HMMA.1684 HMMA.SP.16816 IMMA.8816 IMMA.8832 IMMA.16816 BMMA.88128 BMMA.168128",
                4,
            ),
            ("HMMA IMMA BMMA", 6),
            ("DMMA", 16),
            ("HGMMA IGMMA BGMMA QGMMA", 4),
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

#[rustfmt::skip]
const PIPES: &[(&str, Pipe)] = &[
    ("R2UR", Pipe::MoveToUniform),
    ("IMMA.8816 IMMA.8832 BMMA.88128", Pipe::MatrixShort),
    ("HMMA.1688.TF32 HMMA.SP.16816.TF32", Pipe::MatrixLong),
    ("HMMA.1688 HMMA.1684 HMMA.SP.16816 IMMA.16816 IMMA.SP.16832 BMMA.168128", Pipe::Matrix),
    ("HMMA IMMA BMMA", Pipe::MatrixLong),
];
