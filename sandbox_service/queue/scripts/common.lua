-- Stands before every script. KEYS are those of keys.py, in its order; a family ends in ':' and takes a name.
local WAITING = {KEYS[1], KEYS[2], KEYS[3]}
local RETURNED, LEASES, DEAD, DOORBELL, HELD = KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8]
local EVENTS, CANCELS, WORKERS, SEEN, DRAINING = KEYS[9], KEYS[10], KEYS[11], KEYS[12], KEYS[13]
local LANE, TURNS, SUBMISSION, PAYLOAD, RESULT = KEYS[14], KEYS[15], KEYS[16], KEYS[17], KEYS[18]
local BATCH, DONE, MEMBERS, IDEMPOTENCY, ENDED = KEYS[19], KEYS[20], KEYS[21], KEYS[22], KEYS[23]
local CACHE, CACHED, CACHE_HELD = KEYS[24], KEYS[25], KEYS[26]
local NEW, SERVED = '0', '1' -- before a name that takes turns: among those with the same pass, the new ones come first
local MOST_TOKENS = 64

local call = redis.call

-- A hash, or a reply of alternating names and values, as a table.
local function pairs_of(reply)
  local map = {}
  for i = 1, #reply, 2 do map[reply[i]] = reply[i + 1] end
  return map
end

local function submission(id)
  local s = pairs_of(call('HGETALL', SUBMISSION .. id))
  s.id = id
  return s
end

-- Microseconds by the server's clock.
local function now()
  local time = call('TIME')
  return time[1] * 1e6 + time[2]
end

-- Wakes up to n idle workers. A busy queue needs no more tokens: who takes an entry and leaves others wakes the next.
local function ring(n)
  local tokens = {}
  for i = 1, math.min(n, MOST_TOKENS) do tokens[i] = '1' end
  call('LPUSH', DOORBELL, unpack(tokens))
  call('LTRIM', DOORBELL, 0, MOST_TOKENS - 1)
end

local function depth()
  return call('ZCARD', WAITING[1]) + call('ZCARD', WAITING[2]) + call('ZCARD', WAITING[3])
end

-- Where a tenant's submissions of a domain wait; the length keeps `a` + `b:c` and `a:b` + `c` apart.
local function lane(queue, tenant, domain)
  return LANE .. queue .. ':' .. #tenant .. ':' .. tenant .. ':' .. domain
end

-- Lets a tenant of a queue, or a domain of a tenant, take its turn. One that is new comes level with who is next, and
-- before it: having been away earns no more. One that was served lately keeps its pass: see take.lua.
local function line_up(turns, who)
  if call('ZSCORE', turns, SERVED .. who) then return end
  local next = call('ZRANGE', turns, 0, 0, 'WITHSCORES')
  call('ZADD', turns, 'NX', next[2] or 0, NEW .. who)
end

-- Has a submission wait for its turn; who came earlier, by microseconds, is before it in its lane.
local function wait_in_lane(id, queue, tenant, domain, since)
  local line = lane(queue, tenant, domain)
  call('ZADD', WAITING[tonumber(queue)], since, id)
  call('ZADD', line, since, id)
  if call('ZCARD', line) == 1 then
    line_up(TURNS .. queue .. ':' .. tenant, domain)
    line_up(TURNS .. queue, tenant)
  end
end

-- Brings a submission into another state; further fields and their values are set with it.
local function move(s, to, ...)
  call('HSET', SUBMISSION .. s.id, 'state', to, ...)
  if s.batch ~= '' and s.state ~= to then
    call('HINCRBY', BATCH .. s.batch, 'state:' .. s.state, -1)
    call('HINCRBY', BATCH .. s.batch, 'state:' .. to, 1)
  end
end

-- Gives a submission to a worker. A lease is known by its number, which a worker that reclaims it takes over: the one
-- that was given up may still come back with a result.
local function lease(s, worker, number)
  local deliveries, attempts = (s.deliveries or 0) + 1, (s.attempts or 0) + 1
  call('ZADD', LEASES, now(), s.id)
  move(s, 'running', 'worker', worker, 'lease', number, 'deliveries', deliveries, 'attempts', attempts,
    'aside', '')
  return {number, deliveries, attempts, s.id, call('GET', PAYLOAD .. s.id) or '', s.queue, s.batch, s.index, s.tenant,
    s.domain, s.created, s.origin, s.weight, s.domain_weight}
end

-- The workers that had a submission and did not end it, with one more.
local function had_also(s, worker)
  return s.had and s.had .. ' ' .. worker or worker
end
