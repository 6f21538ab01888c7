public import CompactEncoding
public import CryptoPrimitives
import NIOConcurrencyHelpers
public import NIOCore
import Noise
import SecretStream
public import UDX

/// An encrypted, ordered byte stream to one peer.
///
/// Read it as a sequence: `for try await bytes in connection`. One task reads at a time; any number may write. A write travels as one
/// frame up to 8 MiB, but treat the connection as a stream of bytes. ``finish()`` ends this side's direction and leaves the other open;
/// ``destroy()`` ends both at once. A slow reader stops the peer, and a slow peer suspends ``write(_:)``.
///
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 6.
public actor PeerConnection: EventLoopConfined {
    public nonisolated let eventLoop: any EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    /// The authenticated public key of the peer.
    public nonisolated let remotePublicKey: PublicKey
    /// True on the side that dialled.
    public nonisolated let isInitiator: Bool
    /// The hash of the handshake, 64 bytes: equal on both sides and unique for this connection.
    public nonisolated let handshakeHash: [UInt8]

    /// The blind relay over which the connection was made; `nil` for a connection between the two networks.
    public nonisolated let relay: PublicKey?

    private nonisolated let stream: UDXStream
    private var encryption: EncryptedStream
    private var messages: UnorderedMessages
    private let keepAliveInterval: TimeAmount
    private var keepAliveTimer: Scheduled<Void>?
    private var onKeepAlive: (@Sendable () -> Void)?
    private var lastWrite: NIODeadline
    /// True after ``finish()``.
    public private(set) var hasFinished = false
    private var received: [[UInt8]] = []
    private var hasReceivedEnd = false
    /// True while the connection's packets go through the relay.
    private var usesRelay: Bool
    private var leaveHandler: (@Sendable () -> Void)?
    /// The failure of the relay; nil while it carries packets.
    private var relayError: ConnectError?
    /// True once data other than keep-alives was written.
    public private(set) var hasSentData = false
    /// True once data other than keep-alives arrived.
    public private(set) var hasReceivedData = false
    private var closeHandlers: [@Sendable (StreamClosure) -> Void] = []

    /// The bytes that tasks have passed to the event loop without waiting for it.
    private struct Handover {
        /// Count of the bytes that the event loop has not taken yet.
        var waitingCount = 0
        /// ``unsentByteCount`` when the event loop last took bytes.
        var unsentCount = 0
        /// False after ``finish()`` and after the end: the event loop then takes each write and reports its error.
        var isOpen = true
    }

    private nonisolated let handover = NIOLockedValueBox(Handover())
    /// Maximum unsent bytes with which a write does not wait for the event loop.
    private nonisolated let handoverLimit: Int

    init(
        stream: UDXStream, handshake: NoiseHandshake.Result, maximumFrameSize: Int, keepAliveInterval: Duration,
        writeHighWaterMark: Int, relay: PublicKey? = nil
    ) {
        eventLoop = stream.eventLoop
        handoverLimit = Swift.min(writeHighWaterMark, 65_536)
        self.stream = stream
        remotePublicKey = handshake.remotePublicKey
        isInitiator = handshake.role == .initiator
        handshakeHash = handshake.hash
        self.relay = relay
        usesRelay = relay != nil
        encryption = EncryptedStream(handshake, maximumFrameSize: maximumFrameSize)
        messages = UnorderedMessages(handshake)
        self.keepAliveInterval = .nanoseconds(keepAliveInterval.wholeNanoseconds)
        lastWrite = .now()
    }

    // MARK: Opening

    /// Sends this side's header and waits for the peer's.
    ///
    /// - Throws: ``ConnectError`` with `streamTimedOut` or `streamFailed`; `CancellationError` for a cancelled task.
    func open() async throws {
        stream.onEventLoop { stream in
            stream.setCloseHandler { [weak self] closure in self?.onEventLoop { $0.didClose(closure) } }
        }
        do {
            try enqueue(encryption.openingFrame)
            scheduleKeepAlive()
            while !encryption.hasReceivedHeader {
                guard let bytes = try await stream.read() else { throw ConnectError(.streamFailed, "the peer ended the stream") }
                try take(bytes)
            }
        } catch let error as UDXError {
            throw relayed(error) as? ConnectError
                ?? ConnectError(error.code == .timedOut ? .streamTimedOut : .streamFailed, error.detail)
        } catch let error as SecretStreamError {
            throw ConnectError(.streamFailed, error.description)
        }
    }

    /// Ends the connection, if its packets go through the relay that failed.
    func relayEnded(_ error: ConnectError) {
        guard usesRelay, closure == nil else { return }
        relayError = error
        destroy()
    }

    /// Records that packets go straight to the peer from now on.
    func leaveRelay() {
        guard usesRelay else { return }
        usesRelay = false
        leaveHandler?()
        leaveHandler = nil
    }

    /// Sets a callback for the move of the stream from the blind relay to another path. It runs on the event loop, at once if no
    /// relay is in use.
    public func onLeaveRelay(_ handler: @escaping @Sendable () -> Void) {
        if usesRelay { leaveHandler = handler } else { handler() }
    }

    /// Replaces the error of a stream that runs through a relay by the relay's own error.
    private func relayed(_ error: any Error) -> any Error {
        guard usesRelay, let streamError = error as? UDXError else { return error }
        if let relayError { return relayError }
        return streamError.code == .timedOut ? ConnectError(.relayTimedOut, "the relay or the peer stopped answering") : error
    }

    private func didClose(_ closure: StreamClosure) {
        handover.withLockedValue { $0.isOpen = false }
        keepAliveTimer?.cancel()
        keepAliveTimer = nil
        leaveHandler = nil
        let handlers = closeHandlers
        closeHandlers = []
        for handler in handlers { handler(closure) }
    }

    // MARK: Facts

    /// The peer's current address; nil until the stream is connected.
    public var remoteAddress: PeerAddress? { stream.onEventLoop { $0.remote } }
    /// The smoothed round-trip time; `nil` before the first measurement.
    public var roundTripTime: Duration? { stream.onEventLoop { $0.roundTripTime } }
    /// Count of the encrypted bytes that arrived in order and wait to be read.
    public var unreadByteCount: Int { stream.onEventLoop { $0.readableByteCount } }
    /// Count of the encrypted bytes that were written and are not in a packet yet.
    public var unsentByteCount: Int { stream.onEventLoop { $0.unsentByteCount } }
    /// The cause of the end; `nil` while the connection is open.
    public var closure: StreamClosure? { stream.onEventLoop { $0.closure } }

    /// Adds a callback for the end of the connection. It runs on the event loop, at once if the connection is over.
    public func onClose(_ handler: @escaping @Sendable (StreamClosure) -> Void) {
        if let closure { handler(closure) } else { closeHandlers.append(handler) }
    }

    /// Waits for the end of the connection.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func waitUntilClosed() async throws -> StreamClosure {
        try await stream.waitUntilClosed()
    }

    // MARK: Writing

    /// Writes bytes; waits while too much is unsent.
    ///
    /// An empty write does nothing. Writes of several tasks are not interleaved. A small write does not wait for the event loop,
    /// which would cost two changes of thread: if the connection ends meanwhile, the next call throws.
    /// - Throws: `UDXError` when the connection is over or ``finish()`` was called, ``ConnectError`` when the relay failed;
    ///   `CancellationError` when the task is cancelled while it waits, although the bytes are sent.
    public nonisolated func write(_ bytes: ByteBuffer) async throws {
        guard bytes.readableBytes > 0, !handOver(bytes) else { return }
        do {
            try await EventLoopWaiter<Void>.wait(on: eventLoop) { waiter in
                self.onEventLoop { connection in
                    do { try connection.send(bytes) } catch { return waiter.complete(.failure(error)) }
                    connection.stream.onEventLoop { $0.startWaitingForRoom(waiter) }
                }
            }
        } catch { throw await relayed(error) }
    }

    /// Passes bytes to the event loop without waiting for it. False on the event loop, after the end, or if too much is unsent.
    private nonisolated func handOver(_ bytes: ByteBuffer) -> Bool {
        let count = bytes.readableBytes
        guard !eventLoop.inEventLoop else { return false }
        let isTaken = handover.withLockedValue { handover in
            guard handover.isOpen, handover.waitingCount + handover.unsentCount + count <= handoverLimit else { return false }
            handover.waitingCount += count
            return true
        }
        guard isTaken else { return false }
        eventLoop.execute {
            self.onEventLoop { connection in
                connection.handover.withLockedValue { $0.waitingCount -= count }
                // Fails if the connection has ended meanwhile: the next call then throws.
                try? connection.send(bytes)
            }
        }
        return true
    }

    private func send(_ bytes: ByteBuffer) throws {
        hasSentData = true
        try enqueue(bytes.withUnsafeReadableBytes { encryption.encrypt($0) })
        let unsentCount = unsentByteCount
        handover.withLockedValue { $0.unsentCount = unsentCount }
    }

    /// Writes an empty message, which the peer acknowledges and drops: keeps address mappings alive and detects a lost peer.
    public func sendKeepAlive() {
        guard !hasFinished, closure == nil else { return }
        // A stream that ended meanwhile needs no keep-alive.
        try? enqueue(encryption.keepAlive())
    }

    /// Sets a callback that runs on the event loop after each keep-alive that the idle time caused. For tests.
    func setKeepAliveHandler(_ handler: @escaping @Sendable () -> Void) {
        onKeepAlive = handler
    }

    private func enqueue(_ frame: [UInt8]) throws {
        lastWrite = .now()
        try stream.onEventLoop { try $0.enqueue(ByteBuffer(bytes: frame)) }
    }

    private func scheduleKeepAlive() {
        guard keepAliveInterval > .zero, !hasFinished, closure == nil else { return }
        keepAliveTimer?.cancel()
        keepAliveTimer = eventLoop.scheduleTask(deadline: lastWrite + keepAliveInterval) { [weak self] in
            self?.onEventLoop { connection in
                if connection.lastWrite + connection.keepAliveInterval <= .now() {
                    connection.sendKeepAlive()
                    connection.onKeepAlive?()
                }
                connection.scheduleKeepAlive()
            }
        }
    }

    /// Ends this side's direction after all written bytes.
    public func finish() {
        guard !hasFinished else { return }
        hasFinished = true
        handover.withLockedValue { $0.isOpen = false }
        keepAliveTimer?.cancel()
        keepAliveTimer = nil
        stream.onEventLoop { $0.finish() }
    }

    /// Ends the connection at once and notifies the peer.
    public func destroy() {
        stream.onEventLoop { $0.destroy() }
    }

    /// Requests ``finish()`` without waiting for the event loop: a write after this call throws.
    public nonisolated func requestFinish() {
        request { $0.finish() }
    }

    /// Requests ``destroy()`` without waiting for the event loop: a write after this call throws.
    public nonisolated func requestDestroy() {
        request { $0.destroy() }
    }

    private nonisolated func request(_ end: @escaping @Sendable (isolated PeerConnection) -> Void) {
        // A later write goes to the event loop and waits there, behind this end.
        handover.withLockedValue { $0.isOpen = false }
        eventLoop.execute { self.onEventLoop(end) }
    }

    // MARK: Unordered messages

    /// Sends one datagram beside the stream, encrypted: it may be lost, repeated or overtaken.
    ///
    /// - Returns: False for a message that does not fit into a packet, and on a connection that is over.
    @discardableResult
    public func sendUnordered(_ bytes: ByteBuffer) -> Bool {
        let message = messages.encrypt(Array(bytes.readableBytesView))
        return stream.onEventLoop { $0.sendMessage(ByteBuffer(bytes: message)) }
    }

    /// Waits for the next unordered message. Messages that the peer did not encrypt, and empty messages, are dropped.
    ///
    /// - Throws: `UDXError` when the connection is over; `CancellationError` when the task is cancelled.
    public func readUnordered() async throws -> ByteBuffer {
        while true {
            let message = try await stream.readMessage()
            guard let bytes = messages.decrypt(Array(message.readableBytesView)), !bytes.isEmpty else { continue }
            return ByteBuffer(bytes: bytes)
        }
    }

    // MARK: Reading

    /// Reads all received bytes; waits for the first ones. `nil` after the peer's end.
    ///
    /// - Throws: `UDXError` when the connection ended otherwise, or with code `alreadyReading` when another task reads;
    ///   ``ConnectError`` when the relay failed; `SecretStreamError` for bytes that the peer did not encrypt, after which the
    ///   connection is destroyed; `CancellationError`.
    public nonisolated func read() async throws -> ByteBuffer? {
        do {
            return try await EventLoopWaiter<ByteBuffer?>.wait(on: eventLoop) { waiter in self.onEventLoop { $0.startRead(waiter) }
            }
        } catch { throw await relayed(error) }
    }

    private func startRead(_ waiter: EventLoopWaiter<ByteBuffer?>) {
        if let bytes = takeReceived() { return waiter.complete(.success(bytes)) }
        if hasReceivedEnd { return waiter.complete(.success(nil)) }
        let stream = stream
        let isWaiting = stream.onEventLoop { stream in
            stream.startRead { result in self.onEventLoop { $0.didRead(result, for: waiter) } }
        }
        if isWaiting { waiter.setCancelHandler { stream.onEventLoop { $0.cancelRead() } } }
    }

    private func didRead(_ result: Result<ByteBuffer?, any Error>, for waiter: EventLoopWaiter<ByteBuffer?>) {
        do {
            if let bytes = try result.get() {
                try take(bytes)
            } else {
                hasReceivedEnd = true
                try finishReceiving()
            }
        } catch { return waiter.complete(.failure(error)) }
        // A partial frame and a keep-alive contain no bytes for the reader: read on.
        startRead(waiter)
    }

    private func finishReceiving() throws {
        do {
            try encryption.finish()
        } catch {
            destroy()
            throw error
        }
    }

    private func takeReceived() -> ByteBuffer? {
        guard !received.isEmpty else { return nil }
        defer { received.removeAll(keepingCapacity: true) }
        if received.count == 1 { return ByteBuffer(bytes: received[0]) }
        var bytes = ByteBuffer()
        bytes.reserveCapacity(received.reduce(0) { $0 + $1.count })
        for message in received { bytes.writeBytes(message) }
        return bytes
    }

    /// Reads the next frame, for protocols whose messages are frames; `nil` after the peer's end. Do not mix with ``read()``.
    func readFrame() async throws -> [UInt8]? {
        while received.isEmpty {
            guard let bytes = try await stream.read() else { return nil }
            try take(bytes)
        }
        return received.removeFirst()
    }

    /// The socket that sends the packets.
    var socket: DatagramSocket? { stream.onEventLoop { $0.socket } }

    private func take(_ bytes: ByteBuffer) throws {
        do {
            let messages = try bytes.withUnsafeReadableBytes { try encryption.receive($0) }
            if !messages.isEmpty { hasReceivedData = true }
            received += messages
        } catch {
            destroy()
            throw error
        }
    }
}

extension PeerConnection: AsyncSequence {
    public typealias Element = ByteBuffer

    public struct AsyncIterator: AsyncIteratorProtocol {
        let connection: PeerConnection

        /// Returns the next bytes that arrived; `nil` after the peer's end. Throws the errors of ``PeerConnection/read()``.
        public mutating func next() async throws -> ByteBuffer? {
            try await connection.read()
        }
    }

    public nonisolated func makeAsyncIterator() -> AsyncIterator { AsyncIterator(connection: self) }
}
