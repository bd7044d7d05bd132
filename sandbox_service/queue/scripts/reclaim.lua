-- Gives a worker the leases of dead ones. XPENDING with IDLE finds them without the cursor that XAUTOCLAIM needs to
-- get past many healthy ones.
-- ARGV: consumer, milliseconds without a heartbeat, most. Answers a list of leases.
local given = {}
for number, queue in ipairs(QUEUES) do
  local left = tonumber(ARGV[3]) - #given
  if left > 0 then
    for _, idle in ipairs(call('XPENDING', queue, GROUP, 'IDLE', ARGV[2], '-', '+', left)) do
      local claimed = call('XCLAIM', queue, GROUP, ARGV[1], ARGV[2], idle[1])[1]
      given[#given + 1] = claimed and lease(number, claimed[1], claimed[2], idle[4] + 1)
    end
  end
end
return given
