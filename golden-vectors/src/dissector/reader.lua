-- SPDX-License-Identifier: MIT OR Apache-2.0
-- A reader goes through a packet, header by header, and shows what it reads.

local RESERVED = ProtoExpert.new(
  "mpnic.reserved", "Reserved bits are not 0", expert.group.PROTOCOL, expert.severity.WARN)
local CUT = ProtoExpert.new(
  "mpnic.cut", "Header cut short", expert.group.MALFORMED, expert.severity.ERROR)
local SNAPPED = ProtoExpert.new(
  "mpnic.snapped", "The capture ends here", expert.group.UNDECODED, expert.severity.NOTE)
local TRIMMED = ProtoExpert.new(
  "mpnic.trimmed", "Trimmed by a switch", expert.group.SEQUENCE, expert.severity.NOTE)
local UNKNOWN = ProtoExpert.new(
  "mpnic.unknown", "Reserved type", expert.group.PROTOCOL, expert.severity.WARN)

local DSCPS = { Field.new("ip.dsfield.dscp"), Field.new("ipv6.tclass.dscp") }
local NO_DSCP = 64

-- The DSCPs of trimmed packets (uet.md 1.12).
local function trimming_prefs(proto)
  proto.prefs.trimmed = Pref.uint("DSCP of trimmed packets", NO_DSCP, "Where switches trim; 64 for none")
  proto.prefs.trimmed_last_hop = Pref.uint(
    "DSCP of packets trimmed at the last hop", NO_DSCP, "Where switches trim; 64 for none")
end

-- Whether the DSCP is that of a trimmed packet.
local function is_trimmed(proto)
  for _, dscp in ipairs(DSCPS) do
    for _, found in ipairs({ dscp() }) do
      if found.value == proto.prefs.trimmed or found.value == proto.prefs.trimmed_last_hop then return true end
    end
  end
  return false
end

-- A number without the decimal point that some versions of Lua would give it.
local function as_text(value)
  return type(value) == "number" and ("%d"):format(value) or value
end

-- The row of a field in the table of its header.
local function row_of(header, name)
  for _, row in ipairs(HEADERS[header]) do
    if row.name == name then return row end
  end
end

local Reader = {}
Reader.__index = Reader

-- `limit` is where the headers end at the latest, whatever has been captured of them.
local function reader(tvb, limit, tree)
  return setmetatable({ tvb = tvb, at = 0, limit = limit, tree = tree }, Reader)
end

-- Whether any bit of a field is set; a field may be wider than a number of Lua.
local function is_set(range, row)
  for bit = row.bit, row.bit + row.bits - 1, 32 do
    local bits = math.min(32, row.bit + row.bits - bit)
    if range:bitfield(bit, bits) ~= 0 then return true end
  end
  return false
end

-- Shows the fields of `header` from `at` below `tree`. Returns values and items by name; wide fields have no value.
function Reader:show(header, at, tree)
  local values, items, flags, set = {}, {}, nil, {}
  for _, row in ipairs(header) do
    local range, parent = self.tvb(at + row.at, row.len), tree
    if row.flag then
      -- uet.md 1.2: what a flag means is said by the class of the packet.
      flags = flags or tree:add(F["uet.flags"], range)
      parent = flags
    end
    local item = parent:add(F[row.path], range)
    if row.bits <= 32 then values[row.name] = range:bitfield(row.bit, row.bits) end
    items[row.name] = item
    local is_on = is_set(range, row)
    if row.reserved and is_on then
      item:add_proto_expert_info(RESERVED, row.path .. ": reserved bits are not 0")
    elseif row.flag and is_on then
      local names = VALUES[row.path] or {}
      local value = values[row.name]
      set[#set + 1] = row.bits == 1 and row.name or row.name .. " " .. (names[value] or as_text(value))
    end
  end
  values.set = table.concat(set, ", ")
  if values.set ~= "" then flags:append_text(" (" .. values.set .. ")") end
  return values, items
end

-- Shows a header and moves behind it. Returns nothing if it does not fit.
function Reader:take(name, tree)
  local header = HEADERS[name]
  tree = tree or self.tree
  if self:fits(name, header.bytes, tree) then
    local at = self.at
    self.at = at + header.bytes
    return self:show(header, at, tree)
  end
end

-- Says that a switch has trimmed the packet.
function Reader:trim()
  self.trimmed = true
  self.tree:append_text(", trimmed")
  self.tree:add_proto_expert_info(TRIMMED, "A switch has trimmed this packet")
end

-- Whether there are so many bytes more; says what is wrong if there are not.
function Reader:fits(name, bytes, tree)
  local carried = math.max(0, self.limit - self.at)
  if carried < bytes then
    self.is_cut = true
    local text = ("%s %s: %d of %d bytes"):format(name, self.trimmed and "trimmed" or "cut short", carried, bytes)
    tree:add_proto_expert_info(self.trimmed and TRIMMED or CUT, text)
    return false
  end
  local captured = math.max(0, self.tvb:len() - self.at)
  if captured < bytes then
    self.is_cut = true
    tree:add_proto_expert_info(SNAPPED, ("the capture ends inside %s: %d of %d bytes"):format(name, captured, bytes))
    return false
  end
  return true
end

-- Shows a header in a part of the tree that is its own.
function Reader:take_apart(name)
  local bytes = HEADERS[name].bytes
  if self:fits(name, bytes, self.tree) then
    local own = self.tree:add(F[name], self.tvb(self.at, bytes))
    return self:take(name, own)
  end
end

-- Whether all that was sent has been captured.
local function is_whole(tvb)
  return tvb:len() == tvb:reported_len()
end

-- Calls a dissector of Wireshark. What it finds malformed it has marked by the time the error arrives here.
local function hand_on(dissector, tvb, pinfo, tree)
  local good, length = pcall(dissector.call, dissector, tvb, pinfo, tree)
  return good and length or tvb:len()
end

-- Shows what stands behind the headers, up to `last` if that is given, as data.
local function rest(tvb, at, pinfo, tree, last)
  last = last or tvb:len()
  if at < last then hand_on(Dissector.get("data"), tvb(at, last - at):tvb(), pinfo, tree) end
end
