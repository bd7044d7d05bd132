-- Ends a submission: by its worker, or, without a lease, by whoever cancels it. The first result wins.
-- ARGV: id, number of the lease ('' to cancel), the worker that ran it ('' for none), result, state, verdict ('' for
-- none), kind of a retryable failure ('' for anything else), summary, seconds to keep it, the state it must have
-- ('' for any). Answers 1 if this result is the submission's result, else 0.
local id, number, worker, result, state, verdict = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local failure, ttl = ARGV[7], ARGV[9]
local MOST_EVENTS, MOST_CANCELS, MOST_DEAD = 10000, 1000, 1000
local MOST_TOLD = 4096
local COUNTED_SECONDS = 3700

local s = submission(id)
if s.state ~= 'queued' and s.state ~= 'running' then
  -- Sent again because its answer was lost, it is still the first.
  return call('GET', RESULT .. id) == result and 1 or 0
end
-- A worker that was given up may still hold an earlier lease.
if number ~= '' and (s.state ~= 'running' or number ~= s.lease) then return 0 end
local started = s.state == 'running' and s.aside ~= '1'
if ARGV[10] ~= '' and ARGV[10] ~= (started and 'running' or 'queued') then return 0 end

if s.state == 'running' then
  call('ZREM', LEASES, id)
else
  call('ZREM', WAITING[tonumber(s.queue)], id)
  if call('ZREM', RETURNED, id) == 0 then call('ZREM', lane(s.queue, s.tenant, s.domain), id) end
end
move(s, state)
call('SET', RESULT .. id, result)
call('DEL', PAYLOAD .. id)
call('DECRBY', HELD, s.bytes)

local function expire(key)
  call('EXPIRE', key, ttl)
end

if s.batch == '' then
  expire(SUBMISSION .. id)
  expire(RESULT .. id)
  if s.idempotency ~= '' then expire(IDEMPOTENCY .. s.idempotency) end
else
  call('RPUSH', DONE .. s.batch, s.index .. ':' .. id)
  if verdict ~= '' then call('HINCRBY', BATCH .. s.batch, 'verdict:' .. verdict, 1) end
  -- Nothing of a batch expires before all of it has ended: a reader may be slow, and the last may take hours.
  if call('HINCRBY', BATCH .. s.batch, 'left', -1) == 0 then
    for _, member in ipairs(call('LRANGE', MEMBERS .. s.batch, 0, -1)) do
      expire(SUBMISSION .. member)
      expire(RESULT .. member)
    end
    expire(IDEMPOTENCY .. call('HGET', BATCH .. s.batch, 'idempotency'))
    for _, family in ipairs({BATCH, DONE, MEMBERS}) do expire(family .. s.batch) end
  end
end

local minute = ENDED .. math.floor(now() / 60e6)
if call('HINCRBY', minute, 'state:' .. state, 1) == 1 then call('EXPIRE', minute, COUNTED_SECONDS) end
if verdict ~= '' then call('HINCRBY', minute, 'verdict:' .. verdict, 1) end

if failure ~= '' then
  call('HSET', SUBMISSION .. id, 'retryable', 1)
  call('HINCRBY', minute, 'dead_letters', 1)
  call('XADD', DEAD, 'MAXLEN', MOST_DEAD, '*', 'id', id, 'tenant', s.tenant, 'kind', failure,
    'workers', worker ~= '' and had_also(s, worker) or s.had or '')
end

local news = {'id', id, 'batch', s.batch, 'origin', s.origin, 'summary', ARGV[8]}
if s.batch == '' and #result <= MOST_TOLD then
  news[#news + 1] = 'result' -- who waits for it has not to ask
  news[#news + 1] = result
end
call('XADD', EVENTS, 'MAXLEN', '~', MOST_EVENTS, '*', unpack(news))
if number == '' and s.state == 'running' then
  call('XADD', CANCELS, 'MAXLEN', '~', MOST_CANCELS, '*', 'id', id)
end
return 1
