-- A worker's sign of life, by the server's clock; forgets those silent for too long.
-- ARGV: worker, what it says of itself, seconds after which a silent one is forgotten.
-- Answers 1 if the worker is to drain, else 0.
local time = now() / 1e6
call('HSET', WORKERS, ARGV[1], ARGV[2])
call('ZADD', SEEN, time, ARGV[1])
for _, gone in ipairs(call('ZRANGEBYSCORE', SEEN, '-inf', time - ARGV[3])) do
  call('HDEL', WORKERS, gone)
  call('ZREM', SEEN, gone)
  call('SREM', DRAINING, gone)
end
for _, key in ipairs({WORKERS, SEEN, DRAINING}) do call('EXPIRE', key, ARGV[3]) end
return call('SISMEMBER', DRAINING, ARGV[1])
