// Threads, files, processes, sockets.
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::mpsc;
use std::{fs, thread};

fn main() {
    let (sender, receiver) = mpsc::channel();
    let threads: Vec<_> = (0..8).map(|i| { let sender = sender.clone(); thread::spawn(move || sender.send(i).unwrap()) }).collect();
    for thread in threads { thread.join().unwrap(); }
    drop(sender);
    assert_eq!(receiver.iter().sum::<i32>(), 28);
    fs::write("/tmp/a", "x").unwrap();
    fs::copy("/tmp/a", "/tmp/b").unwrap();
    assert!(Command::new("echo").arg("x").output().unwrap().status.success());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || TcpStream::connect(address).unwrap().write_all(b"x").unwrap());
    let mut text = [0];
    listener.accept().unwrap().0.read_exact(&mut text).unwrap();
    println!("ok");
}
