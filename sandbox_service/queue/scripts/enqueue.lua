-- Queues one submission, or a batch: all of it or nothing.
-- ARGV: batch ('' for one alone), tenant, idempotency name and digest ('' without), most submissions, most bytes,
-- then for each: id, queue, index, domain, created, origin, weight, domain's weight, payload.
-- Answers {'ok', id}, {'conflict'}, or {'full', how many have to end first, how many ended a minute}.
local batch, tenant, name, digest = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local most, most_bytes = tonumber(ARGV[5]), tonumber(ARGV[6])
local FIRST, WIDTH = 7, 9
local count = (#ARGV - FIRST + 1) / WIDTH
local whole = batch ~= '' and BATCH or SUBMISSION
local id = batch ~= '' and batch or ARGV[FIRST]

-- An idempotency key that was seen gives its twin, or, where that failed by our fault, a new attempt of it.
local again = false
if name ~= '' then
  local seen = call('HMGET', IDEMPOTENCY .. name, 'digest', 'id')
  if seen[1] and seen[1] ~= digest then return {'conflict'} end
  if seen[1] and call('EXISTS', whole .. seen[2]) == 1 then
    local twin = call('HMGET', whole .. seen[2], 'state', 'retryable')
    again = twin[1] == 'failed' and twin[2] == '1'
    id = seen[2]
    if not again then return {'ok', id} end
  end
end
-- The client sends a command again whose answer it lost.
if not again and call('EXISTS', whole .. id) == 1 then return {'ok', id} end

local function ended_a_minute()
  local seconds = tonumber(call('TIME')[1])
  local ended = 0
  for minute = math.floor(seconds / 60) - 1, math.floor(seconds / 60) do
    for _, n in ipairs(call('HMGET', ENDED .. minute, 'state:finished', 'state:failed', 'state:cancelled')) do
      ended = ended + (tonumber(n or 0))
    end
  end
  return math.floor(ended * 60 / (60 + seconds % 60))
end

local bytes = 0
for a = FIRST, #ARGV, WIDTH do bytes = bytes + #ARGV[a + 8] end
local queued = depth() + call('ZCARD', LEASES)
local held = tonumber(call('GET', HELD) or 0)
local over, over_bytes = queued + count - most, held + bytes - most_bytes
if over > 0 or over_bytes > 0 then
  local average = math.max(held / math.max(queued, 1), 1)
  return {'full', math.ceil(math.max(over, over_bytes / average)), ended_a_minute()}
end

-- No two of a batch have the same time, so that they keep their order: each takes longer than a microsecond.
local since = now()
for a = FIRST, #ARGV, WIDTH do
  local own, payload = again and id or ARGV[a], ARGV[a + 8]
  call('SET', PAYLOAD .. own, payload)
  call('HSET', SUBMISSION .. own, 'state', 'queued', 'queue', ARGV[a + 1], 'batch', batch, 'index', ARGV[a + 2],
    'tenant', tenant, 'domain', ARGV[a + 3], 'created', ARGV[a + 4], 'origin', ARGV[a + 5], 'weight', ARGV[a + 6],
    'domain_weight', ARGV[a + 7], 'bytes', #payload, 'idempotency', batch == '' and name or '')
  wait_in_lane(own, ARGV[a + 1], tenant, ARGV[a + 3], since)
  since = since + 1
  if batch ~= '' then call('RPUSH', MEMBERS .. batch, own) end
end
call('INCRBY', HELD, bytes)

if again then
  call('HDEL', SUBMISSION .. id, 'retryable', 'deliveries', 'had')
  call('PERSIST', SUBMISSION .. id)
end
if batch ~= '' then
  call('HSET', BATCH .. batch, 'tenant', tenant, 'total', count, 'left', count, 'state:queued', count,
    'idempotency', name)
end
if name ~= '' then
  call('HSET', IDEMPOTENCY .. name, 'digest', digest, 'id', id)
  call('PERSIST', IDEMPOTENCY .. name)
end
ring(count)
return {'ok', id}
