//! sm_75.

use super::pipes::rows;
use super::{Generation, Pipe, Source, tables};

const REGISTER_RAW: &str = "
                              alu,dispatch pair fma low high half,halfalu,halfsingle matrix matrixshort
    alu dispatch r2p pair:      4    6    5    5    5    8    -    -
    fma:                        5    6    4    4    4    8    -    -
    factor:                     5    6    4    6    6    8    -    -
    low:                        5    6    4    6    6    8    -    -
    high:                       5    6    4    6    6    8    -    -
    double:                     6    6    6    6    6    8    -    -
    half halfalu halfsingle:    6    6    6    6    6    6    -    -
    matrix:                     6    6    6    6    6    8   14    -
    branch variable texture:    6    6    6    6    6    8    -    -
    memory touniform:           8    8    8    8    8    8    -    -
    matrixshort:                8    8    8    8    8    8    -   10
";

const REGISTER_WAW: &str = "
                              alu,dispatch pair fma low high half,halfalu,halfsingle matrix matrixshort
    pair:                       1    1    1    1    1    3    -    -
    alu dispatch:               1    2    1    1    1  3+1    -    -
    fma:                        1    2    1    1  1+1  3+1    -    -
    low:                      2+1  2+2  1+1    1    1  3+3    -    -
    high:                       1  1+1    1    1    1  3+1    -    -
    double:                     2    2    2    2    2    2    -    -
    half halfalu halfsingle:    2    2    2    2    2    1    -    -
    matrix:                     2    2    2    2    2    2    1    -
    matrixshort:              2+2  2+2  2+2  2+2  2+2  2+2    -    1
    variable memory texture:    6    6    6    6    6    6    -    -
    branch:                     9    9    9    9    9    9    -    -
";

const REGISTER_WAR: &str = "
                                     alu,dispatch,r2p,fma,factor,low,high,branch half,halfalu,halfsingle matrix matrixshort
    alu dispatch pair fma low high:    1    1    5    1
    half halfalu halfsingle:           2    1    6    2
    double:                            2    2    6    2
    matrix:                            2    2    1    2
    matrixshort:                       2    2    6    1
    variable memory texture:           2    2    2    2
    branch:                            9    9    9    9
";

const PREDICATE_RAW: &str = "
                              alu,dispatch,r2p fma product half,halfalu
    dispatch:                  12   12   12   14
    alu r2p:                    4    5    5    8
    fma:                        5    4    4    8
    product:                    5    4    2    8
    double:                    12   12   12   14
    half halfalu halfsingle:   12   12   12    6
    branch variable memory texture matrix touniform vote guard:   12   12   12   14
";

const PREDICATE_WAW: &str = "
                              alu,dispatch,r2p fma product half,halfalu
    alu dispatch r2p fma:       1    1    1  3+1
    product:                  1+2  1+1    1  3+3
    double:                   2+2  2+2  2+2  2+4
    half halfalu:             2+4  2+4  2+4    1
    variable memory texture:    2    2    2    2
";

const PREDICATE_WAR: &str = "
                                   alu,dispatch,r2p,fma,product half,halfalu,halfsingle double,variable,memory,texture,branch,vote,guard
    alu dispatch r2p fma product:    1    1    1
    double:                          2    2    1
    half halfalu:                    2    1    1
    variable memory texture:         2    2    1
";

const UNIFORM_RAW: &str = "
                    uniform load,move,vote
    alu dispatch r2p pair fma product half halfalu halfsingle:    6    2
    variable memory texture double branch:    9    2
    bindless load:   12    5
    uniform:          4    2
    move:             7    2
";

const UNIFORM_WAW: &str = "
                     uniform load,move,vote
    touniform:       4+6    4
    uniform:           1    1
    load move vote:    7    1
";

const UNIFORM_WAR: &str = "
                        alu,dispatch,r2p,pair,fma,product,half,halfalu,halfsingle,double,variable,memory,texture,branch,bindless,load,move uniform
    touniform uniform:    1    1
    load move vote:       1    3
";

const UNIFORM_PREDICATE_RAW: &str = "
                   uniform vote
    alu fma:         6    1
    uniform:         4    1
    guard branch:   11    5
";

const UNIFORM_PREDICATE_WAW: &str = "
                   uniform vote
    uniform:         1    1
    vote:            7    1
";

const UNIFORM_PREDICATE_WAR: &str = "
                   alu,fma,guard,branch uniform
    uniform:         1    1
    vote:            1    2
";

/// sm_75.
pub(super) const SM_75: Generation = Generation {
    chips: (75, 79),
    pipes: rows!(Pipe, &[]),
    variable: &[
        Pipe::Double,
        Pipe::Matrix,
        Pipe::MatrixShort,
        Pipe::Branch,
        Pipe::Variable,
        Pipe::Memory,
        Pipe::Texture,
        Pipe::ToUniform,
    ],
    tables: all_tables!(Source::NakAndPtxas),
    least_stalls: rows!(
        u8,
        &[
            ("BRA BRX JMP JMX EXIT RET BSYNC KILL CALL", 5),
            ("BAR MEMBAR CCTL", 5),
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
            ("HMMA", 8),
            ("IMMA BMMA", 4),
            ("MUFU F2F F2I I2F FRND FLO BREV POPC MATCH LDC", 8),
            ("R2UR S2UR", 4),
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
