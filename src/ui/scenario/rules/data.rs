//! The rules of the fields that choose what it runs on.

use super::super::notice::short;
use super::super::numbers::{nearest, number_text, parse_shape, parse_size, same, size_text};
use super::*;

impl Editor {
    pub(super) fn size(&mut self, raw: &str) {
        let value = short(raw);
        let Some(bytes) = parse_size(raw) else {
            self.notices.push(Notice::NotASize { value });
            return;
        };
        let element = self.scenario.dtype.size_bytes() as u64;
        let (least, most) = (element, MAX_BYTES);
        let nearest = whole_elements(bytes, element);
        let current = self.scenario.elements() as u64 * element;
        let used = if self.nearest || bytes == nearest { nearest } else { current };
        if !(least..=most).contains(&bytes) {
            self.notices.push(Notice::OutOfRange { field: "size", value, least, most, used });
        } else if bytes != nearest {
            self.notices.push(Notice::NotWholeElements { value, element, used });
        }
        if used == nearest {
            let data = Data::Bytes(nearest);
            self.scenario = Scenario { data, shape: None, ..self.scenario.clone() };
        }
    }

    pub(super) fn shape(&mut self, raw: &str) {
        let s = &self.scenario;
        let Some(shape) = parse_shape(raw) else {
            let elements = s.elements();
            self.notices.push(Notice::BadShape { value: short(raw), elements });
            return;
        };
        let dim = s.shape.as_ref().map_or(0, |tensor| tensor.dim);
        let dim = if dim < shape.len() { dim } else { 0 };
        self.scenario = s.with_tensor(Tensor { shape, dim });
    }

    pub(super) fn len(&mut self, raw: &str) {
        let current = self.scenario.elements();
        if let Some(len) = self.number("len", raw, (0, MAX_NUMBERS), current) {
            self.scenario = self.scenario.with_len(len);
        }
    }

    pub(super) fn dim(&mut self, raw: &str) {
        let tensor = self.scenario.shape.clone().unwrap_or(Tensor::flat(0));
        let most = tensor.shape.len() - 1;
        if let Some(dim) = self.number("dim", raw, (0, most), tensor.dim)
            && self.scenario.shape.is_some()
        {
            self.scenario = self.scenario.with_tensor(Tensor { dim, ..tensor });
        }
    }

    pub(super) fn data(&mut self, raw: &str) {
        let (found, most) = (raw.split(';').count(), self.scenario.ranks);
        if found > most {
            self.notices.push(Notice::TooManyRows { found, most });
        }
        for (rank, row) in raw.split(';').take(most).enumerate() {
            // An empty row leaves a rank its numbers.
            if !row.is_empty() {
                self.row(rank, row);
            }
        }
    }

    /// Sets the numbers of one rank.
    pub(in crate::ui::scenario) fn row(&mut self, rank: Rank, raw: &str) {
        if matches!(self.scenario.data, Data::Bytes(_)) {
            self.notices.push(Notice::Conflict { field: "data", with: "size" });
            return;
        }
        match parse_numbers(&self.scenario, rank, raw) {
            Ok(numbers) => self.scenario.type_numbers(rank, &numbers),
            Err(notice) => self.notices.push(notice),
        }
    }

    /// Brings the data into the type, and says so if that changes any.
    pub(super) fn fit_data(&mut self) {
        let dtype = self.scenario.dtype;
        let rows = match &mut self.scenario.data {
            Data::Numbers(rows) => rows,
            Data::Bytes(bytes) => {
                let element = dtype.size_bytes() as u64;
                let used = whole_elements(*bytes, element);
                let value = size_text(std::mem::replace(bytes, used));
                if value != size_text(used) {
                    self.notices.push(Notice::NotWholeElements { value, element, used });
                }
                return;
            }
        };
        let numbers = rows.iter_mut().enumerate();
        let numbers = numbers.flat_map(|(rank, row)| row.iter_mut().map(move |slot| (rank, slot)));
        let mut rounded = numbers.filter_map(|(rank, slot)| {
            let value = std::mem::replace(slot, nearest(dtype, *slot));
            (!same(*slot, value)).then(|| (rank, number_text(value), number_text(*slot)))
        });
        if let Some((rank, value, used)) = rounded.next() {
            let more = rounded.count();
            self.notices.push(Notice::Rounded { rank, value, used, dtype, more });
        }
    }
}

/// The largest whole number of elements in so many bytes, at least one and at most [`MAX_BYTES`].
fn whole_elements(bytes: u64, element: u64) -> u64 {
    let bytes = bytes.clamp(element, MAX_BYTES);
    bytes - bytes % element
}
