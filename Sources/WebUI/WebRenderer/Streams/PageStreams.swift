import Foundation
import NIOCore
import ServerKit
import WireKit

/// The binary streams of one session: their state, the tasks that wait for them, and the frames that are due.
///
/// Frames are read and written off the main actor. Memory is bounded by ``maximumCount`` and ``maximumTotalWindow``, whatever the page sends.
final class PageStreams: Sendable {
    static let maximumCount = 8
    /// Maximum sum of the windows of all streams, in bytes. All streams together hold at most this much in each direction.
    static let maximumTotalWindow = 1_048_576

    /// A connection of the page. Only the latest connection is used.
    struct Connection: Sendable {
        fileprivate let number: Int
        fileprivate let signals: AsyncStream<Void>
    }

    private struct Entry {
        var sender: StreamSender
        var receiver: StreamReceiver
        let window: Int
        var failure: PageError?
        var owesResume = false
        /// Count of changes, so that a task cannot miss a change between its attempt and its wait.
        var version = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private struct Values {
        var entries: [UInt32: Entry] = [:]
        var lastStream: UInt32 = 0
        var lastTicket = 0
        var connectionNumber = 0
        var signal: AsyncStream<Void>.Continuation?
        /// The streams to cancel on the page.
        var cancelled: [UInt32] = []
        /// The stream of the last frame. The search for the next frame starts after it.
        var lastServed: UInt32 = 0
    }
    private static let maximumCancelledCount = 32

    private let values = Locked(Values())

    // MARK: Streams

    /// - Throws: ``PageError/failed`` when there are too many streams already, or `window` is out of range.
    func open(_ delivery: StreamDelivery, window: Int) throws(PageError) -> PageStream {
        let stream = values.withLock { values -> UInt32? in
            let total = values.entries.values.reduce(window) { $0 + $1.window }
            guard StreamWindow.range.contains(window), values.entries.count < Self.maximumCount, total <= Self.maximumTotalWindow
            else {
                return nil
            }
            values.lastStream += 1
            values.entries[values.lastStream] = Entry(
                sender: StreamSender(delivery: delivery, window: window),
                receiver: StreamReceiver(delivery: delivery, window: window),
                window: window)
            return values.lastStream
        }
        guard let stream else { throw .failed }
        return PageStream(id: stream, delivery: delivery, streams: self)
    }

    /// Removes a stream, and cancels it on the page unless both directions are complete.
    func close(_ stream: UInt32) {
        let waiters = values.withLock { values -> [CheckedContinuation<Void, Never>] in
            guard let entry = values.entries.removeValue(forKey: stream) else { return [] }
            let isOver = entry.sender.isComplete && entry.receiver.isComplete
            if !isOver, entry.failure == nil { Self.cancel(stream, &values) }
            return Array(entry.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    private static func cancel(_ stream: UInt32, _ values: inout Values) {
        // Without a connection, the page learns of the cancellation when it resumes the stream.
        guard let signal = values.signal, values.cancelled.count < Self.maximumCancelledCount else { return }
        values.cancelled.append(stream)
        signal.yield()
    }

    func write(_ payload: Data, to stream: UInt32) async throws {
        try await wait(for: stream) { entry in
            guard !entry.sender.hasEnded else { throw PageError.failed }
            return entry.sender.append(payload) ? () : nil
        }
    }

    func end(_ stream: UInt32) async throws {
        try await wait(for: stream) { $0.sender.end() }
    }

    /// Waits until the page has read to the end.
    func drain(_ stream: UInt32) async throws {
        try await wait(for: stream) { $0.sender.isComplete ? () : nil }
    }

    func next(of stream: UInt32) async throws -> StreamChunk? {
        let item = try await wait(for: stream) { entry in entry.receiver.isComplete ? .end : entry.receiver.take() }
        return if case .chunk(let chunk) = item { chunk } else { nil }
    }

    /// Tries `attempt` now and after each change of the stream, until it returns a value.
    ///
    /// - Throws: ``PageError`` when the stream has failed or is closed; what `attempt` throws; `CancellationError`.
    private func wait<Value: Sendable>(
        for stream: UInt32, _ attempt: @Sendable (inout Entry) throws -> Value?
    ) async throws -> Value {
        while true {
            try Task.checkCancellation()
            let (value, version, ticket) = try values.withLock { values -> (Value?, Int, Int) in
                guard var entry = values.entries[stream] else { throw PageError.absent }
                if let failure = entry.failure { throw failure }
                let value = try attempt(&entry)
                values.entries[stream] = entry
                if value != nil { values.signal?.yield() }
                values.lastTicket += 1
                return (value, entry.version, values.lastTicket)
            }
            if let value { return value }
            await change(of: stream, after: version, ticket)
        }
    }

    private func change(of stream: UInt32, after version: Int, _ ticket: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = values.withLock { values in
                    guard !Task.isCancelled, values.entries[stream]?.version == version else { return false }
                    values.entries[stream]?.waiters[ticket] = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            values.withLock { $0.entries[stream]?.waiters.removeValue(forKey: ticket) }?.resume()
        }
    }

    // MARK: Connections

    /// Begins a connection. Nothing is sent on a stream before the page has reported its received items.
    ///
    /// - Parameter isSamePage: True if the page load is the same as before. Another page load ends all streams.
    func connect(isSamePage: Bool) -> Connection {
        if !isSamePage { fail(.absent) }
        return values.withLock { values in
            Self.disconnect(&values)
            let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            values.connectionNumber += 1
            values.signal = signal
            for stream in values.entries.keys {
                values.entries[stream]?.owesResume = true
                values.entries[stream]?.receiver.reconnect()
            }
            signal.yield()
            return Connection(number: values.connectionNumber, signals: signals)
        }
    }

    func disconnect() {
        let waiters = values.withLock { values in
            Self.disconnect(&values)
            // Waiting writers continue: a live stream without a connection discards their chunks.
            return values.entries.keys.flatMap { Self.change($0, &values) }
        }
        for waiter in waiters { waiter.resume() }
    }

    private static func disconnect(_ values: inout Values) {
        values.signal?.finish()
        values.signal = nil
        values.cancelled = []
        for stream in values.entries.keys { values.entries[stream]?.sender.disconnect() }
    }

    /// Ends all streams.
    func fail(_ error: PageError) {
        let waiters = values.withLock { values in values.entries.keys.flatMap { Self.fail($0, error, &values) } }
        for waiter in waiters { waiter.resume() }
    }

    private static func fail(_ stream: UInt32, _ error: PageError, _ values: inout Values) -> [CheckedContinuation<Void, Never>] {
        guard let entry = values.entries[stream], entry.failure == nil else { return [] }
        values.entries[stream]?.failure = error
        // Releases the chunks.
        values.entries[stream]?.sender = StreamSender(delivery: .live, window: entry.window)
        values.entries[stream]?.receiver = StreamReceiver(delivery: .live, window: entry.window)
        return change(stream, &values)
    }

    private static func change(_ stream: UInt32, _ values: inout Values) -> [CheckedContinuation<Void, Never>] {
        values.entries[stream]?.version += 1
        defer { values.entries[stream]?.waiters = [:] }
        return values.entries[stream].map { Array($0.waiters.values) } ?? []
    }

    /// Sends the frames of all streams, as fast as the page takes them, until the connection ends.
    func write(to socket: WebSocketConnection, of connection: Connection) async throws {
        for await _ in connection.signals {
            while let frame = nextFrame(of: connection) { try await socket.send(ByteBuffer(bytes: frame.bytes)) }
        }
    }

    func nextFrame(of connection: Connection) -> StreamFrame? {
        values.withLock { values in
            guard values.connectionNumber == connection.number, values.signal != nil else { return nil }
            if let stream = values.cancelled.popLast() { return StreamFrame(.cancel, stream: stream) }
            // Round robin: a file does not delay sound.
            let streams = values.entries.keys.sorted()
            let first = streams.firstIndex { $0 > values.lastServed } ?? 0
            for stream in streams[first...] + streams[..<first] {
                guard let frame = Self.nextFrame(of: stream, &values) else { continue }
                values.lastServed = stream
                return frame
            }
            return nil
        }
    }

    private static func nextFrame(of stream: UInt32, _ values: inout Values) -> StreamFrame? {
        guard var entry = values.entries[stream], entry.failure == nil else { return nil }
        defer { values.entries[stream] = entry }
        if entry.owesResume {
            entry.owesResume = false
            return StreamFrame(.resume, stream: stream, sequence: entry.receiver.arrivedSequence)
        }
        if let sequence = entry.receiver.acknowledgement() { return StreamFrame(.acknowledge, stream: stream, sequence: sequence) }
        return entry.sender.nextFrame(of: stream)
    }

    /// Handles a binary message of the page. A message that is not a frame is ignored, like an unreadable text.
    func receive(_ message: ByteBuffer, of connection: Connection) {
        if let frame = StreamFrame(Data(message.readableBytesView)) { receive(frame, of: connection) }
    }

    func receive(_ frame: StreamFrame, of connection: Connection) {
        let waiters = values.withLock { values -> [CheckedContinuation<Void, Never>] in
            guard values.connectionNumber == connection.number else { return [] }
            let stream = frame.stream
            guard var entry = values.entries[stream], entry.failure == nil else {
                if frame.kind == .resume { Self.cancel(stream, &values) }
                return []
            }
            let isValid =
                switch frame.kind {
                case .data: entry.receiver.receive(frame.payload, sequence: frame.sequence)
                case .end: entry.receiver.receive(nil, sequence: frame.sequence)
                case .acknowledge: entry.sender.acknowledge(below: frame.sequence)
                case .resume: entry.sender.resume(from: frame.sequence)
                case .cancel: false
                }
            values.entries[stream] = entry
            guard isValid else {
                if frame.kind != .cancel { Self.cancel(stream, &values) }
                return Self.fail(stream, .failed, &values)
            }
            values.signal?.yield()
            return Self.change(stream, &values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Count of open streams.
    var count: Int { values.withLock { $0.entries.count } }
}
