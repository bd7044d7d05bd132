// Goroutines, files, processes, sockets.
package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"sync"
	"time"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	var group sync.WaitGroup
	results := make(chan int, 100)
	for i := 0; i < 100; i++ {
		group.Add(1)
		go func(i int) { defer group.Done(); time.Sleep(time.Millisecond); results <- i }(i)
	}
	group.Wait()
	must(os.WriteFile("/tmp/a", []byte("x"), 0o600))
	_, err := exec.Command("echo", "x").Output()
	must(err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	go func() { client, err := net.Dial("tcp", listener.Addr().String()); must(err); client.Write([]byte("x")) }()
	client, err := listener.Accept()
	must(err)
	text := make([]byte, 1)
	_, err = client.Read(text)
	must(err)
	fmt.Println("ok")
}
