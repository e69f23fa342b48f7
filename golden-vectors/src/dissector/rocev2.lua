-- SPDX-License-Identifier: MIT OR Apache-2.0
-- RoCEv2. Wireshark's own dissector knows everything but the MPEH (M14), which it would take for the header behind it.
-- So it gets the packet without it, and the headers as they were sent are shown beside that.

local BY_BIT, BY_OPCODE = 1, 2
ROCEV2.prefs.port = Pref.uint("UDP port", ROCEV2_PORT, "Destination port of RoCEv2; 0 for none")
ROCEV2.prefs.mark = Pref.enum("MPEH announced by", BY_BIT, "What says that there is an MPEH behind the BTH (M13)", {
  { "bit", "BTH byte 8, mask 0x40", BY_BIT },
  { "opcode", "OpCode 0xC0 + operation", BY_OPCODE },
}, false)
trimming_prefs(ROCEV2)

local HEADERS_OF_THEIR_OWN = {
  "bth", "mpeh", "deth", "xrceth", "reth", "atomic_eth", "aeth", "atomic_ack", "immdt", "ieth", "cnp",
}
for _, name in ipairs(HEADERS_OF_THEIR_OWN) do
  field(ROCEV2, name, ProtoField.none("mpnic." .. name, name:upper()))
end

-- Wireshark's own dissector, if it has one.
local builtin = DissectorTable.get("udp.port"):get_dissector(ROCEV2_PORT)

local OPCODE, MARK = row_of("bth", "opcode"), row_of("bth", "mpeh")
local FLAGS, SYNDROME = row_of("mpeh", "flags"), row_of("aeth", "syndrome")
local LAST_SEND = 0x05
local LAST_DATA = 0x0B
local INVALIDATES = { [0x16] = true, [0x17] = true }

-- Upper three bits, lower five. Versions of Lua differ in how they write operations on bits.
local function split(opcode)
  local operation = opcode % 0x20
  return opcode - operation, operation
end

-- Whether there is an MPEH, and the OpCode that says what else there is (M13).
local function marked(tvb)
  if tvb:len() < HEADERS.bth.bytes then return false, nil end
  local opcode = tvb(OPCODE.at, OPCODE.len):uint()
  if ROCEV2.prefs.mark == BY_OPCODE then
    local operation = opcode - MPEH
    local known = operation >= 0 and operation < 0x20 and EXTENSIONS[operation] ~= nil
    return known, known and operation or opcode
  end
  return tvb(MARK.at, MARK.len):bitfield(MARK.bit, MARK.bits) == 1, opcode
end

-- M16 to M20 on data, M27 to M30 on acknowledgements; a response to a read is data.
local function flags_of(opcode)
  local transport, operation = split(opcode)
  local reliable = transport == RC or transport == XRC
  local acknowledges = reliable and (operation == ACKNOWLEDGE or operation == ATOMIC_ACKNOWLEDGE)
  return acknowledges and "mpeh.ack_flags" or "mpeh.data_flags"
end

-- Shows the bits of a field of one byte below its item. Returns the names of those that are set.
local function show_bits(read, name, item, at)
  local values = read:show(HEADERS[name], at, item)
  local set = {}
  for _, row in ipairs(HEADERS[name]) do
    if row.bits == 1 and not row.reserved and values[row.name] == 1 then table.insert(set, 1, row.name) end
  end
  return table.concat(set, ", ")
end

-- Shows BTH, MPEH and what the OpCode asks for. Returns what is said of the MPEH in the list of packets.
local function show_headers(read, opcode, has_mpeh)
  local info
  local bth, items = read:take_apart("bth")
  if not bth then return end
  if bth.mpeh == 1 and ROCEV2.prefs.mark == BY_OPCODE then
    -- Where the OpCode announces the MPEH, the bit is one of the reserved ones.
    items.mpeh:add_proto_expert_info(RESERVED, "bth.mpeh: reserved bits are not 0")
  end
  if has_mpeh then
    local at = read.at
    local mpeh, parts = read:take_apart("mpeh")
    if not mpeh then return end
    local set = show_bits(read, flags_of(opcode), parts.flags, at + FLAGS.at)
    info = ("MPEH path %d flowlet %d"):format(mpeh.path_id, mpeh.flowlet_seq)
    if set ~= "" then
      parts.flags:append_text(" (" .. set .. ")")
      info = info .. " [" .. set .. "]"
    end
    local low_flags = mpeh.flags % 8
    if flags_of(opcode) == "mpeh.ack_flags" and (low_flags == 2 or low_flags == 3) then
      -- In an ACK the tag says which PSNs behind its own are missing (G18).
      local first = (bth.psn + 1 + mpeh.sched_tag % 0x1000) % 0x1000000
      local last = (first + math.floor(mpeh.sched_tag / 0x1000)) % 0x1000000
      parts.sched_tag:append_text((" (missing: %d to %d)"):format(first, last))
    end
  end
  for _, name in ipairs(EXTENSIONS[opcode] or {}) do
    local at = read.at
    local header, parts = read:take_apart(name)
    if not header then break end
    if name == "aeth" then show_bits(read, "aeth.syndrome", parts.syndrome, at + SYNDROME.at) end
  end
  return info
end

-- Wireshark looks for RPC over RDMA in what the last SEND of a message on RC carries, even where that is too short for
-- it, and then marks the packet as malformed (seen in 4.0). Of a packet with MPEH this would look like its fault.
local RPC_BYTES = 16
local LAST = { [0x02] = true, [0x04] = true, [0x16] = true, [0x17] = true }

local function is_taken_for_rpc(read, opcode)
  return LAST[opcode] and read.limit - read.at < RPC_BYTES
end

-- Whether Wireshark's own dissector may have a packet as it is. If the capture has cut it where that dissector wants to
-- read, its error passes through Lua unseen, and after a hundred of them Lua gives up (seen in 4.0). So it gets such a
-- packet only if the headers are there and it does not look into the payload.
local function may_have(tvb, opcode)
  if is_whole(tvb) then return true end
  local headers = opcode and EXTENSIONS[opcode]
  if not headers then return false end
  local transport, operation = split(opcode)
  if transport == UD or operation <= LAST_SEND or INVALIDATES[operation] then return false end
  local bytes = HEADERS.bth.bytes
  for _, name in ipairs(headers) do bytes = bytes + HEADERS[name].bytes end
  return tvb:len() >= bytes
end

-- SEND and WRITE of RC: what switches trim.
local function carries_data(opcode)
  return opcode and (opcode <= LAST_DATA or INVALIDATES[opcode])
end

-- The packet without MPEH.
local function without_mpeh(tvb, opcode)
  local front, behind = HEADERS.bth.bytes, HEADERS.bth.bytes + HEADERS.mpeh.bytes
  local bytes = tvb:bytes(0, front)
  bytes:set_index(OPCODE.at, opcode)
  bytes:append(tvb:bytes(behind))
  return bytes:tvb("RoCEv2 without MPEH")
end

function ROCEV2.dissector(tvb, pinfo, tree)
  local is_ours = pinfo.dst_port == ROCEV2.prefs.port
  local has_mpeh, opcode = marked(tvb)
  has_mpeh = is_ours and has_mpeh
  local trimmed = is_ours and carries_data(opcode) and is_trimmed(ROCEV2)
  if not has_mpeh and not trimmed and builtin and may_have(tvb, opcode) then return hand_on(builtin, tvb, pinfo, tree) end
  if not is_ours then return 0 end

  local own = tree:add(ROCEV2, tvb())
  if not has_mpeh then own:set_text("RoCEv2") end
  -- What a switch has left has no ICRC.
  local read = reader(tvb, tvb:reported_len() - (trimmed and 0 or ICRC_BYTES), own)
  if trimmed then read:trim() end
  local info = show_headers(read, opcode, has_mpeh)
  if builtin and not trimmed and is_whole(tvb) and not read.is_cut and not is_taken_for_rpc(read, opcode) then
    hand_on(builtin, without_mpeh(tvb, opcode), pinfo, tree)
  else
    -- Wireshark takes the last four bytes that it gets for the ICRC, so it gets a whole packet or none.
    pinfo.cols.protocol = "RRoCE"
    pinfo.cols.info = VALUES["bth.opcode"][opcode] or ""
    rest(tvb, read.at, pinfo, tree)
  end
  if info then pinfo.cols.info:append(" " .. info) end
  if trimmed then pinfo.cols.info:append(" trimmed") end
  return tvb:len()
end
