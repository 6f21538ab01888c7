import Foundation
import WireKit

/// Reads a pipe without blocking a thread.
///
/// Only one task may read.
final class DescriptorReader: Sendable {
    enum Chunk {
        case bytes([UInt8])
        /// ``wake()`` was called.
        case woken
        case end
    }

    private struct State {
        var waiting: CheckedContinuation<Void, Never>?
        /// The watch of the descriptor while the reader waits; nil otherwise.
        var watch: ReadinessWatch.ID?
        var isWoken = false
        /// Maximum bytes still to read after ``finish()``; nil before.
        var remaining: Int?
        var isClosed = false
    }

    private static let chunkLength = 65_536
    /// Maximum bytes to read after ``finish()``: more than the capacity of any pipe.
    private static let maximumRest = 4 * 1_048_576

    private let descriptor: CInt
    private let state = Locked(State())

    /// Takes ownership of the reading end of a pipe.
    init(_ descriptor: CInt) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    deinit { shut() }

    /// Returns the next bytes, or the end of the pipe; after ``finish()``, the end as soon as the pipe is empty.
    func read() async -> Chunk {
        while true {
            let (isWoken, remaining) = state.withLock { state in
                defer { state.isWoken = false }
                return (state.isWoken, state.remaining)
            }
            if isWoken { return .woken }
            if let remaining, remaining <= 0 { return .end }
            var failure: CInt = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunkLength) { buffer, count in
                let length = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
                failure = length < 0 ? errno : 0
                count = max(0, length)
            }
            if !bytes.isEmpty {
                state.withLock { state in
                    if let remaining = state.remaining { state.remaining = remaining - bytes.count }
                }
                return .bytes(bytes)
            }
            switch failure {
            case EINTR: continue
            case EAGAIN:
                if remaining != nil { return .end }
                await readable()
            default: return .end
            }
        }
    }

    /// Makes the next ``read()`` return at once.
    func wake() { resume { $0.isWoken = true } }

    /// Records that the writer has ended: the rest is read without waiting for other processes that hold the pipe.
    func finish() { resume { $0.remaining = $0.remaining ?? Self.maximumRest } }

    /// Closes the pipe. Not while a task reads.
    func shut() {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            close(descriptor)
        }
    }

    private func readable() async {
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                if state.isWoken || state.remaining != nil || state.isClosed { return false }
                state.waiting = continuation
                state.watch = ReadinessWatch.shared.add(descriptor) { [self] in resume { _ in } }
                return true
            }
            if !waits { continuation.resume() }
        }
    }

    private func resume(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            if let watch = state.watch { ReadinessWatch.shared.cancel(watch) }
            state.watch = nil
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }
}
