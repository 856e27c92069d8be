//! What hardware answered, in a file.
//!
//! ```text
//!   gzip( "warpc forms 1\n"  "NVIDIA H200, CUDA 13.0\n"  answer* )
//!   answer  = length:u16 text  kind:u8  ( 0: tuples:u32 results:u8 column*  |  1: length:u16 reason )
//!   column  = bits:u8 value*  |  0:u8 number:u32
//!   value   = one a tuple, little-endian, in as few bytes as hold it; single bits eight to a byte
//! ```
//!
//! A column that was there before, as many instructions give the same results for the same operands,
//! is only named by its number.
//!
//! Operands are not in it: they follow from the text ([`crate::forms::Tuples`]).

use std::collections::HashMap;
use std::io::{self, Read, Write};
use warpc_testkit::gzip;

const MAGIC: &[u8] = b"warpc forms 1\n";

/// The answers to one case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The case's text.
    pub text: String,
    /// What came back.
    pub outcome: Outcome,
}

/// What came back from a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// For each result a column with a value for each tuple.
    Results(Vec<Column>),
    /// The case could not be run.
    Failed(String),
}

/// The values of one result.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Column {
    /// Bits of a value, at most 64.
    pub bits: u32,
    /// A value for each tuple.
    pub values: Vec<u64>,
}

impl Answer {
    /// The number of tuples.
    pub fn tuples(&self) -> usize {
        match &self.outcome {
            Outcome::Results(columns) => columns.first().map_or(0, |column| column.values.len()),
            Outcome::Failed(_) => 0,
        }
    }

    /// Leaves out all tuples from number `tuples` on.
    pub fn cut(&mut self, tuples: usize) {
        if let Outcome::Results(columns) = &mut self.outcome {
            for column in columns {
                column.values.truncate(tuples);
            }
        }
    }
}

/// Writes answers one after the other.
pub struct Writer<W> {
    out: W,
    /// The number of each column so far.
    seen: HashMap<Column, u32>,
}

impl<W: Write> Writer<W> {
    /// Writes to `out` from now on.
    pub fn new(out: W) -> Writer<W> {
        Writer {
            out,
            seen: HashMap::new(),
        }
    }

    /// Appends an answer.
    pub fn write(&mut self, answer: &Answer) -> io::Result<()> {
        write_text(&mut self.out, &answer.text)?;
        match &answer.outcome {
            Outcome::Results(columns) => {
                self.out.write_all(&[0])?;
                self.out
                    .write_all(&(answer.tuples() as u32).to_le_bytes())?;
                self.out.write_all(&[columns.len() as u8])?;
                columns.iter().try_for_each(|column| self.column(column))
            }
            Outcome::Failed(reason) => {
                self.out.write_all(&[1])?;
                write_text(&mut self.out, reason)
            }
        }
    }

    fn column(&mut self, column: &Column) -> io::Result<()> {
        if let Some(number) = self.seen.get(column) {
            self.out.write_all(&[0])?;
            return self.out.write_all(&number.to_le_bytes());
        }
        self.seen.insert(column.clone(), self.seen.len() as u32);
        self.out.write_all(&[column.bits as u8])?;
        column.write(&mut self.out)
    }

    /// Hands everything on to where it is written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Ends writing and gives back where it went.
    pub fn finish(self) -> W {
        self.out
    }
}

/// Reads answers one after the other.
pub struct Reader<R> {
    input: R,
    seen: Vec<Column>,
}

impl<R: Read> Reader<R> {
    /// Reads from `input` from now on.
    pub fn new(input: R) -> Reader<R> {
        Reader {
            input,
            seen: Vec::new(),
        }
    }

    /// Reads the next answer; `None` at the end.
    pub fn read(&mut self) -> io::Result<Option<Answer>> {
        let mut length = [0; 2];
        if self.input.read(&mut length[..1])? == 0 {
            return Ok(None);
        }
        self.input.read_exact(&mut length[1..])?;
        let text = read_text(&mut self.input, u16::from_le_bytes(length))?;
        let outcome = if read_byte(&mut self.input)? == 0 {
            let mut tuples = [0; 4];
            self.input.read_exact(&mut tuples)?;
            let tuples = u32::from_le_bytes(tuples) as usize;
            let columns = (0..read_byte(&mut self.input)?).map(|_| self.column(tuples));
            Outcome::Results(columns.collect::<io::Result<_>>()?)
        } else {
            let mut length = [0; 2];
            self.input.read_exact(&mut length)?;
            Outcome::Failed(read_text(&mut self.input, u16::from_le_bytes(length))?)
        };
        Ok(Some(Answer { text, outcome }))
    }

    fn column(&mut self, tuples: usize) -> io::Result<Column> {
        let bits = read_byte(&mut self.input)?;
        if bits == 0 {
            let mut number = [0; 4];
            self.input.read_exact(&mut number)?;
            let column = self.seen.get(u32::from_le_bytes(number) as usize);
            let fits = column.filter(|column| column.values.len() == tuples);
            return fits
                .cloned()
                .ok_or_else(|| io::Error::other("a column that was not there before"));
        }
        let column = Column::read(&mut self.input, u32::from(bits), tuples)?;
        self.seen.push(column.clone());
        Ok(column)
    }
}

impl Column {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        if self.bits == 1 {
            let bytes = self.values.chunks(8).map(|chunk| {
                let bits = chunk.iter().enumerate();
                bits.fold(0, |byte, (i, value)| byte | (value & 1) << i) as u8
            });
            return out.write_all(&bytes.collect::<Vec<u8>>());
        }
        let width = self.bits.div_ceil(8) as usize;
        self.values
            .iter()
            .try_for_each(|value| out.write_all(&value.to_le_bytes()[..width]))
    }

    fn read(input: &mut impl Read, bits: u32, tuples: usize) -> io::Result<Column> {
        let width = bits.div_ceil(8) as usize;
        let length = if bits == 1 {
            tuples.div_ceil(8)
        } else {
            tuples * width
        };
        if bits == 0 || bits > 64 {
            return Err(io::Error::other(format!("a value of {bits} bits")));
        }
        let mut bytes = vec![0; length];
        input.read_exact(&mut bytes)?;
        let values = if bits == 1 {
            (0..tuples)
                .map(|i| u64::from(bytes[i / 8] >> (i % 8) & 1))
                .collect()
        } else {
            let value = |chunk: &[u8]| {
                let mut all = [0; 8];
                all[..width].copy_from_slice(chunk);
                u64::from_le_bytes(all)
            };
            bytes.chunks(width).map(value).collect()
        };
        Ok(Column { bits, values })
    }
}

fn write_text(out: &mut impl Write, text: &str) -> io::Result<()> {
    let mut end = text.len().min(usize::from(u16::MAX));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    out.write_all(&(end as u16).to_le_bytes())?;
    out.write_all(&text.as_bytes()[..end])
}

fn read_text(input: &mut impl Read, length: u16) -> io::Result<String> {
    let mut bytes = vec![0; usize::from(length)];
    input.read_exact(&mut bytes)?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

fn read_byte(input: &mut impl Read) -> io::Result<u8> {
    let mut byte = [0];
    input.read_exact(&mut byte)?;
    Ok(byte[0])
}

/// A file of answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answers {
    /// The GPU and its driver.
    pub device: String,
    /// The answers, in the suite's order.
    pub list: Vec<Answer>,
}

impl Answers {
    /// Reads a compressed file.
    pub fn read(bytes: &[u8]) -> io::Result<Answers> {
        let bytes = gzip::unpack(bytes)?;
        let mut input = &bytes[..];
        let mut magic = vec![0; MAGIC.len()];
        input.read_exact(&mut magic)?;
        if magic != MAGIC {
            return Err(io::Error::other("this is not a file of answers"));
        }
        let mut device = String::new();
        io::BufRead::read_line(&mut input, &mut device)?;
        let mut list = Vec::new();
        let mut reader = Reader::new(input);
        while let Some(answer) = reader.read()? {
            list.push(answer);
        }
        Ok(Answers {
            device: device.trim_end().into(),
            list,
        })
    }

    /// The compressed file.
    pub fn pack(&self) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        out.write_all(MAGIC)?;
        out.write_all(format!("{}\n", self.device).as_bytes())?;
        let mut writer = Writer::new(out);
        for answer in &self.list {
            writer.write(answer)?;
        }
        Ok(gzip::pack(writer.finish()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let column = |bits: u32, values: &[u64]| Column {
            bits,
            values: values.to_vec(),
        };
        let results = Outcome::Results(vec![
            column(1, &[1, 0, 1, 1, 0, 0, 0, 1, 1]),
            column(16, &[0, 1, 0xffff, 3, 4, 5, 6, 7, 8]),
            column(64, &[u64::MAX, 1, 2, 3, 4, 5, 6, 7, 1 << 63]),
        ]);
        let answer = |text: &str, outcome| Answer {
            text: text.into(),
            outcome,
        };
        let answers = Answers {
            device: "a GPU".into(),
            list: vec![
                answer("add.u32 d, a, b", results.clone()),
                answer("add.s32 d, a, b", results),
                answer("sub.u32 d, a, b", Outcome::Failed("it hangs".into())),
            ],
        };
        let packed = answers.pack().expect("memory takes everything");
        assert_eq!(Answers::read(&packed).expect("what was packed"), answers);
        assert!(Answers::read(&packed[..packed.len() / 2]).is_err());
    }
}
