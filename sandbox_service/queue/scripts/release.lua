-- Hands back one lease of a worker, or all: what was in it waits again, before all that was not taken yet, or in its lane.
-- ARGV: worker, id and number of the lease ('' for all), whether the delivery counts ('1' or '0'; if it does, other
-- workers come first), milliseconds until it is due ('' if it is to wait for its turn).
local worker, counts = ARGV[1], ARGV[4] == '1'
local time, count = now(), 0

local function hand_back(s)
  move(s, 'queued', 'worker', '', 'aside', '')
  call('ZREM', LEASES, s.id)
  if ARGV[5] == '' then
    wait_in_lane(s.id, s.queue, s.tenant, s.domain, s.created * 1e6)
  else
    call('ZADD', WAITING[tonumber(s.queue)], time, s.id)
    call('ZADD', RETURNED, time + ARGV[5] * 1000, s.id)
  end
  if counts then
    call('HSET', SUBMISSION .. s.id, 'had', had_also(s, worker))
  else
    call('HSET', SUBMISSION .. s.id, 'deliveries', s.deliveries - 1, 'attempts', s.attempts - 1)
  end
  count = count + 1
end

for _, id in ipairs(ARGV[2] ~= '' and {ARGV[2]} or call('ZRANGE', LEASES, 0, -1)) do
  local s = submission(id)
  if s.state == 'running' and s.worker == worker and (ARGV[3] == '' or ARGV[3] == s.lease) then hand_back(s) end
end
-- Who leaves may have heard the bell for another.
if ARGV[2] == '' or count > 0 then ring(count + 1) end
