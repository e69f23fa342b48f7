# SPDX-License-Identifier: MIT OR Apache-2.0
# For proofs: what a memory gives that is read and written in the same clock is unknown (no_rw_check), so it is a free input
# in every cycle.
function name(place) { return substr(place, 1, index(place, "[") - 1) }
function address(place) { return substr(place, index(place, "[") + 1, index(place, "]") - index(place, "[") - 1) }
/^    if \(.*\) begin$/ { condition = substr($0, 8, length($0) - 13) }
free { free = 0; print; bank = $(NF - 1); banks++
    print "(* anyseq *) wire " (NF == 4 ? $2 : "") " any_" bank ";"; known[bank] = 1; next }
/^\(\* no_rw_check \*\)$/ { free = 1 }
/^        .* <= / && name($1) in known { written[name($1)] = condition " && " address($1) }
/^        .* <= .*\];$/ && name($3) in written { reads++
    $0 = "        " $1 " <= " written[name($3)] " == " address($3) " ? any_" name($3) " : " $3 }
{ print }
END { if (!banks || reads != banks) { print "memories.awk: memories not understood" >"/dev/stderr"; exit 1 } }
