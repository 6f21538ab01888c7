public import CompactEncoding
public import NIOCore

/// A reliable, ordered byte stream over UDP between two peers that know each other's stream id.
///
/// Read it as a sequence: `for try await bytes in stream`. One task reads at a time; any number may write. Reads and writes
/// have no message boundaries. A stream lives until both sides ended it or one destroyed it, so its owner calls
/// ``finish()`` or ``destroy()`` in the end.
///
/// Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 5.
public actor UDXStream: EventLoopConfined {
    public nonisolated let eventLoop: any EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    /// Receives the bytes of one read; `nil` after the peer's END.
    public typealias ReadCompletion = @Sendable (Result<ByteBuffer?, any Error>) -> Void

    /// The id that the peer sends to.
    public nonisolated let localID: UInt32
    /// The peer's address; `nil` before ``connect(remoteID:to:on:)``.
    public private(set) var remote: PeerAddress?
    /// The socket that sends the packets; `nil` before ``connect(remoteID:to:on:)``.
    public private(set) var socket: DatagramSocket?

    private nonisolated let table: StreamTable
    private var state: StreamState
    private var pending: StreamState.Transmit?
    private var isTouched = false

    private var timer: Scheduled<Void>?
    private var timerDeadline: NIODeadline?

    private var isOver = false
    private var reader: ReadCompletion?
    private var writers: [EventLoopWaiter<Void>] = []
    private var messageReader: Waiters<ByteBuffer> = Waiters()
    private var closureWaiters: Waiters<StreamClosure> = Waiters()
    private var lastWaiterID: UInt64 = 0
    private var onClose: (@Sendable (StreamClosure) -> Void)?
    private var onForeignPacket: (@Sendable (PeerAddress, DatagramSocket) -> Bool)?
    /// The last source other than the remote address that was accepted.
    private var acceptedSource: PeerAddress?
    private weak var acceptedSocket: DatagramSocket?

    init(localID: UInt32, table: StreamTable, configuration: StreamConfiguration) {
        eventLoop = table.eventLoop
        self.localID = localID
        self.table = table
        state = StreamState(configuration: configuration)
    }

    // MARK: Connecting

    /// Sets the peer's id and address, sends the bytes written before, and acknowledges the packets received before.
    ///
    /// Does nothing when the stream is connected already or has ended.
    public func connect(remoteID: UInt32, to address: PeerAddress, on socket: DatagramSocket) {
        guard remote == nil, state.closure == nil else { return }
        remote = address
        self.socket = socket
        state.connect(remoteID: remoteID, at: .now())
        touch()
    }

    /// Sends to another address, or on another socket, from now on. Packets in flight are repeated there as needed.
    ///
    /// - Parameter remoteID: The stream id at the new address; unchanged by default. It differs if the old address was a relay's.
    public func changeRemote(to address: PeerAddress, on socket: DatagramSocket, remoteID: UInt32? = nil) {
        guard state.closure == nil, remote != nil, remote != address || self.socket !== socket else { return }
        remote = address
        self.socket = socket
        state.changePath(remoteID: remoteID, at: .now())
        touch()
    }

    /// Sets the handler of packets whose source is not the remote address, or that arrive before there is a remote address.
    ///
    /// The callback runs on the event loop with the packet's source. It may call ``connect(remoteID:to:on:)`` or
    /// ``changeRemote(to:on:remoteID:)``. If it returns false, the packet is dropped. Without a handler all packets are accepted,
    /// and those from before the connection are held.
    public func setForeignPacketHandler(_ handler: (@Sendable (PeerAddress, DatagramSocket) -> Bool)?) {
        onForeignPacket = handler
        acceptedSource = nil
    }

    /// Sets a callback for the end of the stream; it runs on the event loop, at once if the stream is over.
    public func setCloseHandler(_ handler: (@Sendable (StreamClosure) -> Void)?) {
        onClose = handler
        if isOver, let closure = state.closure { handler?(closure) }
    }

    // MARK: State

    /// True once the peer's id and address are known.
    public var isConnected: Bool { remote != nil }
    /// The cause of the end; `nil` while the stream is open.
    public var closure: StreamClosure? { state.closure }
    /// The smoothed round-trip time; `nil` before the first measurement.
    public var roundTripTime: Duration? { state.roundTrip.smoothed.map { .nanoseconds($0.nanoseconds) } }
    /// Count of the written bytes that are not in a packet yet.
    public var unsentByteCount: Int { state.unsentBytes }
    /// Count of the bytes that arrived in order and wait to be read.
    public var readableByteCount: Int { state.readableBytes }
    /// True while packets from before ``changeRemote(to:on:remoteID:)`` are unacknowledged.
    public var isMigrating: Bool { state.isMigrating }

    // MARK: Bytes

    /// Writes bytes; waits while more is unsent than the configuration's high-water mark.
    ///
    /// - Throws: ``UDXError`` when the stream is over or ``finish()`` was called; `CancellationError` when the task is
    ///   cancelled while it waits, although the bytes are sent.
    public nonisolated func write(_ bytes: ByteBuffer) async throws {
        try await EventLoopWaiter<Void>.wait(on: eventLoop) { waiter in
            self.onEventLoop { stream in
                do { try stream.enqueue(bytes) } catch { return waiter.complete(.failure(error)) }
                stream.startWaitingForRoom(waiter)
            }
        }
    }

    /// Completes `waiter` at once within the high-water mark, else when the unsent bytes fall to the low-water mark.
    package func startWaitingForRoom(_ waiter: EventLoopWaiter<Void>) {
        if let closure = state.closure { return waiter.complete(.failure(UDXError(closure))) }
        guard state.unsentBytes > state.configuration.writeHighWaterMark else { return waiter.complete(.success(())) }
        writers.append(waiter)
    }

    /// Writes bytes without waiting, for callers that limit their writes by ``unsentByteCount``.
    ///
    /// - Throws: ``UDXError`` when the stream is over or ``finish()`` was called.
    public func enqueue(_ bytes: ByteBuffer) throws {
        if let closure = state.closure { throw UDXError(closure) }
        guard !state.isFinishing else { throw UDXError(.finished, "The stream was finished on this side.") }
        state.write(bytes)
        touch()
    }

    /// Reads the bytes that arrived; waits for the first. `nil` after the peer's END.
    ///
    /// - Throws: ``UDXError`` when the stream ended otherwise, or with code `alreadyReading` when another task reads;
    ///   `CancellationError` when the task is cancelled while it waits.
    public nonisolated func read() async throws -> ByteBuffer? {
        try await EventLoopWaiter<ByteBuffer?>.wait(on: eventLoop) { waiter in
            self.onEventLoop { stream in
                guard stream.startRead({ waiter.complete($0) }) else { return }
                waiter.setCancelHandler { self.onEventLoop { $0.cancelRead() } }
            }
        }
    }

    /// Reads as ``read()`` does and calls `completion` on the event loop, at once if there is something to read.
    ///
    /// - Returns: True if `completion` is called later.
    @discardableResult
    public func startRead(_ completion: @escaping ReadCompletion) -> Bool {
        if state.readableBytes > 0 {
            completion(.success(takeReadable()))
        } else if state.isReceiveComplete {
            completion(.success(nil))
        } else if let closure = state.closure {
            completion(.failure(UDXError(closure)))
        } else if reader != nil {
            completion(.failure(UDXError(.alreadyReading, "Another task reads the stream.")))
        } else {
            reader = completion
            return true
        }
        return false
    }

    /// Removes the waiting completion without calling it.
    public func cancelRead() { reader = nil }

    private func takeReadable() -> ByteBuffer {
        let bytes = state.read()
        if state.hasControlPackets { touch() }
        return bytes
    }

    /// Ends this side's direction after all written bytes. The other direction stays open.
    public func finish() {
        guard state.closure == nil, !state.isFinishing else { return }
        state.finish()
        touch()
    }

    /// Ends the stream at once and notifies the peer. Bytes written before are sent as far as the window allows.
    public func destroy() {
        if state.closure == nil { send(at: .now()) }
        state.destroy(at: .now())
        flush()
    }

    /// Ends the stream like ``destroy()``, when the node closes.
    func leave() {
        if state.closure == nil { send(at: .now()) }
        state.leave(at: .now())
        flush()
    }

    /// Waits for the end of the stream.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func waitUntilClosed() async throws -> StreamClosure {
        if let closure = state.closure { return closure }
        return try await wait { $0.closureWaiters.add($1, id: $2) }
    }

    // MARK: Messages

    /// Sends an unordered message, once. Returns false if it does not fit into a packet or the stream is not open.
    @discardableResult
    public func sendMessage(_ bytes: ByteBuffer) -> Bool {
        defer { touch() }
        return state.sendMessage(bytes)
    }

    /// Waits for the next unordered message.
    ///
    /// - Throws: ``UDXError`` when the stream is over; `CancellationError` when the task is cancelled.
    public func readMessage() async throws -> ByteBuffer {
        if let message = state.readMessage() { return message }
        if let closure = state.closure { throw UDXError(closure) }
        return try await wait { $0.messageReader.add($1, id: $2) }
    }

    // MARK: Waiting

    private func wait<Value: Sendable>(
        _ add: (isolated UDXStream, CheckedContinuation<Value, any Error>, UInt64) -> Void
    ) async throws -> Value {
        lastWaiterID += 1
        let id = lastWaiterID
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { add(self, $0, id) }
        } onCancel: {
            // Runs after this turn of the event loop, in which the waiter is added.
            eventLoop.execute {
                self.onEventLoop { $0.cancelWaiter(id) }
            }
        }
    }

    private func cancelWaiter(_ id: UInt64) {
        messageReader.cancel(id)
        closureWaiters.cancel(id)
    }

    // MARK: Socket events

    /// Processes datagrams of this stream: each of `segmentSize` bytes, the last may be shorter.
    func receive(_ bytes: UnsafeRawBufferPointer, segmentSize: Int, from source: PeerAddress, on socket: DatagramSocket) {
        if source != remote || socket !== self.socket {
            guard accepts(source, on: socket) else { return }
        }
        let now = NIODeadline.now()
        var offset = 0
        while offset < bytes.count {
            let end = Swift.min(offset + segmentSize, bytes.count)
            state.receive(UnsafeRawBufferPointer(rebasing: bytes[offset..<end]), at: now)
            offset = end
        }
        touch()
    }

    private func accepts(_ source: PeerAddress, on socket: DatagramSocket) -> Bool {
        guard let onForeignPacket else { return true }
        if acceptedSource == source, acceptedSocket === socket { return true }
        guard onForeignPacket(source, socket) else { return false }
        acceptedSource = source
        acceptedSocket = socket
        return true
    }

    /// Schedules a flush at the end of this turn, so that small writes share a packet.
    private func touch() {
        guard !isTouched else { return }
        isTouched = true
        table.onEventLoop { $0.touch(self) }
    }

    /// Delivers received bytes, sends due packets, sets the timer and handles the end.
    func flush() {
        isTouched = false
        let now = NIODeadline.now()
        if deliver(), state.owesOnePlainAcknowledgement, state.closure == nil {
            // A reader on this event loop runs before the next flush, and its answer carries the acknowledgement.
            isTouched = true
            return eventLoop.execute { self.onEventLoop { $0.flush() } }
        }
        send(at: now)
        if !writers.isEmpty, state.unsentBytes <= state.configuration.writeLowWaterMark { completeWriters(.success(())) }
        if let closure = state.closure, !isOver { didClose(closure) }
        if isOver, state.isGone(at: now) {
            timer?.cancel()
            timer = nil
            table.onEventLoop { $0.remove(localID) }
        } else {
            setTimer(at: now)
        }
    }

    /// Completes the waiting readers. Returns true if a reader got bytes.
    private func deliver() -> Bool {
        var hasDelivered = false
        if reader != nil {
            if state.readableBytes > 0 {
                completeReader(.success(state.read()))
                hasDelivered = true
            } else if state.isReceiveComplete {
                completeReader(.success(nil))
            }
        }
        while !messageReader.isEmpty, let message = state.readMessage() { messageReader.succeedFirst(message) }
        return hasDelivered
    }

    private func completeReader(_ result: Result<ByteBuffer?, any Error>) {
        let completion = reader
        reader = nil
        completion?(result)
    }

    private func completeWriters(_ result: Result<Void, any Error>) {
        let waiters = writers
        writers = []
        for waiter in waiters { waiter.complete(result) }
    }

    private func send(at now: NIODeadline) {
        guard let remote, let socket else { return }
        while let transmit = pending ?? state.nextTransmit(at: now) {
            pending = socket.onEventLoop { $0.send(transmit, to: remote, from: self) }
            guard pending == nil else { return }
        }
    }

    private func setTimer(at now: NIODeadline) {
        guard let deadline = state.deadline else { return }
        // A timer that fires too early costs less than setting it anew with each packet.
        if let timerDeadline, timer != nil, timerDeadline <= deadline { return }
        timer?.cancel()
        timerDeadline = deadline
        timer = eventLoop.scheduleTask(deadline: deadline) {
            self.onEventLoop { $0.didFireTimer() }
        }
    }

    private func didFireTimer() {
        timer = nil
        let now = NIODeadline.now()
        if let deadline = state.deadline, deadline <= now { state.handleTimer(at: now) }
        flush()
    }

    private func didClose(_ closure: StreamClosure) {
        isOver = true
        pending = nil
        if closure == .finished {
            completeReader(.success(nil))
        } else {
            completeReader(.failure(UDXError(closure)))
        }
        completeWriters(.failure(UDXError(closure)))
        messageReader.failAll(UDXError(closure))
        closureWaiters.succeedAll(closure)
        let handler = onClose
        onClose = nil
        onForeignPacket = nil
        handler?(closure)
    }

    /// Ends the stream without a packet if it uses `socket`, which was closed.
    func abandon(on socket: DatagramSocket) {
        guard self.socket === socket else { return }
        state.abandon()
        flush()
        self.socket = nil
    }
}

extension UDXStream: AsyncSequence {
    public typealias Element = ByteBuffer

    public struct AsyncIterator: AsyncIteratorProtocol {
        let stream: UDXStream

        /// Returns the next bytes that arrived; `nil` after the peer's END. Throws the errors of ``UDXStream/read()``.
        public mutating func next() async throws -> ByteBuffer? {
            try await stream.read()
        }
    }

    public nonisolated func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: self) }
}
