import Dispatch
import Foundation
import HyperDHT
import NIOCore
import UDX
import WireKit

/// Standard input and output as the two directions of a connection.
enum SwarmPipe {
    private enum Part: Hashable { case input, output, closure }

    /// Pipes until both directions have ended and the peer has acknowledged the end.
    ///
    /// - Parameter onPeerEnd: Called when the peer has ended its direction, and standard input is still open.
    /// - Throws: An error if the connection ends earlier, also while standard input is open and silent.
    static func run(_ connection: PeerConnection, input: PipeInput, onPeerEnd: () -> Void) async throws {
        do {
            try await onEventLoop(of: connection) { try await pipe(connection, input: input, onPeerEnd: onPeerEnd) }
        } catch {
            await connection.destroy()
            throw error
        }
    }

    /// Runs tasks on the event loop of a connection, so that reading and writing cross no thread.
    static func onEventLoop(of connection: PeerConnection, _ body: () async throws -> Void) async rethrows {
        guard #available(macOS 15, *) else { return try await body() }
        try await withTaskExecutorPreference(EventLoopTaskExecutor(connection.eventLoop), operation: body)
    }

    private static func pipe(_ connection: PeerConnection, input: PipeInput, onPeerEnd: () -> Void) async throws {
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
                if part == .output, open.contains(.input) { onPeerEnd() }
                // Last: the bytes that have arrived are written first, and an error of the reader says more.
                if open == [.input] { throw SwarmFailure(.streamFailed, "The peer ended the connection.") }
            }
        }
    }

    /// Writes all bytes to standard output.
    ///
    /// - Throws: ``SwarmFailure`` with `cannotWrite`.
    static func write(_ bytes: [UInt8]) async throws {
        // A small write that a pipe takes at once needs no other thread.
        let isQuick = bytes.count <= quickSize && isWritable
        let isWritten = isQuick ? writeNow(bytes) : await Blocking.run { writeNow(bytes) }
        if !isWritten { throw SwarmFailure(.cannotWrite, "Standard output is closed.") }
    }

    /// Maximum size of a write, in bytes, that every system's pipes take as a whole if they have any room: `_POSIX_PIPE_BUF`.
    private static let quickSize = 512

    private static var isWritable: Bool {
        var descriptor = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        return poll(&descriptor, 1, 0) == 1 && descriptor.revents & Int16(POLLOUT) != 0
    }

    /// Returns false if standard output is closed.
    private static func writeNow(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// Standard input in pieces. Nothing is read before it is requested. One task reads at a time.
///
/// The system's read cannot be cancelled. Bytes that arrive after the cancellation of their task are kept for the next task.
final class PipeInput: Sendable {
    private static let chunkSize = 65_536

    private struct State {
        var isReading = false
        var isOver = false
        /// Bytes that arrived while no task was waiting for them.
        var kept: [UInt8]?
        var reader: CheckedContinuation<[UInt8]?, Never>?
    }

    private let state = Locked(State())

    /// True when the input has ended.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Returns the next bytes; nil at the end of the input and for a cancelled task.
    func next() async -> [UInt8]? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { begin($0) }
        } onCancel: {
            state.withLock { $0.reader.take() }?.resume(returning: nil)
        }
    }

    private func begin(_ continuation: CheckedContinuation<[UInt8]?, Never>) {
        let isWaiting = state.withLock { state in
            // Under the lock: a later cancellation finds the reader.
            guard state.kept == nil, !state.isOver, !Task.isCancelled else { return false }
            state.reader = continuation
            if !state.isReading { DispatchQueue.global().async { self.read() } }
            state.isReading = true
            return true
        }
        if !isWaiting { continuation.resume(returning: state.withLock { Task.isCancelled ? nil : $0.kept.take() }) }
    }

    /// Blocks its thread until there is input.
    private func read() {
        var bytes = [UInt8](repeating: 0, count: Self.chunkSize)
        var count = 0
        repeat { count = Foundation.read(STDIN_FILENO, &bytes, Self.chunkSize) } while count < 0 && errno == EINTR
        let result = count > 0 ? Array(bytes[..<count]) : nil
        let reader = state.withLock { state in
            state.isReading = false
            state.isOver = result == nil
            if state.reader == nil { state.kept = result }
            return state.reader.take()
        }
        reader?.resume(returning: result)
    }
}
