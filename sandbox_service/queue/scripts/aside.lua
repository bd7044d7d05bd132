-- Marks a lease of what waits for an identical submission to end: it has not started.
-- ARGV: id, number of the lease.
local s = submission(ARGV[1])
if s.state == 'running' and s.lease == ARGV[2] then call('HSET', SUBMISSION .. s.id, 'aside', '1') end
