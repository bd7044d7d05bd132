"""Uses much of Python's standard library, each part for what it is for; prints the parts that do not work."""

# ruff: noqa: PTH, PT018, BLE001 - it uses what it is there to use
import sys

PARTS = []


def part(function):
    PARTS.append(function)
    return function


@part
def threads():
    import concurrent.futures
    import queue
    import threading

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(lambda number: number * number, range(100))) == 328350
    box, lock, event = queue.Queue(), threading.Lock(), threading.Event()
    threading.Thread(target=lambda: (event.wait(5), box.put(1))).start()
    with lock:
        event.set()
    assert box.get(timeout=5) == 1
    threading.stack_size(1 << 20)


@part
def subprocesses():
    import os
    import subprocess

    assert subprocess.run("echo a | tr a b", shell=True, capture_output=True, check=True).stdout == b"b\n"
    with subprocess.Popen(["cat"], stdin=-1, stdout=-1, start_new_session=True, close_fds=True) as process:
        assert process.communicate(b"x" * 200000, timeout=10)[0] == b"x" * 200000
    assert subprocess.run(["sh", "-c", "kill -9 $$"], check=False).returncode == -9
    pid = os.posix_spawn("/bin/true", ["true"], {})
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    pid = os.fork()
    if pid == 0:
        os._exit(7)
    assert os.waitid(os.P_PID, pid, os.WEXITED).si_status == 7
    master, slave = os.openpty()
    os.write(slave, b"x")
    assert os.read(master, 1) == b"x"
    assert os.popen("echo x").read() == "x\n"


def square(number):
    return number * number


@part
def processes():
    import multiprocessing
    import multiprocessing.shared_memory

    for method in ("fork", "spawn", "forkserver"):
        context = multiprocessing.get_context(method)
        with context.Pool(2) as pool:
            assert pool.map(square, range(10)) == [number * number for number in range(10)]
    lock, value = multiprocessing.Lock(), multiprocessing.Value("i", 0)
    with lock, value.get_lock():
        value.value += 1
    block = multiprocessing.shared_memory.SharedMemory(create=True, size=1 << 16)
    block.buf[0] = 1
    block.close()
    block.unlink()
    with multiprocessing.Manager() as manager:
        shared = manager.dict(a=1)
        assert shared["a"] == 1
    ours, theirs = multiprocessing.Pipe()
    ours.send({"a": 1})
    assert theirs.recv() == {"a": 1}


@part
def asynchronous():
    import asyncio

    async def main():
        async def serve(reader, writer):
            writer.write((await reader.readline()).upper())
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            writer.write(b"abc\n")
            assert await reader.read() == b"ABC\n"
            writer.close()
        process = await asyncio.create_subprocess_exec("echo", "x", stdout=asyncio.subprocess.PIPE)
        assert (await process.communicate())[0] == b"x\n"
        assert await asyncio.to_thread(square, 3) == 9
        await asyncio.gather(*(asyncio.sleep(0.001) for _ in range(50)))
        loop = asyncio.get_running_loop()
        assert (await loop.getaddrinfo("localhost", 80))[0]
        unix = await asyncio.start_unix_server(serve, "/tmp/socket")
        unix.close()

    asyncio.run(main())


@part
def sockets():
    import http.client
    import http.server
    import os
    import socket
    import socketserver
    import threading
    import urllib.request

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"hello")

        def log_message(self, *_):
            pass

    for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        with socket.create_server((host, 0), family=family) as server:
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with socket.create_connection(server.getsockname()[:2], 5) as client:
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                client.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
                client.sendall(b"x")
                assert server.accept()[0].recv(1) == b"x"
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever).start()
        assert urllib.request.urlopen(f"http://localhost:{server.server_port}/", timeout=5).read() == b"hello"
        server.shutdown()
    one, two = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    one.bind(("127.0.0.1", 0))
    two.sendto(b"x", one.getsockname())
    assert one.recv(1) == b"x"
    left, right = socket.socketpair()
    socket.send_fds(left, [b"x"], [0])
    os.close(socket.recv_fds(right, 1, 1)[1][0])
    with socketserver.UnixStreamServer("/tmp/other", socketserver.BaseRequestHandler):
        pass
    assert socket.gethostbyname("localhost") == "127.0.0.1"
    assert socket.gethostname()
    assert socket.if_nametoindex("lo")
    assert http.client.HTTPConnection


@part
def waiting():
    import os
    import select
    import selectors

    reading, writing = os.pipe2(os.O_NONBLOCK)
    os.write(writing, b"x")
    assert select.select([reading], [], [], 1)[0] == [reading]
    poll = select.poll()
    poll.register(reading, select.POLLIN)
    assert poll.poll(1000)
    epoll = select.epoll()
    epoll.register(reading, select.EPOLLIN)
    assert epoll.poll(1)
    with selectors.DefaultSelector() as selector:
        selector.register(reading, selectors.EVENT_READ)
        assert selector.select(1)
    counter = os.eventfd(1)
    assert os.eventfd_read(counter) == 1


@part
def signals():
    import faulthandler
    import os
    import signal
    import threading
    import time

    seen = []
    signal.signal(signal.SIGUSR1, lambda *_: seen.append(1))
    signal.signal(signal.SIGALRM, lambda *_: seen.append(2))
    os.kill(os.getpid(), signal.SIGUSR1)
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(0.1)
    signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
    signal.raise_signal(signal.SIGUSR1)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])
    os.kill(os.getpid(), signal.SIGUSR2)
    assert signal.sigwait([signal.SIGUSR2]) == signal.SIGUSR2
    assert sorted(seen) == [1, 1, 1, 2]
    faulthandler.enable()
    signal.alarm(0)


@part
def memory():
    import array
    import ctypes
    import gc
    import mmap
    import tracemalloc

    with mmap.mmap(-1, 1 << 20) as area:
        area[:3] = b"abc"
        area.madvise(mmap.MADV_DONTNEED)
    libc = ctypes.CDLL(None)
    compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))
    numbers = (ctypes.c_int * 3)(3, 1, 2)
    libc.qsort(numbers, 3, 4, compare(lambda left, right: left[0] - right[0]))
    assert list(numbers) == [1, 2, 3]
    tracemalloc.start()
    assert array.array("d", [0.0]) * 1000
    gc.collect()
    tracemalloc.stop()


@part
def files():
    import fcntl
    import glob
    import os
    import pathlib
    import shutil
    import tempfile
    import zipfile

    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as file:
        path = pathlib.Path(folder, "a")
        path.write_text("x" * 100000)
        shutil.copy2(path, path.with_name("b"))
        shutil.copytree(folder, folder + "2")
        shutil.rmtree(folder + "2")
        os.symlink("a", path.with_name("c"))
        os.link(path, path.with_name("d"))
        path.chmod(0o600)
        os.utime(path, (1, 1))
        os.rename(path, path.with_name("e"))
        os.mkfifo(path.with_name("fifo"))
        os.truncate(path.with_name("e"), 10)
        assert sorted(os.listdir(folder)) == ["b", "c", "d", "e", "fifo"] and glob.glob(folder + "/*")
        assert os.stat(path.with_name("e")).st_size == 10
        fcntl.flock(file, fcntl.LOCK_EX)
        fcntl.lockf(file, fcntl.LOCK_EX)
        os.posix_fallocate(file.fileno(), 0, 4096)
        os.fsync(file.fileno())
        os.pwrite(file.fileno(), b"x", 5)
        assert os.pread(file.fileno(), 1, 5) == b"x"
        os.sync()
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a", "b" * 1000)
        assert shutil.disk_usage("/tmp").total
    descriptor = os.memfd_create("x")
    os.write(descriptor, b"x")
    list(os.walk("/usr/lib/python3", topdown=True))[:10]


@part
def databases():
    import dbm
    import sqlite3

    with sqlite3.connect("/tmp/base") as base:
        base.execute("pragma journal_mode=wal")
        base.execute("create table t (a int)")
        base.executemany("insert into t values (?)", [(number,) for number in range(100)])
        assert base.execute("select sum(a) from t").fetchone() == (4950,)
    with dbm.open("/tmp/dbm", "c") as store:
        store["a"] = "b"


@part
def security():
    import getpass
    import hashlib
    import hmac
    import os
    import secrets
    import ssl
    import uuid

    assert ssl.create_default_context() and ssl.OPENSSL_VERSION
    assert hashlib.sha256(b"x").hexdigest() and hashlib.scrypt(b"x", salt=b"y", n=16, r=8, p=1)
    assert hmac.new(b"k", b"m", "sha512").digest() and secrets.token_bytes(8) and os.urandom(8)
    assert uuid.uuid1() and uuid.uuid4()
    assert getpass.getuser() == "sandbox"


@part
def system():
    import os
    import platform
    import resource
    import sched
    import time

    assert os.cpu_count() and os.getloadavg() and os.uname() and os.sysconf("SC_PAGE_SIZE") and platform.platform()
    assert os.sched_getaffinity(0)
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    os.nice(1)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    os.setpgid(0, 0) if os.getsid(0) != os.getpid() else None
    os.umask(0o077)
    time.sleep(0.001)
    time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID)
    time.thread_time()
    scheduler = sched.scheduler()
    scheduler.enter(0.001, 1, lambda: None)
    scheduler.run()


@part
def data():
    import bz2
    import csv
    import datetime
    import decimal
    import email
    import io
    import json
    import logging.handlers
    import lzma
    import pickle
    import random
    import re
    import statistics
    import xml.etree.ElementTree
    import zlib
    import zoneinfo

    text = b"abc" * 1000
    for module in (bz2, lzma, zlib):
        assert module.decompress(module.compress(text)) == text
    assert pickle.loads(pickle.dumps({"a": [1, 2]})) == {"a": [1, 2]}
    assert json.loads(json.dumps([1, None, "x"])) == [1, None, "x"]
    assert decimal.Decimal(2).sqrt() and statistics.mean([1, 2]) and random.random() < 1
    assert list(csv.reader(io.StringIO("a,b\n"))) == [["a", "b"]]
    assert xml.etree.ElementTree.fromstring("<a/>").tag == "a" and re.sub("a", "b", "a") == "b"
    assert datetime.datetime.now(zoneinfo.ZoneInfo("Europe/Berlin")) and email.message_from_string("a: b\n")
    logging.handlers.RotatingFileHandler("/tmp/log").close()


@part
def interpreters():
    import code
    import compileall
    import cProfile
    import importlib
    import inspect
    import pdb
    import timeit
    import tokenize
    import traceback
    import unittest
    import venv

    assert timeit.timeit("1", number=10) >= 0
    profile = cProfile.Profile()
    assert profile.runcall(square, 2) == 4
    assert inspect.getsource(square) and importlib.import_module("string")
    assert unittest.TestCase and pdb.Pdb and code.InteractiveInterpreter and venv and traceback and tokenize
    compileall.compile_file(__file__, quiet=2)


if __name__ == "__main__":
    for function in PARTS:
        try:
            function()
        except BaseException as error:
            import traceback as lines

            where = lines.extract_tb(error.__traceback__)[-1]
            print(f"{function.__name__}: {error!r} at {where.filename}:{where.lineno}: {where.line}")
    print("end", len(PARTS))
    sys.exit(0)
