// SPDX-License-Identifier: MIT OR Apache-2.0
//! How much a test does: some cases in `./test`, each of them in `./test --all`, which sets `MPNIC_TESTS=all`.

/// Whether each case is wanted.
#[must_use]
pub fn is_all() -> bool {
    std::env::var_os("MPNIC_TESTS").is_some_and(|tests| tests == "all")
}

/// `all`, or `count` of them that lie evenly apart, the first one among them.
pub fn pick<T>(all: impl IntoIterator<Item = T>, count: usize) -> Vec<T> {
    let all: Vec<_> = all.into_iter().collect();
    let count = if is_all() { all.len() } else { count.min(all.len()) };
    let wanted: Vec<_> = (0..count).map(|i| i * all.len() / count).collect();
    all.into_iter().enumerate().filter(|(at, _)| wanted.binary_search(at).is_ok()).map(|(_, item)| item).collect()
}

/// The number of random cases of a property: `all`, or an eighth of them, but not less than 16.
#[must_use]
pub fn cases(all: u32) -> u32 {
    if is_all() { all } else { all.min(16).max(all / 8) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn some_lie_evenly_apart() {
        if super::is_all() {
            assert_eq!(super::pick(0..10, 3).len(), 10);
        } else {
            assert_eq!(super::pick(0..10, 3), [0, 3, 6]);
            assert_eq!(super::pick(0..2, 3), [0, 1]);
            assert!(super::pick(0..0, 3).is_empty());
            assert_eq!([4, 100, 128, 4000].map(super::cases), [4, 16, 16, 500]);
        }
    }
}
