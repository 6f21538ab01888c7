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
    /// - Parameter onPeerEnd: Called when the peer has ended its direction, and standard input is still open.
    /// - Throws: When the connection ends earlier, also while standard input is open and silent.
    static func run(_ connection: PeerConnection, input: PipeInput, onPeerEnd: () -> Void) async throws {
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
                    if part == .output, open.contains(.input) { onPeerEnd() }
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

/// Standard input in pieces. Nothing is read before it is requested. One task reads at a time.
///
/// The system's read cannot be cancelled. What it returns after its task was cancelled is kept for the next one.
final class PipeInput: Sendable {
    private static let chunkSize = 65_536

    private struct State {
        var isReading = false
        var isOver = false
        /// Bytes that arrived while no task was waiting for them.
        var kept: [UInt8]?
        var reader: CheckedContinuation<[UInt8]?, Never>?
    }

    private let state = Mutex(State())

    /// True when the input has ended.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// The next bytes; nil at the end of the input and for a cancelled task.
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
