-- Answers {waiting in each queue}, {running in each queue}, age of the oldest that waits in milliseconds (-1: none),
-- {name, count, ...} of what ended in the last hour.
local time = call('TIME')
local waiting, running, oldest = {}, {}, nil
for number, queue in ipairs(QUEUES) do
  local groups = redis.pcall('XINFO', 'GROUPS', queue)
  local group = not groups.err and groups[1] and pairs_of(groups[1]) or {pending = 0, ['last-delivered-id'] = '0-0'}
  running[number] = group['pending']
  waiting[number] = call('XLEN', queue) - group['pending']
  local first = call('XRANGE', queue, '(' .. group['last-delivered-id'], '+', 'COUNT', 1)[1]
  local since = first and tonumber(string.match(first[1], '^%d+'))
  if since then oldest = math.min(oldest or since, since) end
end

local counts = {}
local minute = math.floor(tonumber(time[1]) / 60)
for past = 0, 59 do
  for name, n in pairs(pairs_of(call('HGETALL', ENDED .. (minute - past)))) do
    counts[name] = (counts[name] or 0) + tonumber(n)
  end
end
local ended = {}
for name, n in pairs(counts) do
  ended[#ended + 1] = name
  ended[#ended + 1] = n
end
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
return {waiting, running, oldest and math.max(now - oldest, 0) or -1, ended}
