"""Attacks by what a compiler reads: the host's files, and more work than anyone would want to do."""

from __future__ import annotations

from tests.attacks.attack import Attack, Off

MIB = 1 << 20
SEEN = Off(seen=("{SECRET}",))
ROOMY = Off(limits={"cpu_seconds": 20.0, "memory_bytes": 2048 * MIB, "disk_bytes": 512 * MIB, "output_bytes": 16 * MIB})
MAIN = '#include <stdio.h>\nint main(void) { puts("REACHED"); }\n'
DOUBLED = "".join(f"#define A{n} A{n - 1} A{n - 1}\n" for n in range(1, 21))
SECRETS = [
    Attack("a secret of the host, included", "compilers: secrets", '#include "{SECRET}"\n', SEEN, language="c"),
    Attack(
        "a secret of the host, assembled",
        "compilers: secrets",
        '__asm__(".data\\nbytes: .incbin \\"{SECRET}\\"\\n.byte 0\\n.text");\n'
        "extern char bytes[];\nint puts(const char *);\n"
        "int main(void) { puts(bytes); }\n",
        SEEN,
        language="c",
    ),
    Attack(
        "whether the host has a file",
        "compilers: secrets",
        f'#if __has_include("{{SECRET}}")\n{MAIN}#endif\n',
        SEEN,
        language="c",
    ),
    Attack(
        "a secret of the host, included as C++",
        "compilers: secrets",
        '#include "/work/../{SECRET}"\n',
        SEEN,
        language="cpp",
    ),
]
BOMBS = [
    Attack(
        "data for a whole disk",
        "compilers: bombs",
        f"{MAIN}char data[64 << 20] = {{1}};\n",
        ROOMY,
        limits={"disk_bytes": 16 * MIB},
        language="c",
    ),
    Attack(
        "the same, by the assembler",
        "compilers: bombs",
        f'{MAIN}__asm__(".data\\n.fill 64 << 20, 1, 1\\n.text");\n',
        ROOMY,
        limits={"disk_bytes": 16 * MIB},
        language="c",
    ),
    Attack(
        "macros that double themselves",
        "compilers: bombs",
        f"{MAIN}#define A0 ;\n{DOUBLED}void more(void) {{ A20 }}\n",
        ROOMY,
        limits={"memory_bytes": 64 * MIB, "cpu_seconds": 0.5},
        language="c",
        long=True,
    ),
    Attack(
        "an assembler's loop",
        "compilers: bombs",
        f'{MAIN}__asm__(".data\\n.rept 600000\\n.long 7, 7, 7, 7\\n.endr\\n.text");\n',
        ROOMY,
        limits={"memory_bytes": 64 * MIB, "cpu_seconds": 0.3},
        language="c",
        long=True,
    ),
    Attack(
        "a constant that takes long to compute",
        "compilers: bombs",
        f"{MAIN}constexpr int steps(int n) {{ int s = 0; for (int i = 0; i < n; i++) s ^= i; return s; }}\n"
        "template<int N> struct Step { static constexpr int value = steps(200000 + N); };\n"
        "constexpr int all = Step<1>::value ^ Step<2>::value ^ Step<3>::value ^ Step<4>::value ^ Step<5>::value\n"
        " ^ Step<6>::value ^ Step<7>::value ^ Step<8>::value;\nint table[(all & 7) + 1];\n",
        ROOMY,
        limits={"cpu_seconds": 0.5},
        language="cpp",
        long=True,
    ),
    Attack(
        "templates that each need two others",
        "compilers: bombs",
        f"{MAIN}template<int N, int M> struct Tree {{ static const int value ="
        " Tree<N - 1, 2 * M>::value + Tree<N - 1, 2 * M + 1>::value; };\n"
        "template<int M> struct Tree<0, M> { static const int value = 1; };\nint total = Tree<14, 0>::value;\n",
        ROOMY,
        limits={"memory_bytes": 64 * MIB, "cpu_seconds": 0.5},
        language="cpp",
        long=True,
    ),
]
ATTACKS = [*SECRETS, *BOMBS]
