// SPDX-License-Identifier: MIT OR Apache-2.0
//! The earliest of many deadlines: a tree in which each node has the earlier one of its two children.

/// No deadline.
pub const NEVER: u64 = u64::MAX;

/// A deadline for each of a fixed number of contexts. A change takes as many steps as the tree has levels, or fewer.
#[derive(Debug)]
pub struct Deadlines {
    /// Node 1 is the root; the children of node *n* are 2 *n* and 2 *n* + 1; the leaves are the upper half.
    nodes: Vec<u64>,
}

impl Deadlines {
    /// So many contexts without deadline.
    pub fn new(contexts: u64) -> Self {
        Deadlines { nodes: vec![NEVER; 2 * contexts.next_power_of_two() as usize] }
    }

    /// The earliest one.
    pub fn first(&self) -> u64 {
        self.nodes[1]
    }

    /// The context of the earliest one, the first one of several.
    pub fn first_context(&self) -> u64 {
        let leaves = self.nodes.len() / 2;
        let mut node = 1;
        while node < leaves {
            node *= 2;
            node += usize::from(self.nodes[node + 1] < self.nodes[node]);
        }
        (node - leaves) as u64
    }

    /// The deadline of a context.
    pub fn get(&self, context: u64) -> u64 {
        self.nodes[self.nodes.len() / 2 + context as usize]
    }

    /// Sets the deadline of a context.
    pub fn set(&mut self, context: u64, deadline: u64) {
        let mut node = self.nodes.len() / 2 + context as usize;
        self.nodes[node] = deadline;
        while node > 1 {
            node /= 2;
            let earlier = self.nodes[2 * node].min(self.nodes[2 * node + 1]);
            if self.nodes[node] == earlier {
                break;
            }
            self.nodes[node] = earlier;
        }
    }
}
