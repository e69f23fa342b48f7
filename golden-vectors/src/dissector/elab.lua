-- SPDX-License-Identifier: MIT OR Apache-2.0
-- ELAB (E03 to E07): the info header, a rate if B is set, then the transport header that the tunnel carries.

ELAB.prefs.port = Pref.uint("UDP port", ELAB_PORT, "Destination port of the tunnel; 0 for none")
ELAB.prefs.tunnelled = Pref.uint("Tunnelled IP protocol", TUNNELLED, "IP protocol of what the tunnel carries")

local IP_TCP, TCP_BYTES = 6, 20
local IP_UDP, UDP_BYTES = 17, 8

-- Whether the header of the tunnelled protocol fits. ELAB is transparent to it (E01): it is no fault if it does not.
local function inner_fits(tvb, at)
  local room = tvb:len() - at
  local protocol = ELAB.prefs.tunnelled
  if protocol == IP_TCP then
    if room < TCP_BYTES then return false end
    local length = tvb(at + 12, 1):bitfield(0, 4) * 4
    return length >= TCP_BYTES and length <= room
  end
  return room >= (protocol == IP_UDP and UDP_BYTES or 1)
end

function ELAB.dissector(tvb, pinfo, tree)
  if pinfo.dst_port ~= ELAB.prefs.port then return 0 end
  local own = tree:add(ELAB, tvb())
  local read = reader(tvb, tvb:reported_len(), own)
  local info = read:take("elab")
  local text = "cut short"
  if info then
    text = ("VP %d received %d burst %d"):format(info.vp_id, info.vp_rcnt, info.burst_id)
    if info.e == 1 then text = text .. " [ECN]" end
    local rate = info.b == 1 and read:take("elab.rate")
    if rate then text = text .. " rate " .. as_text(rate.vp_rburst_rate) end
    if read.is_cut then text = text .. ", cut short" end
  end
  own:set_len(read.at)

  local inner = DissectorTable.get("ip.proto"):get_dissector(ELAB.prefs.tunnelled)
  pinfo.cols.info = text
  -- A length that is not that of the segment would have TCP count bytes wrong: it gets all of it or nothing.
  if inner and is_whole(tvb) and not read.is_cut and inner_fits(tvb, read.at) then
    pinfo.cols.info:append(" | ")
    pinfo.cols.info:fence()
    hand_on(inner, tvb(read.at):tvb(), pinfo, tree)
  else
    rest(tvb, read.at, pinfo, tree)
  end
  pinfo.cols.protocol = "ELAB"
  return tvb:len()
end
