"""Whose turn it is: tenants, their domains, weights and priorities."""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Callable
from statistics import quantiles

import pytest

from sandbox_service.contract.verdict import Priority
from sandbox_service.queue import Entry
from tests.queue.bench import ACCEPTED, CANCELLED, Bench, entries, entry

LEAST_FAIR = 0.95


def jain(shares: list[float]) -> float:
    """Jain's index of fairness: 1 if all shares are equal, 1/n if one has everything."""
    return sum(shares) ** 2 / (len(shares) * sum(share**2 for share in shares))


async def flood(bench: Bench, tenant: str, count: int, **changes: object) -> None:
    """Many submissions of a tenant, all at once."""
    batch = f"bat_{tenant}_{changes}"
    await bench.producer.submit_batch(batch, tenant, entries(count, batch, tenant=tenant, **changes))


async def served(bench: Bench, count: int, of: Callable[[Entry], str] = lambda entry: entry.tenant) -> Counter[str]:
    """How many of the next `count` are whose."""
    shares = Counter[str]()
    for _ in range(count):
        lease = await bench.took()
        assert await bench.one.finish(lease, b"{}", ACCEPTED)
        shares[of(lease.entry)] += 1
    return shares


async def waits(
    bench: Bench, arrivals: list[tuple[float, Entry]], workers: int, service: Callable[[], float]
) -> list[float]:
    """How long each arrival waits for one of the workers, by a clock of our own."""
    arrived, found, due = {sent.id: time for time, sent in arrivals}, [], arrivals[:]
    free = [0.0] * workers
    while len(found) < len(arrivals):
        time = heapq.heappop(free)
        while due and due[0][0] <= time:
            await bench.producer.submit(due.pop(0)[1])
        lease = await bench.took()
        assert await bench.one.finish(lease, b"{}", ACCEPTED)
        if lease.entry.id in arrived:
            found.append(time - arrived[lease.entry.id])
        heapq.heappush(free, time + service())
    return found


@pytest.mark.parametrize(("polite", "workers", "floods"), [("a", 1, 1), ("z", 1, 1), ("z", 4, 1), ("z", 4, 20)])
async def test_who_sends_at_leisure_does_not_wait_for_who_floods(
    bench: Bench, polite: str, workers: int, floods: int
) -> None:
    """Whatever their names, which decide among equals, and also if it is many who flood."""
    chance, now, arrivals = random.Random(workers), 0.0, []
    for _ in range(100 if floods == 1 else 25):
        now += chance.uniform(2, 6) * (1 + floods) / workers  # at half its share
        arrivals.append((now, entry(tenant=polite)))
    for number in range(floods):
        await flood(bench, f"m{number}", 10_000 // floods)
    times = await waits(bench, arrivals, workers, lambda: chance.uniform(0.5, 1.5))
    assert quantiles(times, n=100)[-1] < 3.0  # service times; the mean is 1


async def test_equal_weights_are_equal_shares(bench: Bench) -> None:
    for number, count in enumerate((100, 200, 500, 1000, 2000)):
        await flood(bench, f"t{number}", count)
    shares = await served(bench, 480)
    assert jain(list(shares.values())) >= LEAST_FAIR
    assert max(shares.values()) - min(shares.values()) <= 1


async def test_shares_go_by_weight(bench: Bench) -> None:
    await flood(bench, "a", 400, weight=1.0)
    await flood(bench, "b", 400, weight=3.0)
    await flood(bench, "c", 400, weight=0.5)
    shares = await served(bench, 450)
    wanted = {"a": 100, "b": 300, "c": 50}
    assert jain([shares[tenant] / wanted[tenant] for tenant in wanted]) >= LEAST_FAIR
    assert all(abs(shares[tenant] - wanted[tenant]) <= 3 for tenant in wanted)


async def test_domains_of_a_tenant_share_what_is_the_tenants(bench: Bench) -> None:
    """By weight among themselves; having many of them gives a tenant no more."""
    await flood(bench, "a", 500, domain="math", domain_weight=1.0)
    await flood(bench, "a", 500, domain="code", domain_weight=3.0)
    await flood(bench, "b", 500, domain="code")
    shares = await served(bench, 400, lambda entry: f"{entry.tenant} {entry.domain}")
    wanted = {"a math": 50, "a code": 150, "b code": 200}
    assert all(abs(shares[name] - wanted[name]) <= 3 for name in wanted)


async def test_who_sends_at_leisure_in_a_domain_does_not_wait_for_another_domain(bench: Bench) -> None:
    now, arrivals, chance = 0.0, [], random.Random(7)
    for _ in range(50):
        now += chance.uniform(4, 12)
        arrivals.append((now, entry(domain="a")))
    await bench.producer.submit_batch("bat_1", "t", entries(1000, "bat_1", domain="flood"))
    times = await waits(bench, arrivals, 1, lambda: 1.0)
    assert quantiles(times, n=100)[-1] < 3.0


async def test_a_higher_priority_comes_first_whoever_floods(bench: Bench) -> None:
    for tenant in ("a", "b"):
        for priority in (Priority.LOW, Priority.NORMAL, Priority.HIGH):
            await flood(bench, tenant, 30 if tenant == "a" else 10, priority=priority)

    def of(entry: Entry) -> str:
        return f"{entry.priority} {entry.tenant}"

    for priority in (Priority.HIGH, Priority.NORMAL, Priority.LOW):
        assert await served(bench, 20, of) == {f"{priority} a": 10, f"{priority} b": 10}
        assert await served(bench, 20, of) == {f"{priority} a": 20}


@pytest.mark.parametrize("lone", ["a", "z"])
async def test_who_has_one_thing_waiting_at_a_time_gets_no_more_than_a_share(bench: Bench, lone: str) -> None:
    """Its lane is empty whenever it was served: it must not be taken for someone new each time."""
    await flood(bench, "m", 200)
    shares = Counter[str]()
    waiting = False
    for _ in range(100):
        if not waiting:
            await bench.producer.submit(entry(tenant=lone))
        lease = await bench.took()
        waiting = lease.entry.tenant != lone
        shares[lease.entry.tenant] += 1
    assert abs(shares[lone] - 50) <= 1


async def test_cancelling_earns_nothing(bench: Bench) -> None:
    """As above, by who cancels what waits after each service and sends it again."""
    await flood(bench, "m", 200)
    shares, second = Counter[str](), entry(tenant="a")
    for _ in range(100):
        await bench.producer.submit(entry(tenant="a"))
        await bench.producer.submit(second)
        shares[(await bench.took()).entry.tenant] += 1
        await bench.producer.cancel(second.id, CANCELLED)
        second = entry(tenant="a")
    assert shares["a"] <= 51


async def test_being_away_saves_up_nothing(bench: Bench) -> None:
    await flood(bench, "m", 400)
    await flood(bench, "b", 1)
    assert await served(bench, 200) == {"m": 199, "b": 1}
    await flood(bench, "a", 200)
    assert abs((await served(bench, 100))["a"] - 50) <= 1


async def test_submissions_of_a_lane_keep_their_order(bench: Bench) -> None:
    sent = [entry() for _ in range(20)]
    for one in sent[:10]:
        await bench.producer.submit(one)
    await bench.producer.submit_batch("bat_1", "t", sent[10:])
    assert [(await bench.took()).entry.id for _ in sent] == [one.id for one in sent]


async def test_what_was_cancelled_does_not_count_nor_take_a_turn(bench: Bench) -> None:
    gone = [entry(tenant="a") for _ in range(50)]
    for one in gone:
        await bench.producer.submit(one)
    await flood(bench, "a", 20)
    await flood(bench, "b", 20)
    for one in gone:
        assert await bench.producer.cancel(one.id, CANCELLED)
    assert (await bench.reader.stats())["queue"]["by_priority"] == {"high": 0, "normal": 40, "low": 0}
    assert await served(bench, 20) == {"a": 10, "b": 10}
    await bench.finish_all()
    await bench.assert_nothing_left()


async def test_thousands_of_lanes_cost_nothing_to_look_at_and_leave_nothing(bench: Bench) -> None:
    async def looked_up() -> int:
        """How many commands the server runs for one look; readers follow their stream meanwhile."""
        before = await bench.redis.info("commandstats")
        stats.append(await bench.reader.stats())
        after = await bench.redis.info("commandstats")
        calls = [sum(rows[name]["calls"] for name in rows if name != "cmdstat_xread") for rows in (before, after)]
        return calls[1] - calls[0]

    stats: list[dict[str, object]] = []
    await bench.producer.submit(entry())
    await looked_up()  # loads the script
    few = await looked_up()
    for n in range(2000):
        await bench.producer.submit(entry(tenant=f"t{n % 300}", domain=f"d{n}"))
    assert await looked_up() == few
    assert stats[-1]["queue"]["by_priority"] == {"high": 0, "normal": 2001, "low": 0}
    shares = await served(bench, 2001)
    assert len(shares) == 301
    await bench.assert_nothing_left()
