//! Views with a bound. A list is shown a page at a time, or its first entries where it stands beside
//! something else; both are bounded by their bytes as well as by their number.

use std::io::{self, Write};

use serde::Serialize;

/// How much a list that stands beside something else has of its entries: the first of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirstFew {
    /// The most entries.
    pub most: usize,
    /// The most bytes of them as JSON.
    pub bytes: usize,
}

impl FirstFew {
    /// Every entry.
    pub const ALL: FirstFew = FirstFew { most: usize::MAX, bytes: usize::MAX };
    /// No entry.
    pub const NONE: FirstFew = FirstFew { most: 0, bytes: 0 };
    /// The first open disputes.
    pub const DISPUTES: FirstFew = FirstFew { most: 20, bytes: 16 << 10 };
    /// The first of another list, such as agreed outcomes.
    pub const OTHERS: FirstFew = FirstFew { most: 20, bytes: 8 << 10 };
}

/// The part of a list that a page holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListWindow {
    /// The number of entries before the page.
    pub after: u64,
    /// The most entries of the page.
    pub most: usize,
    /// The most bytes of the page as JSON, except where its first entry has more.
    pub bytes: usize,
}

impl ListWindow {
    /// The bytes of a page that leave room for what stands beside the list in an answer of 64 KiB.
    pub const BYTES: usize = 62 << 10;
    /// The first page of a list, for a client that names no other.
    pub const FIRST: ListWindow = ListWindow { after: 0, most: 100, bytes: ListWindow::BYTES };

    /// The number of entries before the page.
    fn before(self) -> usize {
        usize::try_from(self.after).unwrap_or(usize::MAX)
    }

    /// How many of these entries, which come after those before the page, the page has; and the number of
    /// entries up to its last, where others follow.
    fn measure<'a, T: Serialize + 'a>(self, rest: impl Iterator<Item = &'a T>) -> (usize, Option<u64>) {
        let (mut count, mut bytes) = (0, 0);
        for entry in rest {
            bytes += size_of_entry(entry);
            if count == self.most || (bytes > self.bytes && count > 0) {
                return (count, Some(self.after + count as u64));
            }
            count += 1;
        }
        (count, None)
    }
}

/// The entries of a page, and the number of entries up to its last; none on the last page.
pub fn page_of<'a, T>(
    entries: impl IntoIterator<Item = &'a T, IntoIter: Clone>,
    window: ListWindow,
) -> (Vec<T>, Option<u64>)
where
    T: Serialize + Clone + 'a,
{
    let rest = entries.into_iter().skip(window.before());
    let (count, next_after) = window.measure(rest.clone());
    (rest.take(count).cloned().collect(), next_after)
}

/// The entries of a page as they stand, and the number of entries up to its last; none on the last page.
pub fn slice_of<T: Serialize>(entries: &[T], window: ListWindow) -> (&[T], Option<u64>) {
    let rest = entries.get(window.before()..).unwrap_or_default();
    let (count, next_after) = window.measure(rest.iter());
    (&rest[..count], next_after)
}

/// The first entries of a list, and the number of all.
pub fn first_of<'a, T>(entries: impl IntoIterator<Item = &'a T>, few: FirstFew) -> (Vec<T>, u32)
where
    T: Serialize + Clone + 'a,
{
    let (mut first, mut room, mut all) = (Vec::new(), Some(few.bytes), 0);
    for entry in entries {
        all += 1;
        if first.len() == few.most {
            continue;
        }
        // Where an entry does not fit, none of those after it is shown: they would not be the first.
        room = room.and_then(|room| room.checked_sub(size_of_entry(entry)));
        if room.is_some() {
            first.push(entry.clone());
        }
    }
    (first, all)
}

/// Whether the number of a list's entries is left out, since there are none.
pub fn counts_nothing(number: &u32) -> bool {
    *number == 0
}

/// The number of entries at the beginning of a list that have at most these bytes as JSON.
pub fn fitting<T: Serialize>(entries: &[T], most_bytes: usize) -> usize {
    let mut bytes = 0;
    let fits = |entry: &&T| {
        bytes += size_of_entry(entry);
        bytes <= most_bytes
    };
    entries.iter().take_while(fits).count()
}

/// The bytes of an entry of a list as JSON, with the comma after it.
fn size_of_entry(entry: &impl Serialize) -> usize {
    let mut counted = Counted(1);
    match serde_json::to_writer(&mut counted, entry) {
        Ok(()) => counted.0,
        Err(error) => unreachable!("an entry is plain data: {error}"),
    }
}

/// A view as JSON; none where it has more than `most` bytes.
pub fn json_up_to(view: &impl Serialize, most: usize) -> Option<String> {
    let mut written = Limited { text: Vec::new(), most };
    match serde_json::to_writer(&mut written, view) {
        Ok(()) => {}
        Err(error) if error.is_io() => return None,
        Err(error) => unreachable!("a view is plain data: {error}"),
    }
    match String::from_utf8(written.text) {
        Ok(text) => Some(text),
        Err(error) => unreachable!("JSON is UTF-8: {error}"),
    }
}

/// A text of at most so many bytes.
struct Limited {
    text: Vec<u8>,
    most: usize,
}

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.most - self.text.len() {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A writer that only counts.
struct Counted(usize);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text that has this many bytes in a list, with its quotes and its comma.
    fn entry(bytes: usize) -> String {
        "x".repeat(bytes - 3)
    }

    /// The sizes of the entries on each page of a list.
    fn pages(sizes: &[usize], most: usize, bytes: usize) -> Vec<Vec<usize>> {
        let list: Vec<String> = sizes.iter().map(|size| entry(*size)).collect();
        let (mut pages, mut after) = (Vec::new(), Some(0));
        while let Some(begin) = after {
            let window = ListWindow { after: begin, most, bytes };
            let (page, next) = page_of(&list, window);
            assert_eq!(slice_of(&list, window), (page.as_slice(), next));
            assert!(next.is_none_or(|next| next > begin), "a page goes on");
            pages.push(page.iter().map(|entry| entry.len() + 3).collect());
            after = next;
        }
        pages
    }

    #[test]
    fn the_pages_of_a_list_have_every_entry_once_and_end_by_number_and_by_bytes() {
        for (sizes, most, bytes, due) in [
            (&[][..], 2, 100, vec![vec![]]),
            (&[10, 11, 12], 2, 100, vec![vec![10, 11], vec![12]]),
            (&[10, 11, 12], 3, 100, vec![vec![10, 11, 12]]),
            (&[10, 11, 12], 9, 21, vec![vec![10, 11], vec![12]]),
            (&[10, 11, 12], 9, 20, vec![vec![10], vec![11], vec![12]]),
            (&[10, 90, 12, 13], 9, 30, vec![vec![10], vec![90], vec![12, 13]]),
        ] {
            assert_eq!(pages(sizes, most, bytes), due, "{sizes:?} {most} {bytes}");
        }
    }

    #[test]
    fn a_text_is_written_up_to_its_bound_and_not_beyond() {
        let view = ["x".repeat(40), "ü".repeat(7)];
        let text = serde_json::to_string(&view).expect("it is JSON");
        assert_eq!(json_up_to(&view, usize::MAX).as_ref(), Some(&text));
        assert_eq!(json_up_to(&view, text.len()).as_ref(), Some(&text));
        assert_eq!(json_up_to(&view, text.len() - 1), None);
        assert_eq!(json_up_to(&view, 0), None);
    }

    #[test]
    fn a_page_after_the_end_of_a_list_is_the_last_and_empty() {
        for after in [3, 4, u64::MAX] {
            let window = ListWindow { after, most: 1, bytes: 1 };
            assert_eq!(page_of(&[1, 2, 3], window), (vec![], None));
            assert_eq!(slice_of(&[1, 2, 3], window), (&[][..], None));
        }
    }

    #[test]
    fn the_first_of_a_list_keep_to_both_bounds_and_all_are_counted() {
        for (entries, bytes, kept) in [(0, 99, 0), (3, 30, 3), (3, 29, 2), (3, 9, 0), (30, 999, 20)] {
            let list = vec![entry(10); entries];
            let (first, all) = first_of(&list, FirstFew { most: 20, bytes });
            assert_eq!((first.len(), all as usize), (kept, entries), "{entries} of {bytes}");
            assert_eq!(fitting(&list, bytes).min(20), kept);
            assert_eq!(first_of(&list, FirstFew::ALL), (list, all));
        }
        // No entry after one that is too large is shown.
        let few = FirstFew { most: 20, bytes: 50 };
        assert_eq!(first_of(&[entry(10), entry(90), entry(10)], few), (vec![entry(10)], 3));
    }
}
