-- SPDX-License-Identifier: MIT OR Apache-2.0
-- Fields by name, and for each protocol the list that Wireshark wants.
local F = {}
local LISTS = { { ROCEV2 }, { UET }, { ELAB } }

local function field(owner, path, proto_field)
  F[path] = proto_field
  for _, list in ipairs(LISTS) do
    if list[1] == owner then list[#list + 1] = proto_field end
  end
end

