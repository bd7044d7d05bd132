import java.net.*;
import java.nio.file.*;
import java.util.concurrent.*;

/** Threads, processes, files, sockets. */
public class Main {
    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        Future<Integer> later = pool.submit(() -> 42);
        if (later.get() != 42) throw new AssertionError();
        pool.shutdown();
        Path path = Files.createTempFile("a", "b");
        Files.writeString(path, "x");
        if (!Files.readString(path).equals("x")) throw new AssertionError();
        Process process = new ProcessBuilder("echo", "x").start();
        if (process.waitFor() != 0) throw new AssertionError();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
            client.getOutputStream().write(1);
            if (server.accept().getInputStream().read() != 1) throw new AssertionError();
        }
        System.out.println("ok");
    }
}
