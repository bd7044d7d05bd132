-- Gives a worker the leases of dead ones.
-- ARGV: worker, milliseconds without a heartbeat, most. Answers a list of leases.
local given = {}
local lost = call('ZRANGE', LEASES, '-inf', now() - ARGV[2] * 1000, 'BYSCORE', 'LIMIT', 0, ARGV[3])
for number, id in ipairs(lost) do
  local s = submission(id)
  call('HSET', SUBMISSION .. id, 'had', had_also(s, s.worker))
  given[number] = lease(s, ARGV[1], s.lease)
end
return given
