// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names in a module: legal, not reserved, each used once.

use std::collections::BTreeSet;

/// Words of Verilog-2005 and SystemVerilog-2017, and the C++ words that Verilator objects to.
const RESERVED: &str = "\
accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin bind bins \
binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config const \
constraint context continue cover covergroup coverpoint cross deassign default defparam design disable dist do edge \
else end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface endmodule \
endpackage endprimitive endprogram endproperty endspecify endsequence endtable endtask enum event eventually expect \
export extends extern final first_match for force foreach forever fork forkjoin function generate genvar global \
highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir include initial inout input \
inside instance int integer interconnect interface intersect join join_any join_none large let liblist library local \
localparam logic longint macromodule matches medium modport module nand negedge nettype new nexttime nmos nor \
noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge primitive priority program \
property protected pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase \
randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 \
rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled \
signed small soft solve specify specparam static string strong strong0 strong1 struct super supply0 supply1 \
sync_accept_on sync_reject_on table tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 \
tri tri0 tri1 triand trior trireg type typedef union unique unique0 unsigned until until_with untyped use uwire var \
vectored virtual void wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor \
abort asm auto bool catch char compl const_cast constexpr decltype delete double dynamic_cast explicit false float \
friend goto inline long mutable namespace noexcept nullptr operator private public register reinterpret_cast short \
sizeof static_assert static_cast switch template thread_local throw true try typeid typename using volatile wchar_t";

/// Whether a tool would take `name` for a word of its language.
pub fn is_reserved(name: &str) -> bool {
    RESERVED.split(' ').any(|word| word == name)
}

/// Whether `name` is a Verilog identifier without escapes (and without `$`, which the C++ of simulators mangles).
pub fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Whether a module may be called so.
#[must_use]
pub fn is_module_name(name: &str) -> bool {
    is_identifier(name) && !is_reserved(name)
}

/// `name` with everything that Verilog does not take replaced by `_`.
pub fn legal(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        let c = if c.is_ascii_alphanumeric() { c } else { '_' };
        // Verilator reads `__` as its own escape.
        if !(c == '_' && text.ends_with('_')) {
            text.push(c);
        }
    }
    if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        text.insert(0, 'n');
    }
    text
}

/// The names taken in a module.
#[derive(Default)]
pub struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// Takes exactly `name`; false if it is taken.
    pub fn take(&mut self, name: &str) -> bool {
        self.taken.insert(name.to_owned())
    }

    /// Takes `name`, or `name_1`, `name_2`, ... if that is taken or reserved.
    pub fn unique(&mut self, name: &str) -> String {
        self.unique_with(name, &[""])
    }

    /// Takes `name`, or `around_name` if that is taken.
    pub fn unique_in(&mut self, around: Option<&str>, name: &str) -> String {
        let base = legal(name);
        match around {
            Some(around) if self.taken.contains(&base) || is_reserved(&base) => {
                self.unique(&format!("{around}_{name}"))
            }
            _ => self.unique(name),
        }
    }

    /// Takes a stem that is free with every one of the suffixes, and returns the stem.
    pub fn unique_with(&mut self, name: &str, suffixes: &[&str]) -> String {
        let base = legal(name);
        let mut stem = base.clone();
        let mut n = 0;
        while suffixes.iter().any(|suffix| {
            let full = format!("{stem}{suffix}");
            self.taken.contains(&full) || is_reserved(&full)
        }) {
            n += 1;
            stem = format!("{base}_{n}");
        }
        for suffix in suffixes {
            self.taken.insert(format!("{stem}{suffix}"));
        }
        stem
    }
}
