-- Stands before every script. KEYS are those of keys.py, in its order; a family ends in ':' and takes an id.
local QUEUES = {KEYS[1], KEYS[2], KEYS[3]}
local DOORBELL, HELD, EVENTS, CANCELS, WORKERS, SEEN = KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9]
local SUBMISSION, PAYLOAD, RESULT = KEYS[10], KEYS[11], KEYS[12]
local BATCH, DONE, MEMBERS = KEYS[13], KEYS[14], KEYS[15]
local IDEMPOTENCY, ENDED = KEYS[16], KEYS[17]
local GROUP = 'workers'
local MOST_TOKENS = 64

local call = redis.call

-- A reply of alternating names and values as a table.
local function pairs_of(reply)
  local map = {}
  for i = 1, #reply, 2 do map[reply[i]] = reply[i + 1] end
  return map
end

-- Wakes up to n idle workers. A busy queue needs no more tokens: who takes an entry and leaves others wakes the next.
local function ring(n)
  local tokens = {}
  for i = 1, math.min(n, MOST_TOKENS) do tokens[i] = '1' end
  call('LPUSH', DOORBELL, unpack(tokens))
  call('LTRIM', DOORBELL, 0, MOST_TOKENS - 1)
end

local function in_flight(state)
  return state == 'queued' or state == 'running'
end

local function move(id, batch, from, to)
  call('HSET', SUBMISSION .. id, 'state', to)
  if batch ~= '' then
    call('HINCRBY', BATCH .. batch, 'state:' .. from, -1)
    call('HINCRBY', BATCH .. batch, 'state:' .. to, 1)
  end
end

-- Takes a delivered entry off its queue. Never for one that was not delivered: that would hide how many wait.
local function drop(queue, message)
  call('XACK', queue, GROUP, message)
  call('XDEL', queue, message)
end

-- What a worker is given for a delivered entry; nil, and the entry is gone, where its submission has ended or
-- has a newer entry.
local function lease(number, message, fields, deliveries)
  local id = fields[2]
  local s = call('HMGET', SUBMISSION .. id,
    'state', 'entry', 'batch', 'index', 'tenant', 'domain', 'created', 'origin')
  if not in_flight(s[1]) or s[2] ~= message then
    drop(QUEUES[number], message)
    return nil
  end
  if s[1] == 'queued' then move(id, s[3], 'queued', 'running') end
  local total = call('HINCRBY', SUBMISSION .. id, 'attempts', 1)
  local payload = fields[4] or call('GET', PAYLOAD .. id) or ''
  return {number, message, deliveries, total, id, payload, s[3], s[4], s[5], s[6], s[7], s[8]}
end
