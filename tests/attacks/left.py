"""Attacks on what comes before and after a run: what an earlier one left, and what is handed back."""

from __future__ import annotations

from tests.attacks.attack import Attack, Off

KEPT = Off(init=(("network", "return self._traces() != self._fresh", "return False"),))
"""The network is kept whatever went through it."""
TCP = """
import socket
server = socket.create_server(('127.0.0.1', 7777))
client = socket.create_connection(('127.0.0.1', 7777))
"""
NETWORK = [
    Attack(
        "a port that the run before closed, and that still waits",
        "network of the run before",
        "import socket\ns = socket.socket()\ntry: s.bind(('127.0.0.1', 7777))\nexcept OSError: print('REACHED')",
        KEPT,
        before=TCP + "one, _ = server.accept()\none.close()\nclient.close()",
    ),
    Attack(
        "how much the run before has sent",
        "network of the run before",
        "print('REACHED' if int(open('/proc/net/dev').read().split('lo:')[1].split()[0]) else '')",
        KEPT,
        before="import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.sendto(b'x', ('127.0.0.1', 9))",
    ),
    Attack(
        "a word in the route of the run before",
        "network of the run before",
        "import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.connect(('127.0.0.1', 9))\n"
        "print('REACHED' if 'UdpNoPorts' in open('/proc/net/snmp').read().replace('NoPorts', 'UdpNoPorts') and "
        "int([l for l in open('/proc/net/snmp') if l.startswith('Udp:')][1].split()[2]) else '')",
        KEPT,
        before="import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.sendto(b'x', ('127.0.0.1', 9))",
    ),
]
DAEMON = """
import os, signal, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}: signal.signal(number, signal.SIG_IGN)
        os.execv(sys.executable, [sys.executable, '-c', 'import time; time.sleep(30)', 'deaf'])
    os._exit(0)
os.wait()
time.sleep(0.2)
"""
OWN_PROC = (
    "program",
    '        self._mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)\n        if not',
    "        if not",
)
STAYING = [
    Attack(
        "a daemon that hears no signal",
        "staying",
        "import os\nfor pid in filter(str.isdigit, os.listdir('/proc')):\n"
        " if b'de' + b'af' in open(f'/proc/{pid}/cmdline', 'rb').read(): print('REACHED')",
        Off(
            init=(
                ("reaper", "        unshare(CLONE_NEWPID)\n        _signal.signal(", "        _signal.signal("),
                OWN_PROC,
            ),
            unproved=True,
        ),
        before=DAEMON,
    ),
    Attack(
        "init and all others of the sandbox",
        "staying",
        "import os\nfor pid in filter(str.isdigit, os.listdir('/proc')):\n"
        " if b'/proc/self/fd' in open(f'/proc/{pid}/cmdline', 'rb').read(): print('REACHED')",
        Off(
            init=(
                ("reaper", "        unshare(CLONE_NEWPID)\n        _signal.signal(", "        _signal.signal("),
                OWN_PROC,
            ),
            unproved=True,
        ),
    ),
    Attack(
        "the text of the run before, in its own memory",
        "staying",
        "word = b'nevermore'\nfor line in open('/proc/self/maps'):\n"
        " place, rights, *_ = line.split()\n"
        " if 'r' in rights and '[v' not in line:\n"
        "  first, last = (int(end, 16) for end in place.split('-'))\n"
        "  with open('/proc/self/mem', 'rb') as memory:\n"
        "   memory.seek(first)\n"
        "   for part in memory.read(last - first).split(b'MARK')[1:]:\n"
        "    if part[:9][::-1] == word: print('REACHED')",
        Off(
            init=(
                (
                    "zygote",
                    "        before = waited_for()\n        try:",
                    "        text = os.open('work/main.py', os.O_RDONLY, dir_fd=fds[0])\n"
                    "        kept = os.read(text, 4096)\n        os.close(text)\n"
                    "        ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))\n"
                    "        before = waited_for()\n        try:",
                ),
            )
        ),
        before="# MARKeromreven",
        language="warm python",
    ),
    Attack(
        "descriptors of the zygote",
        "descriptors",
        "import os, stat\nfor fd in range(3, 200):\n"
        " try: kind = os.fstat(fd).st_mode\n except OSError: continue\n"
        " if stat.S_ISSOCK(kind): print('REACHED')",
        Off(init=(("program", "CHANNEL + channel, ALL_FDS, 0)", "ALL_FDS, ALL_FDS, 0)"),)),
        language="warm python",
    ),
    Attack(
        "a child of node that is let go",
        "staying",
        "const fs = require('fs')\nfor (const pid of fs.readdirSync('/proc').filter(name => /^\\d+$/.test(name))) {\n"
        "  if (fs.readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('let' + '-go')) console.log('REACHED')\n}",
        Off(
            init=(
                ("reaper", "        unshare(CLONE_NEWPID)\n        _signal.signal(", "        _signal.signal("),
                OWN_PROC,
            ),
            unproved=True,
        ),
        before="require('child_process').spawn('/bin/sh', ['-c', 'sleep 30; :', 'let-go'],"
        " { detached: true, stdio: 'ignore' }).unref()",
        language="javascript",
    ),
]
ANYTHING = (
    (
        "collect",
        "os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC,\n        0,",
        "os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC,\n        0,",
    ),
    ("collect", "RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,\n", "0,\n"),
    ("collect", "entry.is_file(follow_symlinks=False)", "True"),
    ("collect", "not stat.S_ISREG(status.st_mode)", "False"),
)
"""Links, and all kinds of files."""
HANDED_BACK = [
    Attack(
        "a pipe with a name, handed back as a file",
        "artifacts",
        "mkfifo out.txt",
        Off(init=ANYTHING),
        collect=("out.txt",),
        language="bash",
    ),
    Attack(
        "a device, through a link",
        "artifacts",
        "ln -s /dev/null out.txt",
        Off(init=ANYTHING),
        collect=("out.txt",),
        language="bash",
    ),
    Attack(
        "init's own memory, through a link",
        "artifacts",
        "require('fs').symlinkSync('/proc/self/environ', 'out.txt')",
        Off(init=ANYTHING),
        collect=("out.txt",),
        language="javascript",
    ),
]
HOST = [
    Attack(
        "a socket of the host by its name",
        "host files",
        "import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect('{SOCKET}')\nprint('REACHED')",
        Off(seen=("{SOCKET}",)),
    ),
    Attack(
        "a secret of the host, by a shell",
        "host files",
        "grep -rs REACH.D /var /home /root /opt /srv /run /mnt",
        Off(seen=("{SECRET}",)),
        language="bash",
    ),
    Attack(
        "the name of the machine",
        "prowling",
        "[ $(uname -n) = sandbox ] || echo REACHED",
        Off(outer=(("--hostname", "sandbox"),)),
        language="bash",
    ),
    Attack(
        "the network cards of the machine",
        "prowling",
        "grep -v lo: /proc/net/dev | grep -q : && echo REACHED",
        Off(
            outer=(("--unshare-net",),),
            init=(("network", "        unshare(CLONE_NEWNET)\n        raise_loopback()\n", ""),),
        ),
        language="bash",
    ),
]
ATTACKS = [*NETWORK, *STAYING, *HANDED_BACK, *HOST]
