//! What was measured, and where: the file, and the curves in it.

use super::fit::Took;
use crate::runtime::measure::{Timed, median};
use crate::runtime::transport::Via;
use crate::ui::export::run_file::{Unreadable, recognise};
use crate::ui::scenario::{Data, Page, Scenario, parse};
use crate::ui::take::Origin;
use serde::{Deserialize, Serialize};

/// What a record says it is.
pub const FORMAT: &str = "ringscope-bench";

/// The version that is written, and the newest that is read.
pub const VERSION: u64 = 1;

/// The largest file that is read, in bytes.
pub const MAX_FILE: usize = 8 << 20;

/// Most measurements of a file.
const MAX_RESULTS: usize = 4096;

/// Most batches of a measurement.
pub const MAX_BATCHES: usize = 1000;

/// Longest text of a file, in bytes.
const MAX_TEXT: usize = 200;

/// Measurements of one place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    format: String,
    version: u64,
    /// Where they were made.
    pub context: Context,
    /// One after the other.
    pub results: Vec<Measured>,
}

/// Where measurements are made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Context {
    /// Browser, cores, isolation and build.
    #[serde(flatten)]
    pub origin: Origin,
    /// How coarse the coarsest rank's clock was, in microseconds.
    pub resolution_us: f64,
}

/// One collective, measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The scenario.
    pub link: String,
    /// How messages travelled.
    pub via: String,
    /// The whole vector, in bytes as they travel.
    pub bytes: u64,
    /// Mean time of one repetition at the slowest rank, batch by batch.
    pub seconds: Vec<f64>,
    /// Repetitions of each batch.
    pub repetitions: u32,
    /// Elements of all results that are not what they must be, over all ranks.
    pub wrong: u64,
}

/// Measurements that differ only in size.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// What was measured, at its first size, with the way that messages really travelled.
    pub scenario: Scenario,
    /// Size by size, ascending.
    pub points: Vec<Point>,
}

/// One size of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The whole vector, in bytes as they travel.
    pub bytes: u64,
    /// The median of the batches, in microseconds.
    pub us: f64,
    /// The fastest batch and the slowest.
    pub range_us: (f64, f64),
    /// Batches.
    pub batches: usize,
    /// Repetitions of each.
    pub repetitions: u32,
    /// Elements that are wrong.
    pub wrong: u64,
}

impl Record {
    /// Nothing yet.
    pub fn new(origin: Origin) -> Self {
        let context = Context { origin, resolution_us: 0.0 };
        Record { format: FORMAT.into(), version: VERSION, context, results: Vec::new() }
    }

    /// Takes in what was measured of the scenario that `link` names.
    pub fn add(&mut self, link: String, bytes: u64, timed: &Timed) {
        self.context.resolution_us = self.context.resolution_us.max(timed.resolution_us);
        self.results.push(Measured {
            link,
            via: timed.via.name().into(),
            bytes,
            seconds: timed.us.iter().map(|us| us / 1e6).collect(),
            repetitions: timed.repetitions,
            wrong: timed.verdict.wrong_bits.max(timed.verdict.out_of_bound),
        });
    }

    /// The text of the file.
    pub fn write(&self) -> String {
        // Maps with keys that are no texts are all that cannot be written, and there are none.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Why it cannot be opened.
    pub fn read(bytes: &[u8]) -> Result<Record, Unreadable> {
        recognise(bytes, FORMAT, VERSION, MAX_FILE)?;
        let record: Record = serde_json::from_slice(bytes)
            .map_err(|error| Unreadable::Damaged(error.to_string()))?;
        let Context { origin: Origin { browser, build, .. }, resolution_us } = &record.context;
        let sound = browser.len() <= MAX_TEXT
            && build.len() <= MAX_TEXT
            && resolution_us.is_finite()
            && *resolution_us >= 0.0;
        if !sound {
            return Err(Unreadable::Damaged("context".into()));
        }
        if record.results.len() > MAX_RESULTS {
            return Err(Unreadable::Damaged("results".into()));
        }
        match record.results.iter().position(|result| !result.is_sound()) {
            Some(at) => Err(Unreadable::Damaged(format!("results[{at}]"))),
            None => Ok(record),
        }
    }

    /// The curves, in the order in which their first points were measured.
    pub fn curves(&self) -> Vec<Curve> {
        let mut curves: Vec<Curve> = Vec::new();
        for result in &self.results {
            let Some(scenario) = result.scenario() else { continue };
            let same = |curve: &&mut Curve| {
                let sized = Scenario { data: curve.scenario.data.clone(), ..scenario.clone() };
                curve.scenario.runs_as(&sized)
            };
            match curves.iter_mut().find(same) {
                Some(curve) => curve.take(result),
                None => {
                    let mut curve = Curve { scenario, points: Vec::new() };
                    curve.take(result);
                    curves.push(curve);
                }
            }
        }
        curves
    }
}

impl Measured {
    /// What was measured, if the link names it, with the way that messages really travelled.
    fn scenario(&self) -> Option<Scenario> {
        let (page, scenario, notices) = parse(&self.link);
        let via = Via::ALL.into_iter().find(|via| via.name() == self.via)?;
        let seeded = matches!(scenario.data, Data::Bytes(_));
        let sound = page == Page::Player && notices.is_empty() && seeded;
        sound.then_some(Scenario { via, ..scenario })
    }

    /// Whether it can have been measured.
    fn is_sound(&self) -> bool {
        let Some(scenario) = self.scenario() else { return false };
        let times = |seconds: &f64| *seconds > 0.0 && *seconds < 1e6;
        let bytes = scenario.elements() as u64 * scenario.wire().size_bytes() as u64;
        bytes == self.bytes
            && (1..=MAX_BATCHES).contains(&self.seconds.len())
            && self.seconds.iter().all(times)
            && self.repetitions > 0
    }
}

impl Curve {
    /// Takes in a measurement; of one size the last counts.
    fn take(&mut self, result: &Measured) {
        let us: Vec<f64> = result.seconds.iter().map(|seconds| seconds * 1e6).collect();
        let range_us = us
            .iter()
            .fold((f64::INFINITY, 0.0), |(low, high), &us| (f64::min(low, us), f64::max(high, us)));
        let (bytes, batches) = (result.bytes, us.len());
        let Measured { repetitions, wrong, .. } = *result;
        let point = Point { bytes, us: median(us), range_us, batches, repetitions, wrong };
        match self.points.binary_search_by_key(&bytes, |point| point.bytes) {
            Ok(at) => self.points[at] = point,
            Err(at) => self.points.insert(at, point),
        }
    }

    /// What every size took: its median, and its fastest batch.
    pub fn times(&self) -> Vec<Took> {
        self.points.iter().map(|point| (point.bytes, point.us, point.range_us.0)).collect()
    }

    /// nccl-tests' factor from algbw to busbw.
    pub fn bus_factor(&self) -> f64 {
        let (over, under) = self.scenario.verb.bus_factor(self.scenario.ranks);
        over as f64 / under as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::oracle::Verdict;

    fn origin() -> Origin {
        Origin { browser: "Firefox 150".into(), cores: 2, isolated: true, build: "dev".into() }
    }

    fn record() -> Record {
        let mut record = Record::new(origin());
        let verdict = Verdict { checked: 9, wrong_bits: 2, out_of_bound: 3, worst: 4.0 };
        let mut add = |link: &str, bytes, us: &[f64]| {
            let timed = Timed {
                us: us.to_vec(),
                repetitions: 7,
                via: Via::Ports,
                resolution_us: 5.0,
                verdict,
            };
            record.add(link.into(), bytes, &timed);
        };
        add("/allreduce?size=4KiB", 4096, &[30.0, 10.0, 20.0]);
        add("/allreduce?algo=tree&size=4KiB", 4096, &[40.0]);
        add("/allreduce?size=1KiB", 1024, &[5.0, 6.0]);
        record
    }

    #[test]
    fn files_read_back_as_they_are_written() {
        let record = record();
        assert_eq!(Record::read(record.write().as_bytes()), Ok(record.clone()));
        assert_eq!(record.context.resolution_us, 5.0);
        assert_eq!(record.results[0].wrong, 3);
    }

    #[test]
    fn curves_are_sorted_by_size_and_know_their_spread() {
        let curves = record().curves();
        assert_eq!(curves.len(), 2);
        assert_eq!(curves[0].times(), [(1024, 5.5, 5.0), (4096, 20.0, 10.0)]);
        assert_eq!(curves[0].points[1].range_us, (10.0, 30.0));
        assert_eq!((curves[0].points[1].batches, curves[0].points[1].repetitions), (3, 7));
        assert_eq!(curves[0].bus_factor(), 1.5);
        assert_eq!(curves[1].scenario.algorithm, "tree");
    }

    #[test]
    fn damaged_and_foreign_files_are_refused() {
        let text = record().write();
        let read = |text: &str| Record::read(text.as_bytes()).err();
        let changed = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            read(&text.replacen(from, to, 1))
        };
        let damaged = |place: &str| Some(Unreadable::Damaged(place.into()));
        assert_eq!(read("{}"), Some(Unreadable::Foreign));
        assert!(matches!(read("a,b\n1,2"), Some(Unreadable::NotJson { .. })));
        assert!(matches!(read(&text[..text.len() / 2]), Some(Unreadable::CutOff(_))));
        assert_eq!(changed("\"version\": 1", "\"version\": 2"), Some(Unreadable::Future(2)));
        assert_eq!(changed("ringscope-bench", "ringscope-run"), Some(Unreadable::Foreign));
        assert_eq!(
            changed("\"resolution_us\": 5.0", "\"resolution_us\": -5.0"),
            damaged("context")
        );
        assert_eq!(changed("algo=tree", "algo=trees"), damaged("results[1]"));
        assert_eq!(changed("size=1KiB", "size=2KiB"), damaged("results[2]"));
        assert_eq!(changed("size=1KiB", "n=4"), damaged("results[2]"));
        assert_eq!(changed("/allreduce?size", "/reference?size"), damaged("results[0]"));
        assert_eq!(changed("\"repetitions\": 7", "\"repetitions\": 0"), damaged("results[0]"));
        assert_eq!(changed("\"ports\"", "\"pigeons\""), damaged("results[0]"));
        assert_eq!(changed("0.00003", "-0.00003"), damaged("results[0]"));
        assert!(matches!(changed("\"wrong\": 3", "\"wrong\": []"), Some(Unreadable::Damaged(_))));
    }
}
