-- Gives a worker what is next: what came back and is due, else from the lanes, by priority, then whose turn it is.
-- ARGV: worker, milliseconds for which what came back from a worker is left to others. It never blocks.
-- Answers a lease, 'again' where there was much to pass over, or in how many milliseconds something that came back may
-- be due (-1: nothing did).
local worker, left_to_others = ARGV[1], ARGV[2] * 1000
local MOST_LOOKED_AT, MOST_PASSED = 64, 256
local passed = 0

local function had_by(worker, id)
  local had = call('HGET', SUBMISSION .. id, 'had') or ''
  return string.find(' ' .. had .. ' ', ' ' .. worker .. ' ', 1, true)
end

-- What came back and is due for this worker, else in how many milliseconds the first will be.
local function returned()
  local time, soonest = now(), nil
  local listed = call('ZRANGE', RETURNED, 0, MOST_LOOKED_AT - 1, 'WITHSCORES')
  for i = 1, #listed, 2 do
    local id, due = listed[i], tonumber(listed[i + 1])
    if due <= time and had_by(worker, id) then due = due + left_to_others end
    if due <= time then
      call('ZREM', RETURNED, id)
      return submission(id)
    end
    soonest = math.min(soonest or due, due)
  end
  return nil, soonest and math.ceil((soonest - time) / 1000) or -1
end

-- The next submission of those who take turns: of who has the smallest pass, which grows by 1 / weight. Who has nothing
-- when its turn comes is forgotten, and not before: else who has but one thing waiting at a time would always be next.
local function turn(turns, weight, offer)
  while true do
    local member, pass = unpack(call('ZRANGE', turns, 0, 0, 'WITHSCORES'))
    local who = member and string.sub(member, 2)
    local s = who and offer(who)
    if s then
      if member == NEW .. who then call('ZREM', turns, member) end
      call('ZADD', turns, pass + 1 / s[weight], SERVED .. who)
      return s
    end
    if not who or passed == MOST_PASSED then return nil end
    passed = passed + 1
    call('ZREM', turns, member)
  end
end

local function from_lanes(queue)
  return turn(TURNS .. queue, 'weight', function(tenant)
    return turn(TURNS .. queue .. ':' .. tenant, 'domain_weight', function(domain)
      local id = call('ZPOPMIN', lane(queue, tenant, domain))[1]
      return id and submission(id)
    end)
  end)
end

local s, soonest = returned()
for queue = 1, #WAITING do
  s = s or from_lanes(queue)
  if not s and passed == MOST_PASSED then return 'again' end
end
if not s then return soonest end
call('ZREM', WAITING[tonumber(s.queue)], s.id)
if call('LLEN', DOORBELL) == 0 and depth() > 0 then ring(1) end
return lease(s, worker, (s.lease or 0) + 1)
