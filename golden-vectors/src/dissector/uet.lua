-- SPDX-License-Identifier: MIT OR Apache-2.0
-- UET (uet.md 1.1 to 1.8): the entropy header where there is no UDP, then the packet delivery header by its type, and at the end
-- the CRC.

UET.prefs.port = Pref.uint("UDP port", UET_PORT, "Destination port of UET; 0 for none")
UET.prefs.protocol = Pref.uint("IP protocol", UET_PROTOCOL, "IP protocol of UET without UDP; 0 for none")
UET.prefs.replace = Pref.bool("Replace other dissectors", false, "Also where Wireshark has a dissector of its own")

UET.prefs.crc = Pref.bool("CRC", true, "Packets that are not encrypted end with a CRC")

trimming_prefs(UET)

-- What switches trim.
local REQUESTS = { RUD_REQ = true, ROD_REQ = true, RUD_CC_REQ = true, ROD_CC_REQ = true }

-- The context at the receiver (uet.md 1.3, 1.7).
local function context(read, head)
  return head and read:take(head.syn == 1 and "uet.syn" or "uet.dpdcid")
end

local function request(read)
  local head = read:take("uet.request")
  context(read, head)
  return head
end

local function request_cc(read)
  local head = request(read)
  if head and not read.is_cut then read:take("uet.request_cc") end
  return head
end

local function ack_cc(read)
  local head = read:take("uet.ack")
  local control = head and read:take("uet.ack_cc")
  if control then
    -- uet.md 1.5: what the last eight bytes hold is said by cc_type.
    read:take("uet.state." .. (VALUES["uet.cc_type"][control.cc_type] or "other"))
  end
  return head
end

-- Headers of one length.
local function fixed(...)
  local names = { ... }
  return function(read)
    local head = read:take(names[1])
    for index = 2, #names do
      if not read.is_cut then read:take(names[index]) end
    end
    return head
  end
end

local function control(read)
  local head = read:take("uet.control")
  if context(read, head) then read:take("uet.control_payload") end
  return head
end

-- Of a RUDI request the flag m is reserved (uet.md 1.2).
local function rudi_request(read)
  local head, items = read:take("uet.rudi")
  if head and head.m == 1 then
    items.m:add_proto_expert_info(RESERVED, "uet.m: reserved bits are not 0 (in a request)")
  end
  return head
end

-- uet.md 1.8: what follows is encrypted or authenticated.
local function security(read)
  read.tree:add(F["uet.type"], read.tvb(read.at, 1))
  local own = read.tree:add(F["tss"], read.tvb(read.at))
  local head = read:take("tss", own)
  if not head then return end
  if head.sp == 0 or read:take("tss.ssi", own) then read:take("tss.tsc", own) end
  return head
end

field(UET, "tss", ProtoField.none("mpnic.tss", "TSS"))
field(UET, "uet.crc", ProtoField.bytes("mpnic.uet.crc", "crc"))

local DELIVERY = {
  TSS = security,
  RUD_REQ = request,
  ROD_REQ = request,
  RUDI_REQ = rudi_request,
  RUDI_RESP = fixed("uet.rudi"),
  UUD_REQ = fixed("uet.uud"),
  ACK = fixed("uet.ack"),
  ACK_CC = ack_cc,
  ACK_CCX = fixed("uet.ack", "uet.ack_ccx"),
  NACK = fixed("uet.nack"),
  CP = control,
  NACK_CCX = fixed("uet.nack", "uet.nack_ccx"),
  RUD_CC_REQ = request_cc,
  ROD_CC_REQ = request_cc,
}

-- What the list of packets says of a packet.
local function summary(name, head)
  local words = { name }
  local function add(word, value)
    if value then words[#words + 1] = word .. " " .. as_text(value) end
  end
  local function named(path, value)
    return value and (VALUES[path][value] or value)
  end
  add("code", named("uet.nack_code", head.nack_code))
  add("control", named("uet.ctl_type", head.ctl_type))
  add("psn", head.psn)
  add("cack_psn", head.cack_psn)
  add("nack_psn", head.nack_psn)
  add("pkt_id", head.pkt_id)
  add("sdi", head.sdi)
  if head.next_hdr and head.next_hdr ~= 0 then add("next", named("uet.next_hdr", head.next_hdr)) end
  if head.set and head.set ~= "" then words[#words + 1] = "[" .. head.set .. "]" end
  return table.concat(words, " ")
end

local function delivery(read)
  -- The shortest header has four bytes (uet.md 1.2), and so has a packet of a type that is reserved.
  if not read:fits("uet.prologue", HEADERS["uet.uud"].bytes, read.tree) then return "cut short" end
  local kind = HEADERS["uet.prologue"][1]
  local number = read.tvb(read.at + kind.at, kind.len):bitfield(kind.bit, kind.bits)
  local name = VALUES["uet.type"][number]
  if not name then
    -- Nothing is known of its length: all of it is data.
    local item = read.tree:add(F["uet.type"], read.tvb(read.at + kind.at, kind.len))
    item:add_proto_expert_info(UNKNOWN, ("uet.type: %d is reserved"):format(number))
    return ("reserved type %d"):format(number)
  end
  read.tree:append_text(", " .. name)
  if REQUESTS[name] and is_trimmed(UET) then read:trim() end
  -- uet.md 1.1; what a switch has left has no CRC.
  if UET.prefs.crc and name ~= "TSS" and not read.trimmed then
    read.limit = read.limit - CRC_BYTES
    read.has_crc = true
  end
  local head = DELIVERY[name](read)
  local text = summary(name, head or {})
  if read.trimmed then return text .. " trimmed" end
  return read.is_cut and text .. ", cut short" or text
end

function UET.dissector(tvb, pinfo, tree)
  local is_native = pinfo.match == UET.prefs.protocol
  if not is_native and pinfo.dst_port ~= UET.prefs.port then return 0 end
  local read = reader(tvb, tvb:reported_len(), tree:add(UET, tvb()))
  pinfo.cols.protocol = "UET"
  local info = "cut short"
  if not is_native or read:take("uet.entropy") then info = delivery(read) end
  pinfo.cols.info = info
  local last = tvb:len()
  if read.has_crc and not read.is_cut and is_whole(tvb) then
    last = read.limit
    read.tree:add(F["uet.crc"], tvb(last, CRC_BYTES))
  end
  rest(tvb, read.at, pinfo, tree, last)
  return tvb:len()
end
