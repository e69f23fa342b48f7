// SPDX-License-Identifier: MIT OR Apache-2.0
//! Global links of a group, as a switch and a link of it, and what follows from their order: the palmtree.

use super::config::LiaRouterConfig;
use rtl_model::{Bits, Bundle, Logic, Reading, bits, clog2, index_width, name_nets, select};

/// A global link. The switch behind the last one also has a number: its link 0 is the end of all.
#[derive(Bundle)]
#[shape(config: LiaRouterConfig)]
pub struct Link<L: Reading> {
    #[shape(bits(index_width(config.switches + 1)))]
    pub switch: Bits<L>,
    #[shape(bits(index_width(config.global_ports)))]
    pub port: Bits<L>,
}

#[name_nets]
impl<L: Logic> Link<L> {
    /// So many links further.
    pub fn further(self, config: LiaRouterConfig, links: u64) -> Self {
        let h = config.global_ports;
        if h.is_power_of_two() && h > 1 {
            return Link::of_key(self.key() + links, self.port.width());
        }
        let wide = self.port.width() + 1;
        let sum = self.port.extend(wide) + links % h;
        let over = sum.at_least(h);
        let port = select(over, sum - h, sum).truncate(self.port.width());
        Link { switch: self.switch + links / h + over.extend(self.switch.width()), port }
    }

    /// A number of links further, below `many`.
    pub fn further_by(self, config: LiaRouterConfig, links: Bits<L>, many: u64) -> Self {
        if many == 1 {
            return self;
        }
        let h = config.global_ports;
        let wide = clog2(h + many);
        let (more, port) = divided(self.port.extend(wide) + links.extend(wide), h, h + many);
        Link { switch: self.switch + resized(more, self.switch.width()), port: resized(port, self.port.width()) }
    }

    fn of_key(key: Bits<L>, ports: u32) -> Self {
        Link { switch: key.slice(ports, key.width() - ports), port: key.truncate(ports) }
    }

    /// A number that orders links; if *h* is a power of two, the number of the link.
    pub fn key(self) -> Bits<L> {
        self.switch.concat(self.port)
    }

    /// Its number among the links of the group.
    pub fn number(self, config: LiaRouterConfig) -> Bits<L> {
        let width = config.link().bits();
        let h = config.global_ports;
        if h.is_power_of_two() && h > 1 {
            return self.key().truncate(width);
        }
        let switch = resized(self.switch, width);
        let first = if h == 1 { switch } else { (switch * h).truncate(width) };
        first + resized(self.port, width).gate(Bits::lit(1, u64::from(h > 1)))
    }
}

/// Cut or extended to a width.
#[name_nets]
pub fn resized<L: Logic>(value: Bits<L>, width: u32) -> Bits<L> {
    if value.width() < width { value.extend(width) } else { value.truncate(width) }
}

/// Quotient and remainder by a constant, of a number below `limit`. By a power of two they are parts of it; else the quotient
/// is a product with the reciprocal.
#[name_nets]
pub fn divided<L: Logic>(value: Bits<L>, by: u64, limit: u64) -> (Bits<L>, Bits<L>) {
    let quotients = index_width(limit.div_ceil(by));
    let remainders = index_width(by);
    if by == 1 {
        return (resized(value, quotients), Bits::lit(1, 0));
    }
    if by.is_power_of_two() {
        let low = by.ilog2();
        let quotient = if value.width() > low {
            resized(value.slice(low, value.width() - low), quotients)
        } else {
            Bits::lit(quotients, 0)
        };
        return (quotient, resized(value, remainders));
    }
    let (factor, shift) = reciprocal(by, limit);
    let factor = Bits::lit(64 - factor.leading_zeros(), factor);
    let product = value * factor;
    let quotient = resized(product.slice(shift, product.width() - shift), quotients);
    let multiple = (quotient * Bits::lit(clog2(by + 1), by)).named("multiple");
    let remainder = resized(value, value.width()) - resized(multiple, value.width());
    (quotient, resized(remainder, remainders))
}

/// Factor and shift with which a product is the quotient of every number below `limit`.
fn reciprocal(by: u64, limit: u64) -> (u64, u32) {
    let exact = |shift: u32, factor: u64| (0..limit).all(|value| (value * factor) >> shift == value / by);
    let found =
        (1..32).map(|shift| (((1 << shift) as u64).div_ceil(by), shift)).find(|&(factor, shift)| exact(shift, factor));
    found.expect("numbers are small")
}

/// A number below `many`, in proportion to 16 random bits, and the fraction of 16 bits that is cut off.
#[name_nets]
pub fn scaled<L: Logic>(random: Bits<L>, many: u64) -> (Bits<L>, Bits<L>) {
    let width = index_width(many);
    if many == 1 {
        return (Bits::lit(width, 0), random);
    }
    let product = random * Bits::lit(clog2(many + 1), many);
    (product.slice(16, width), product.truncate(16))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtl_model::Model;

    #[test]
    fn quotients_of_all_numbers() {
        for by in 1..=20 {
            for limit in [2, by, by + 1, 97, 1024] {
                for value in 0..limit {
                    let (quotient, remainder) = divided::<Model>(Bits::lit(clog2(limit).max(1), value), by, limit);
                    assert_eq!((quotient.value(), remainder.value()), (value / by, value % by), "{value} / {by}");
                }
            }
        }
    }

    #[test]
    fn links_in_their_order() {
        for (h, a, t) in [(4, 8, 1), (3, 6, 2), (2, 8, 4), (1, 2, 1), (4, 12, 6)] {
            let config = LiaRouterConfig::new(h, a, t);
            let link = |number: u64| {
                let shape = Link::shape(config);
                Link::<Model> {
                    switch: Bits::lit(shape.switch.bits(), number / h),
                    port: Bits::lit(shape.port.bits(), number % h),
                }
            };
            for number in 0..a * h {
                assert_eq!(link(number).number(config).value(), number);
                if number + t <= a * h {
                    assert_eq!(link(number).further(config, t).key().value(), link(number + t).key().value());
                }
                for trunk in (0..t).filter(|trunk| number + trunk < a * h) {
                    let by = Bits::lit(index_width(t), trunk);
                    assert_eq!(
                        link(number).further_by(config, by, t).key().value(),
                        link(number + trunk).key().value()
                    );
                }
            }
        }
    }
}
