-- Hands leases back: they become anyone's to reclaim at once, at their old place before all that wait.
-- ARGV: consumer, whether their delivery still counts ('1' or '0'), queue, first message, last message.
local LONG_AGO = 24 * 3600 * 1000
local queue = QUEUES[tonumber(ARGV[3])]
for _, held in ipairs(call('XPENDING', queue, GROUP, ARGV[4], ARGV[5], 1000, ARGV[1])) do
  local message, deliveries = held[1], held[4]
  local entry = call('XRANGE', queue, message, message)[1]
  local id = entry and entry[2][2]
  local s = id and call('HMGET', SUBMISSION .. id, 'state', 'entry', 'batch') or {}
  if s[1] == 'running' and s[2] == message then
    move(id, s[3], 'running', 'queued')
    if ARGV[2] == '0' then
      deliveries = deliveries - 1
      call('HINCRBY', SUBMISSION .. id, 'attempts', -1)
    end
  end
  call('XCLAIM', queue, GROUP, ARGV[1], 0, message, 'IDLE', LONG_AGO, 'RETRYCOUNT', deliveries, 'JUSTID')
end
