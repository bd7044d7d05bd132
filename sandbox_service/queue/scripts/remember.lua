-- Keeps a result for identical submissions, and forgets the oldest where there are too many. The first result stays.
-- ARGV: digest, result, milliseconds to keep it, most bytes of all.
local digest, result, life, most = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local time = math.floor(now() / 1000)

if not call('SET', CACHE .. digest, result, 'PX', life, 'NX') then return end
local held = tonumber(call('GET', CACHE_HELD) or 0)
if call('ZADD', CACHED, time + life, #result .. ':' .. digest) == 1 then held = held + #result end
while true do
  local oldest, expires = unpack(call('ZRANGE', CACHED, 0, 0, 'WITHSCORES'))
  if not oldest or (held <= most and tonumber(expires) > time) then break end
  local size, name = string.match(oldest, '^(%d+):(.*)$')
  call('ZREM', CACHED, oldest)
  call('DEL', CACHE .. name)
  held = held - size
end
-- All of it goes once nothing was kept for so long.
call('SET', CACHE_HELD, held, 'PX', life)
call('PEXPIRE', CACHED, life)
