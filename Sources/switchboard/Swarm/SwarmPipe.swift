import Dispatch
import Foundation
import HyperDHT
import NIOCore
import Synchronization

/// Standard input and output as the two directions of a connection.
enum SwarmPipe {
    private enum Part: Hashable { case input, output, closure }

    /// Pipes until both ends are done and the peer has acknowledged it.
    ///
    /// - Throws: When the connection ends earlier, also while standard input is open and silent.
    static func run(_ connection: PeerConnection, input: PipeInput) async throws {
        do {
            try await withThrowingTaskGroup(of: Part.self) { group in
                group.addTask {
                    while let bytes = await input.next() { try await connection.write(ByteBuffer(bytes: bytes)) }
                    await connection.finish()
                    return .input
                }
                group.addTask {
                    for try await bytes in connection { try await write(Array(bytes.readableBytesView)) }
                    return .output
                }
                group.addTask {
                    _ = try await connection.waitUntilClosed()
                    return .closure
                }
                defer { group.cancelAll() }
                var open: Set<Part> = [.input, .output, .closure]
                while !open.isEmpty, let part = try await group.next() {
                    open.remove(part)
                    // What has arrived is written before, and the reader's error says more.
                    if open == [.input] { throw SwarmFailure(.streamFailed, "The peer ended the connection.") }
                }
            }
        } catch {
            await connection.destroy()
            throw error
        }
    }

    /// Writes all bytes to standard output.
    ///
    /// - Throws: ``SwarmFailure`` with `cannotWrite`.
    static func write(_ bytes: [UInt8]) async throws {
        let isWritten = await Blocking.run {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                if count <= 0 { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
        if !isWritten { throw SwarmFailure(.cannotWrite, "Standard output is closed.") }
    }
}

/// Standard input in pieces. Nothing is read before it is asked for.
actor PipeInput {
    private static let chunkSize = 65_536

    private(set) var isOver = false

    /// The next bytes; nil at the end of the input and for a cancelled task. One task reads at a time.
    func next() async -> [UInt8]? {
        let read = PendingRead()
        let bytes = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard read.begin(continuation) else { return }
                DispatchQueue.global().async {
                    var bytes = [UInt8](repeating: 0, count: Self.chunkSize)
                    var count = 0
                    repeat { count = Foundation.read(STDIN_FILENO, &bytes, Self.chunkSize) } while count < 0 && errno == EINTR
                    read.end(count > 0 ? Array(bytes[..<count]) : nil)
                }
            }
        } onCancel: {
            // The thread stays in its call until the process ends.
            read.end(nil)
        }
        if bytes == nil, !Task.isCancelled { isOver = true }
        return bytes
    }
}

/// One read, which ends once: with bytes, at the end of the input, or by cancellation.
private final class PendingRead: Sendable {
    private struct State {
        var continuation: CheckedContinuation<[UInt8]?, Never>?
        var isOver = false
    }

    private let state = Mutex(State())

    /// Returns false, and resumes, when the read was cancelled before.
    func begin(_ continuation: CheckedContinuation<[UInt8]?, Never>) -> Bool {
        let isOver = state.withLock { state in
            if !state.isOver { state.continuation = continuation }
            return state.isOver
        }
        if isOver { continuation.resume(returning: nil) }
        return !isOver
    }

    func end(_ bytes: [UInt8]?) {
        let continuation = state.withLock { state in
            state.isOver = true
            return state.continuation.take()
        }
        continuation?.resume(returning: bytes)
    }
}
