// Threads, locks, clocks, files, exceptions, processes.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>
#include <mutex>
#include <random>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

int main() {
    std::atomic<int> sum{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; i++) threads.emplace_back([&, i] { sum += i; });
    for (auto &thread : threads) thread.join();
    auto later = std::async(std::launch::async, [] { return 14; });
    sum += later.get();

    std::mutex mutex;
    std::condition_variable changed;
    bool ready = false;
    std::thread other([&] { std::lock_guard guard(mutex); ready = true; changed.notify_one(); });
    { std::unique_lock lock(mutex); changed.wait(lock, [&] { return ready; }); }
    other.join();

    std::ofstream("/tmp/a") << "x";
    std::filesystem::copy_file("/tmp/a", "/tmp/b");
    if (std::filesystem::file_size("/tmp/b") != 1) return 1;
    try { std::vector<int>().at(1); } catch (const std::out_of_range &) {}
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (std::random_device{}() == 0 && std::random_device{}() == 0) return 2;
    void *area = mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (fork() == 0) { *static_cast<int *>(area) = 1; _exit(0); }
    int status;
    wait(&status);
    std::cout << sum + *static_cast<int *>(area) << std::endl;
}
