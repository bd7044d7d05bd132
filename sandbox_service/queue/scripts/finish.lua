-- Ends a submission: by its worker, or, without a message, by whoever cancels it. The first result wins.
-- ARGV: queue and message ('' to cancel), id, result, state, verdict ('' for none), whether a failure is retryable
-- ('1' or '0'), summary, seconds to keep it, the state it must have ('' for any).
-- Answers 1 if this result is the submission's result, else 0.
local message, id, result, state, verdict = ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local ttl = ARGV[9]
local MOST_EVENTS, MOST_CANCELS = 10000, 1000
local COUNTED_SECONDS = 3700

if message ~= '' then drop(QUEUES[tonumber(ARGV[1])], message) end
local s = call('HMGET', SUBMISSION .. id, 'state', 'entry', 'batch', 'index', 'origin', 'bytes', 'idempotency')
local from, batch = s[1], s[3]
if not in_flight(from) then
  -- Sent again because its answer was lost, it is still the first.
  return call('GET', RESULT .. id) == result and 1 or 0
end
-- A worker that was given up may still hold the lease of an earlier attempt.
if message ~= '' and message ~= s[2] then return 0 end
if ARGV[10] ~= '' and ARGV[10] ~= from then return 0 end

move(id, batch, from, state)
if ARGV[7] == '1' then call('HSET', SUBMISSION .. id, 'retryable', 1) end
call('SET', RESULT .. id, result)
call('DEL', PAYLOAD .. id)
call('DECRBY', HELD, s[6])

local function expire(key)
  call('EXPIRE', key, ttl)
end

if batch == '' then
  expire(SUBMISSION .. id)
  expire(RESULT .. id)
  if s[7] ~= '' then expire(IDEMPOTENCY .. s[7]) end
else
  call('RPUSH', DONE .. batch, s[4] .. ':' .. id)
  if verdict ~= '' then call('HINCRBY', BATCH .. batch, 'verdict:' .. verdict, 1) end
  -- Nothing of a batch expires before all of it has ended: a reader may be slow, and the last may take hours.
  if call('HINCRBY', BATCH .. batch, 'left', -1) == 0 then
    for _, member in ipairs(call('LRANGE', MEMBERS .. batch, 0, -1)) do
      expire(SUBMISSION .. member)
      expire(RESULT .. member)
    end
    expire(IDEMPOTENCY .. call('HGET', BATCH .. batch, 'idempotency'))
    for _, family in ipairs({BATCH, DONE, MEMBERS}) do expire(family .. batch) end
  end
end

local minute = ENDED .. math.floor(tonumber(call('TIME')[1]) / 60)
if call('HINCRBY', minute, 'state:' .. state, 1) == 1 then call('EXPIRE', minute, COUNTED_SECONDS) end
if verdict ~= '' then call('HINCRBY', minute, 'verdict:' .. verdict, 1) end

call('XADD', EVENTS, 'MAXLEN', '~', MOST_EVENTS, '*', 'id', id, 'batch', batch, 'origin', s[5], 'summary', ARGV[8])
if message == '' and from == 'running' then call('XADD', CANCELS, 'MAXLEN', '~', MOST_CANCELS, '*', 'id', id) end
return 1
