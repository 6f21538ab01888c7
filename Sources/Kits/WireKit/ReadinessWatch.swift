import Foundation

/// A watcher that reports when pipes and sockets become readable. One thread watches all of them.
///
/// Not dispatch sources: if some are created while others are cancelled, libdispatch on Linux uses memory that it has freed, and
/// the program crashes (swift-corelibs-libdispatch, issue 949).
package final class ReadinessWatch: Sendable {
    package struct ID: Hashable, Sendable { fileprivate let number: Int }

    private struct Entry {
        let descriptor: CInt
        let body: @Sendable () -> Void
    }

    private struct State {
        var entries: [ID: Entry] = [:]
        var lastNumber = 0
        /// True if a byte is in the pipe that ends the thread's wait.
        var isWoken = false
    }

    package static let shared = ReadinessWatch()

    private let state = Locked(State())
    /// A pipe that the thread also waits for: a byte in it means that ``State/entries`` changed.
    private let wakeReader: CInt
    private let wakeWriter: CInt

    private init() {
        var ends: [CInt] = [-1, -1]
        // Without a pipe, the thread polls for changes every 50 ms.
        if pipe(&ends) != 0 { ends = [-1, -1] }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
        }
        (wakeReader, wakeWriter) = (ends[0], ends[1])
        let thread = Thread { [self] in run() }
        thread.name = "readiness"
        thread.start()
    }

    /// Calls `body` once, on the watching thread, when `descriptor` can be read without blocking: there are bytes, an end, or an error.
    ///
    /// The caller keeps the descriptor open until then, or until ``cancel(_:)``. `body` must not block.
    package func add(_ descriptor: CInt, _ body: @escaping @Sendable () -> Void) -> ID {
        state.withLock { state in
            state.lastNumber += 1
            let id = ID(number: state.lastNumber)
            state.entries[id] = Entry(descriptor: descriptor, body: body)
            wake(&state)
            return id
        }
    }

    /// Ends a watch. Its body may still run if the descriptor has just become readable; the descriptor may be closed.
    package func cancel(_ id: ID) {
        state.withLock { state in
            // The kernel keeps the descriptor open while the thread waits for it.
            if state.entries.removeValue(forKey: id) != nil { wake(&state) }
        }
    }

    private func wake(_ state: inout State) {
        guard !state.isWoken else { return }
        state.isWoken = true
        var byte: UInt8 = 0
        _ = write(wakeWriter, &byte, 1)
    }

    private func run() {
        while true {
            let entries = state.withLock { state in
                var byte: UInt8 = 0
                if state.isWoken { _ = read(wakeReader, &byte, 1) }
                state.isWoken = false
                return state.entries.map { (id: $0, descriptor: $1.descriptor) }
            }
            var polled = [pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0)]
            for entry in entries { polled.append(pollfd(fd: entry.descriptor, events: Int16(POLLIN), revents: 0)) }
            guard poll(&polled, numericCast(polled.count), wakeReader < 0 ? 50 : -1) > 0 else { continue }
            for (entry, result) in zip(entries, polled.dropFirst()) where result.revents != 0 {
                state.withLock { $0.entries.removeValue(forKey: entry.id) }?.body()
            }
        }
    }
}
