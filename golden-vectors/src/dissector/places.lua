-- SPDX-License-Identifier: MIT OR Apache-2.0
-- Registration: fields, then where the dissectors sit in Wireshark's tables. Who sat there before is put back when a preference changes.

for _, list in ipairs(LISTS) do
  local owner = table.remove(list, 1)
  owner.fields = list
end
ROCEV2.experts = { RESERVED, CUT, SNAPPED, TRIMMED, UNKNOWN }

local function place(name, proto)
  local seats = DissectorTable.get(name)
  local at, before = 0, nil
  return function(pattern, replace)
    if at ~= 0 then
      seats:remove(at, proto)
      if before then seats:add(at, before) end
      at, before = 0, nil
    end
    local found = pattern ~= 0 and seats:get_dissector(pattern)
    if pattern ~= 0 and (replace or not found) then
      seats:add(pattern, proto)
      at, before = pattern, found or nil
    end
  end
end

local rocev2_port = place("udp.port", ROCEV2)
local uet_port = place("udp.port", UET)
local uet_protocol = place("ip.proto", UET)
local elab_port = place("udp.port", ELAB)

local function place_rocev2()
  rocev2_port(ROCEV2.prefs.port, true)
end

-- A dissector for UET that comes with Wireshark stays, unless it is said otherwise.
local function place_uet()
  uet_port(UET.prefs.port, UET.prefs.replace)
  uet_protocol(UET.prefs.protocol, UET.prefs.replace)
end

local function place_elab()
  elab_port(ELAB.prefs.port, true)
end

ROCEV2.prefs_changed = place_rocev2
UET.prefs_changed = place_uet
ELAB.prefs_changed = place_elab
place_rocev2()
place_uet()
place_elab()
