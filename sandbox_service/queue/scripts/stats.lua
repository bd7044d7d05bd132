-- Answers {waiting of each priority}, how many run, age of the oldest that waits in milliseconds (-1: none),
-- {name, count, ...} of what ended in the last hour.
local time = now()
local waiting, oldest = {}, nil
for number, queue in ipairs(WAITING) do
  waiting[number] = call('ZCARD', queue)
  local since = call('ZRANGE', queue, 0, 0, 'WITHSCORES')[2]
  if since then oldest = math.min(oldest or since, since) end
end

local counts = {}
local minute = math.floor(time / 60e6)
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
local age = oldest and math.max(math.floor((time - oldest) / 1000), 0) or -1
return {waiting, call('ZCARD', LEASES), age, ended}
