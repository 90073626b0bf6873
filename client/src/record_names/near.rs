// SPDX-License-Identifier: Apache-2.0
//! The names that are nearest to a name that does not exist.

/// Number of names that are kept.
const KEPT: usize = 3;
/// The largest distance of a near name.
const MAX_DISTANCE: usize = 4;
/// Largest number of characters that are compared, besides those that both names begin and end
/// with.
const MAX_COMPARED: usize = 64;

/// The nearest of the names that it is offered.
#[derive(Debug)]
pub struct Nearest {
	wanted: Vec<char>,
	/// The distances of the kept names, the nearest first.
	kept: Vec<(usize, String)>,
}

impl Nearest {
	/// Begins to look for names that are near to one.
	pub fn new(wanted: &str) -> Self {
		Self { wanted: folded(wanted), kept: Vec::new() }
	}

	/// Keeps a name if it is nearer than the others.
	pub fn offer(&mut self, name: &str) {
		let Some(distance) = self.distance(&folded(name)) else { return };
		let item = (distance, name.to_owned());
		if !self.kept.contains(&item) {
			self.kept.push(item);
			self.kept.sort();
			self.kept.truncate(KEPT);
		}
	}

	/// Returns the names, the nearest first.
	pub fn names(self) -> Vec<String> {
		self.kept.into_iter().map(|(_, name)| name).collect()
	}

	/// Returns the distance of a name, if it is near: the number of characters to add, remove,
	/// replace, or swap with the next one. A name that adds a part before or after the wanted one is
	/// farther than those.
	fn distance(&self, name: &[char]) -> Option<usize> {
		let wanted = &self.wanted[..];
		let most = (wanted.len() / 3).clamp(1, MAX_DISTANCE);
		let starts = |name: &[char]| matches!(name.strip_prefix(wanted), Some([':', ..]));
		let ends = |name: &[char]| matches!(name.strip_suffix(wanted), Some([.., ':']));
		let adds = (!wanted.is_empty() && (starts(name) || ends(name))).then_some(MAX_DISTANCE + 1);
		let edits = (name.len().abs_diff(wanted.len()) <= most)
			.then(|| edits(wanted, name))
			.flatten()
			.filter(|edits| *edits <= most);
		edits.or(adds)
	}
}

/// Returns a name as it is compared: without case, and with a colon for a slash, as names of records
/// of files have.
fn folded(name: &str) -> Vec<char> {
	let lower = name.chars().flat_map(char::to_lowercase);
	lower.map(|mark| if mark == '/' { ':' } else { mark }).collect()
}

/// Returns the distance of two texts. `None` if they differ too much to be compared.
fn edits(a: &[char], b: &[char]) -> Option<usize> {
	let same = |(a, b): &(&char, &char)| a == b;
	let start = a.iter().zip(b).take_while(same).count();
	let (a, b) = (&a[start..], &b[start..]);
	let end = a.iter().rev().zip(b.iter().rev()).take_while(same).count();
	let (a, b) = (&a[..a.len() - end], &b[..b.len() - end]);
	if a.len().max(b.len()) > MAX_COMPARED {
		return None;
	}
	// The distances of a start of `a` to each start of `b`, and of the two starts of `a` before it.
	let mut row: Vec<_> = (0..=b.len()).collect();
	let (mut before, mut long_before) = (row.clone(), row.clone());
	for (i, from) in a.iter().enumerate() {
		std::mem::swap(&mut long_before, &mut before);
		std::mem::swap(&mut before, &mut row);
		row[0] = i + 1;
		for (j, to) in b.iter().enumerate() {
			let replaced = before[j] + usize::from(from != to);
			row[j + 1] = replaced.min(before[j + 1] + 1).min(row[j] + 1);
			if i > 0 && j > 0 && a[i - 1] == *to && *from == b[j - 1] {
				row[j + 1] = row[j + 1].min(long_before[j - 1] + 1);
			}
		}
	}
	row.last().copied()
}

#[cfg(test)]
mod tests {
	use super::*;

	fn nearest(wanted: &str, names: &[&str]) -> Vec<String> {
		let mut nearest = Nearest::new(wanted);
		names.iter().for_each(|name| nearest.offer(name));
		nearest.names()
	}

	#[test]
	fn the_nearest_names_come_first_and_others_are_left_out() {
		let names = [
			"index.html",
			"index1.html",
			"index12.htm",
			"main.css",
			"index.html.bak",
			"INDEX.HTML",
		];
		let near = ["INDEX.HTML", "index.html", "index1.html"];
		assert_eq!(nearest("index.html", &names), near);
		assert_eq!(nearest("nidex.html", &names)[..2], near[..2]);
		assert_eq!(nearest("readme", &names), [""; 0]);
		assert_eq!(nearest("", &names), [""; 0]);
		assert_eq!(nearest("bye", &["hello"]), [""; 0]);
		assert_eq!(nearest("hallo", &["hello", "hello"]), ["hello"]);
		// Short names have few letters to mistake.
		assert_eq!(nearest("ab", &["ac", "cd"]), ["ac"]);
	}

	#[test]
	fn names_with_one_more_part_and_paths_are_near() {
		assert_eq!(nearest("css/main.css", &["css:main.css"]), ["css:main.css"]);
		let names = ["css:main.css", "css:main.css:0123456789abcdef", "domain.css"];
		assert_eq!(nearest("main.css", &names), ["domain.css", "css:main.css"]);
		assert_eq!(nearest("serde", &["serde:1.0.0", "serde_json"]), ["serde:1.0.0"]);
		assert_eq!(nearest("serde:1.0.0", &["serde:1.0.228"]), ["serde:1.0.228"]);
	}

	#[test]
	fn distances_are_those_of_edits_and_swaps() {
		for (a, b, distance) in [
			("", "", 0),
			("a", "", 1),
			("kitten", "sitting", 3),
			("abcd", "acbd", 1),
			("ca", "abc", 3),
			("same start b same end", "same start cd same end", 2),
		] {
			for (a, b) in [(a, b), (b, a)] {
				let text = |text: &str| text.chars().collect::<Vec<_>>();
				assert_eq!(edits(&text(a), &text(b)), Some(distance), "{a} {b}");
			}
		}
		let (long, other) = (['a'; MAX_COMPARED + 1], ['b'; MAX_COMPARED + 1]);
		assert_eq!(edits(&long, &other), None, "the work is bounded");
		assert_eq!(edits(&long, &long), Some(0));
	}
}
