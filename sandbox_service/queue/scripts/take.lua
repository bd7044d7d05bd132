-- Gives a worker the next entry, of the highest queue that has one. It never blocks.
-- ARGV: consumer. Answers a lease, nil where nothing waits, or 'again' where there was much to drop.
local MOST_DROPPED = 256

local function anything_waits()
  for _, queue in ipairs(QUEUES) do
    if call('XLEN', queue) > pairs_of(call('XINFO', 'GROUPS', queue)[1])['pending'] then return true end
  end
  return false
end

local dropped = 0
for number, queue in ipairs(QUEUES) do
  repeat
    local reply = call('XREADGROUP', 'GROUP', GROUP, ARGV[1], 'COUNT', 1, 'STREAMS', queue, '>')
    if reply then
      local message = reply[1][2][1]
      local given = lease(number, message[1], message[2], 1)
      if given then
        if call('LLEN', DOORBELL) == 0 and anything_waits() then ring(1) end
        return given
      end
      dropped = dropped + 1
      if dropped == MOST_DROPPED then return 'again' end
    end
  until not reply
end
return nil
