//! Measurements as texts: the table of nccl-tests, and CSV.
//!
//! Source: nccl-tests, `src/common.cu`, for columns and widths. What was not measured, out of place
//! or in place, says so as nccl-tests does.

use super::choice::PLACES;
use super::record::{Curve, Point, Record};
use crate::engine::collective::Verb;
use crate::ui::export::nccl_tests::{op_name, program, type_name};
use crate::ui::scenario::Scenario;

impl Curve {
    /// S over the time, in GB/s.
    pub fn algbw(&self, point: &Point) -> f64 {
        point.bytes as f64 / point.us / 1000.0
    }

    /// algbw times the verb's factor, in GB/s.
    pub fn busbw(&self, point: &Point) -> f64 {
        self.algbw(point) * self.bus_factor()
    }

    /// Elements as nccl-tests counts them: of verbs that hand out or collect, those of one block.
    pub fn count(&self, point: &Point) -> u64 {
        let elements = point.bytes / self.scenario.wire().size_bytes() as u64;
        match self.scenario.verb {
            Verb::AllGather
            | Verb::ReduceScatter
            | Verb::AllToAll
            | Verb::Gather
            | Verb::Scatter => elements / self.scenario.ranks as u64,
            _ => elements,
        }
    }

    /// The operator as nccl-tests names it.
    pub fn redop(&self) -> &'static str {
        if self.scenario.verb.reduces() { op_name(self.scenario.op) } else { "none" }
    }

    /// The root, or -1 for a verb without one.
    fn root(&self) -> String {
        let root = self.scenario.verb.has_root().then_some(self.scenario.root);
        root.map_or("-1".into(), |root| root.to_string())
    }

    /// The name of what nccl-tests would run.
    fn program(&self) -> &'static str {
        program(self.scenario.verb).unwrap_or(self.scenario.verb.name())
    }
}

/// All curves as nccl-tests prints them, one table after the other.
pub fn text(record: &Record) -> String {
    let context = &record.context;
    let origin = &context.origin;
    let isolated = if origin.isolated { "isolated" } else { "not isolated" };
    let mut text = format!(
        "# Ringscope {}, {}, {} cores, {isolated}, timer {} us\n",
        origin.build, origin.browser, origin.cores, context.resolution_us
    );
    for table in tables(record.curves()) {
        text += &table.text();
    }
    text
}

/// Curves that differ only in where results lie.
struct Table {
    /// The first of them, for what they have in common.
    of: Curve,
    /// Points out of place, and in place.
    points: [Vec<Point>; 2],
}

fn tables(curves: Vec<Curve>) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for curve in curves {
        let alike = |table: &&mut Table| {
            let Scenario { data, in_place, .. } = table.of.scenario.clone();
            let placed = Scenario { data, in_place, ..curve.scenario.clone() };
            table.of.scenario.runs_as(&placed)
        };
        let (place, points) = (usize::from(curve.scenario.in_place), curve.points.clone());
        match tables.iter_mut().find(alike) {
            Some(table) => table.points[place] = points,
            None => {
                let mut table = Table { of: curve, points: Default::default() };
                table.points[place] = points;
                tables.push(table);
            }
        }
    }
    tables
}

impl Table {
    fn text(&self) -> String {
        let (curve, s) = (&self.of, &self.of.scenario);
        let mut lines = vec![
            "#".to_string(),
            format!("# {}: {} ranks, {}, {}", curve.program(), s.ranks, s.algorithm, s.via.name()),
            "#".to_string(),
            format!("# {:61}out-of-place{:23}in-place          ", "", ""),
        ];
        let heading = |names: [&str; 5], times: [&str; 4]| {
            let [size, count, dtype, op, root] = names;
            let times = four(&times.map(String::from));
            format!("# {size:>10}  {count:>12}  {dtype:>8}  {op:>6}  {root:>6}{times}{times}")
        };
        lines.push(heading(
            ["size", "count", "type", "redop", "root"],
            ["time", "algbw", "busbw", "#wrong"],
        ));
        lines.push(heading(["(B)", "(elements)", "", "", ""], ["(us)", "(GB/s)", "(GB/s)", ""]));
        let mut sizes: Vec<&Point> = self.points.iter().flatten().collect();
        sizes.sort_by_key(|point| point.bytes);
        sizes.dedup_by_key(|point| point.bytes);
        for point in sizes {
            let [out, own] = self.points.each_ref().map(|points| {
                let found = points.iter().find(|other| other.bytes == point.bytes);
                four(&found.map_or(["N/A"; 4].map(String::from), |point| cells(curve, point)))
            });
            lines.push(format!(
                "{:>12}  {:>12}  {:>8}  {:>6}  {:>6}{out}{own}",
                point.bytes,
                curve.count(point),
                type_name(s.wire()),
                curve.redop(),
                curve.root(),
            ));
        }
        let all: Vec<&Point> = self.points.iter().flatten().collect();
        let wrong: u64 = all.iter().map(|point| point.wrong).sum();
        let verdict = if wrong == 0 { "OK" } else { "FAILED" };
        let busbw: f64 = all.iter().map(|point| curve.busbw(point)).sum();
        lines.push(format!("# Out of bounds values : {wrong} {verdict}"));
        lines.push(format!("# Avg bus bandwidth    : {:.6}", busbw / all.len() as f64));
        lines.push("#\n".to_string());
        lines.join("\n")
    }
}

/// What was measured, as it is printed.
fn cells(curve: &Curve, point: &Point) -> [String; 4] {
    let [algbw, busbw] = [curve.algbw(point), curve.busbw(point)].map(|rate| format!("{rate:.2}"));
    [time(point.us), algbw, busbw, point.wrong.to_string()]
}

/// Time, algbw, busbw and #wrong in their columns.
fn four([time, algbw, busbw, wrong]: &[String; 4]) -> String {
    format!("  {time:>7}  {algbw:>6}  {busbw:>6} {wrong:>6}")
}

/// Microseconds in as many digits as nccl-tests gives them.
fn time(us: f64) -> String {
    match us {
        us if us >= 10_000.0 => format!("{us:.0}"),
        us if us >= 100.0 => format!("{us:.1}"),
        us => format!("{us:.2}"),
    }
}

/// The columns of the CSV.
const COLUMNS: [&str; 20] = [
    "verb",
    "algorithm",
    "ranks",
    "type",
    "redop",
    "root",
    "via",
    "place",
    "size_bytes",
    "count",
    "time_us",
    "fastest_us",
    "slowest_us",
    "algbw_gb_s",
    "busbw_gb_s",
    "wrong",
    "batches",
    "repetitions",
    "timer_us",
    "browser",
];

/// All measurements as comma-separated values.
pub fn csv(record: &Record) -> String {
    let mut lines = vec![COLUMNS.join(",")];
    for curve in record.curves() {
        let s = &curve.scenario;
        for point in &curve.points {
            let fields: [String; COLUMNS.len()] = [
                s.verb.name().into(),
                s.algorithm.into(),
                s.ranks.to_string(),
                s.wire().name().into(),
                curve.redop().into(),
                curve.root(),
                s.via.name().into(),
                PLACES[usize::from(s.in_place)].0.into(),
                point.bytes.to_string(),
                curve.count(point).to_string(),
                point.us.to_string(),
                point.range_us.0.to_string(),
                point.range_us.1.to_string(),
                curve.algbw(point).to_string(),
                curve.busbw(point).to_string(),
                point.wrong.to_string(),
                point.batches.to_string(),
                point.repetitions.to_string(),
                record.context.resolution_us.to_string(),
                quoted(&record.context.origin.browser),
            ];
            lines.push(fields.join(","));
        }
    }
    lines.join("\n") + "\n"
}

/// A text as a field.
fn quoted(text: &str) -> String {
    let plain = text.chars().all(|c| c.is_alphanumeric() || " .-_/()".contains(c));
    if plain { text.into() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::oracle::Verdict;
    use crate::runtime::measure::Timed;
    use crate::runtime::transport::Via;
    use crate::ui::take::Origin;

    fn record(browser: &str) -> Record {
        let origin = Origin {
            browser: browser.into(),
            cores: 2,
            isolated: true,
            build: "0123456789ab".into(),
        };
        let mut record = Record::new(origin);
        let mut add = |link: &str, bytes, us, wrong_bits| {
            let verdict = Verdict { checked: 9, wrong_bits, ..Verdict::default() };
            let timed = Timed {
                us: vec![us],
                repetitions: 7,
                via: Via::Shared,
                resolution_us: 5.0,
                verdict,
            };
            record.add(link.into(), bytes, &timed);
        };
        add("/allreduce?size=1KiB", 1024, 34.5, 0);
        add("/allreduce?size=1MiB", 1 << 20, 12_345.6, 0);
        add("/allgather?n=2&type=f16&size=4KiB", 4096, 123.45, 3);
        add("/allreduce?place=in&size=1MiB", 1 << 20, 10_345.6, 0);
        add("/allreduce?place=in&size=2MiB", 2 << 20, 20_345.6, 0);
        record
    }

    #[test]
    fn a_table_looks_as_nccl_tests_prints_it() {
        let text = text(&record("Chrome 140"));
        let lines: Vec<&str> = text.lines().collect();
        let about = "# Ringscope 0123456789ab, Chrome 140, 2 cores, isolated, timer 5 us";
        assert_eq!(lines[..4], [about, "#", "# all_reduce_perf: 4 ranks, ring, shared", "#"]);
        let heading = [
            "#                                                              out-of-place      ",
            "                 in-place          ",
        ];
        assert_eq!(lines[4], heading.concat());
        // As nccl-tests formats them: `%12li  %12li  %8s  %6s  %6s`, then `  %7s  %6s  %6s %6s`.
        for (line, left, measured) in [
            (
                5,
                "#       size         count      type   redop    root",
                "     time   algbw   busbw #wrong",
            ),
            (
                6,
                "#        (B)    (elements)                          ",
                "     (us)  (GB/s)  (GB/s)       ",
            ),
        ] {
            assert_eq!(lines[line], [left, measured, measured].concat());
        }
        let none = "      N/A     N/A     N/A    N/A";
        for (line, left, out, own) in [
            (
                7,
                "        1024           256     float     sum      -1",
                "    34.50    0.03    0.04      0",
                none,
            ),
            (
                8,
                "     1048576        262144     float     sum      -1",
                "    12346    0.08    0.13      0",
                "    10346    0.10    0.15      0",
            ),
            (
                9,
                "     2097152        524288     float     sum      -1",
                none,
                "    20346    0.10    0.15      0",
            ),
        ] {
            assert_eq!(lines[line], [left, out, own].concat());
        }
        assert_eq!(lines[10], "# Out of bounds values : 0 OK");
        assert_eq!(lines[11], "# Avg bus bandwidth    : 0.119643");
        // Of a verb that collects, the count is that of one block.
        let gathered = [
            "        4096          1024      half    none      -1",
            "    123.4    0.03    0.02      3",
        ];
        assert!(text.contains(&gathered.concat()), "{text}");
        assert!(text.ends_with("# Avg bus bandwidth    : 0.016590\n#\n"), "{text}");
    }

    #[test]
    fn every_row_of_the_csv_has_every_column() {
        let text = csv(&record("Some \"odd\", browser"));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 6);
        assert!(lines[0].starts_with("verb,algorithm,ranks,type,redop,root,via,place,size_bytes"));
        let first = "allreduce,ring,4,f32,sum,-1,shared,out,1024,256,34.5,34.5,34.5,";
        assert!(lines[1].starts_with(first), "{text}");
        for line in &lines[1..] {
            assert!(line.ends_with(",1,7,5,\"Some \"\"odd\"\", browser\""), "{line}");
            assert_eq!(line.matches(',').count(), COLUMNS.len());
        }
    }
}
