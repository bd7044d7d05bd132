-- Asks a worker to drain; it hears of it with its next sign of life.
-- ARGV: worker, seconds after which a silent one is forgotten. Answers 1, or 0 if there is no such worker.
if not call('ZSCORE', SEEN, ARGV[1]) then return 0 end
call('SADD', DRAINING, ARGV[1])
call('EXPIRE', DRAINING, ARGV[2])
return 1
