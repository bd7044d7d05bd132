-- Confirms a worker's leases. One that another worker has reclaimed meanwhile stays that worker's.
-- ARGV: consumer, then queue and message of each lease.
for a = 2, #ARGV, 2 do
  local queue, message = QUEUES[tonumber(ARGV[a])], ARGV[a + 1]
  if #call('XPENDING', queue, GROUP, message, message, 1, ARGV[1]) == 1 then
    call('XCLAIM', queue, GROUP, ARGV[1], 0, message, 'JUSTID')
  end
end
