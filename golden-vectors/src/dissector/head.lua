-- SPDX-License-Identifier: MIT OR Apache-2.0
-- Wireshark and tshark: RoCEv2 with the multipath extension header (MPEH), Ultra Ethernet (UET), ELAB.
-- Made by `mpnic dissector` from the description of the headers; changes made by hand are lost.
--
-- A frame of RoCEv2 without MPEH goes to Wireshark's own dissector as it is.

-- Loaded twice, from the plugin directory and by hand: once is enough.
do
  local known, dissector = pcall(Dissector.get, "mpnic_rocev2")
  if known and dissector then return end
end

