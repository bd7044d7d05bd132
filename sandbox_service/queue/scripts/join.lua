-- Makes the group on each queue and removes consumers that are gone.
-- ARGV: milliseconds after which a silent consumer is gone, a consumer that leaves now ('' for none).
for _, queue in ipairs(QUEUES) do
  local made = redis.pcall('XGROUP', 'CREATE', queue, GROUP, '0', 'MKSTREAM')
  if made.err and not string.find(made.err, 'BUSYGROUP') then return made end
  for _, reply in ipairs(call('XINFO', 'CONSUMERS', queue, GROUP)) do
    local consumer = pairs_of(reply)
    local gone = consumer['idle'] >= tonumber(ARGV[1]) or consumer['name'] == ARGV[2]
    -- With a consumer its leases would go too, and nobody would ever reclaim them.
    if gone and consumer['pending'] == 0 then call('XGROUP', 'DELCONSUMER', queue, GROUP, consumer['name']) end
  end
end
-- Who leaves may have heard the bell for another.
if ARGV[2] ~= '' then ring(1) end
