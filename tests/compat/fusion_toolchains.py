"""The same for languages that an installation may have: its tests of Go (3), Java (7), Rust (5) and TypeScript (6)."""

from __future__ import annotations

from tests.compat.fusion_programs import Program, late

READ = {"stdin": "65535"}


def go(body: str, *imports: str) -> str:
    return "package main\n" + "".join(f'import "{name}"\n' for name in imports) + f"func main() {{ {body} }}"


def java(body: str) -> str:
    main = f"public static void main(String[] arguments) throws Exception {{ {body} }}"
    return f"import java.util.*;\npublic class Main {{ {main} }}"


def rust(body: str) -> str:
    return f"fn main() {{ {body} }}"


RUST_READ = 'let mut s = String::new(); std::io::stdin().read_line(&mut s).unwrap(); println!("{}", s.trim());'
TS_READ = (
    "process.stdin.on('data', (text: Buffer) => { const n: number = parseInt(text.toString()); console.log(n); });"
)

PROGRAMS = [
    Program("go prints", "go", go("fmt.Println(123)", "fmt"), stdout="123"),
    late("go is late", "go", go("time.Sleep(20 * time.Second)", "time"), 0.2),
    Program("go reads stdin", "go", go("var n int; fmt.Scan(&n); fmt.Println(n)", "fmt"), stdout="65535", more=READ),
    Program("java prints", "java", java("System.out.println(123);"), stdout="123"),
    Program("java does not compile", "java", java("System.uto.println(123);"), "Failed", stage="compile"),
    late("java is late", "java", java("Thread.sleep(20_000);"), 1.0),
    Program(
        "java throws", "java", java('throw new AssertionError("no");'), "Failed", stderr="java.lang.AssertionError"
    ),
    Program(
        "java reads stdin",
        "java",
        java("System.out.println(new Scanner(System.in).nextInt());"),
        stdout="65535",
        more=READ,
    ),
    Program("rust prints", "rust", rust('println!("123");'), stdout="123"),
    late("rust is late", "rust", rust("std::thread::sleep(std::time::Duration::from_secs(20));"), 0.1),
    Program("rust asserts", "rust", rust("assert_eq!(1, 2);"), "Failed", stderr="assertion"),
    Program("rust does not compile", "rust", rust('let x: u32 = "a"; println!("{}", x);'), "Failed", stage="compile"),
    Program("rust reads stdin", "rust", rust(RUST_READ), stdout="65535", more=READ),
    Program("typescript prints", "typescript", "console.log(123)", stdout="123"),
    late("typescript is late", "typescript", "setTimeout(() => {}, 20_000)", 0.5),
    Program(
        "typescript asserts",
        "typescript",
        'import assert from "assert";\nassert.strictEqual(1, 2);',
        "Failed",
        stderr="AssertionError",
    ),
    Program("typescript has console.assert", "typescript", "console.assert(1 === 2)", stderr="Assertion failed"),
    Program("typescript reads stdin", "typescript", TS_READ, stdout="65535", more=READ),
]
