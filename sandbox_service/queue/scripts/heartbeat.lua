-- Confirms a worker's leases. One that another worker has reclaimed meanwhile stays that worker's.
-- ARGV: worker, then id and number of each lease.
for a = 2, #ARGV, 2 do
  local held = call('HMGET', SUBMISSION .. ARGV[a], 'worker', 'lease')
  if held[1] == ARGV[1] and held[2] == ARGV[a + 1] then call('ZADD', LEASES, 'XX', now(), ARGV[a]) end
end
