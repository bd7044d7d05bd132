-- A worker's sign of life, by the server's clock; forgets those silent for too long.
-- ARGV: worker, what it says of itself, seconds after which a silent one is forgotten.
local time = call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1e6
call('HSET', WORKERS, ARGV[1], ARGV[2])
call('ZADD', SEEN, string.format('%.6f', now), ARGV[1])
for _, gone in ipairs(call('ZRANGEBYSCORE', SEEN, '-inf', now - tonumber(ARGV[3]))) do
  call('HDEL', WORKERS, gone)
  call('ZREM', SEEN, gone)
end
call('EXPIRE', WORKERS, ARGV[3])
call('EXPIRE', SEEN, ARGV[3])
