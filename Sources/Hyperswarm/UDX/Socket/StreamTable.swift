public import NIOCore

/// The streams of one node, found by their local id, independent of the socket on which a packet arrives.
///
/// Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, sections 1 and 5.
public actor StreamTable: EventLoopConfined {
    public nonisolated let eventLoop: any EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    private var streams: [UInt32: UDXStream] = [:]
    /// Both ends of each relayed stream, by the id that its peer sends to.
    var relays: [UInt32: RelayedStream] = [:]
    /// Streams that wait for the next flush.
    private var touched: [UDXStream] = []
    private var isFlushScheduled = false

    public init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Count of the streams, including ended ones that still answer repeated packets of the peer.
    public var count: Int { streams.count }

    /// Creates a stream that waits for ``UDXStream/connect(remoteID:to:on:)``.
    ///
    /// - Parameter localID: The id that the peer sends to; a random unused one if `nil`.
    /// - Throws: ``UDXError`` with code `identifierInUse`.
    public func makeStream(
        localID: UInt32? = nil, configuration: StreamConfiguration = StreamConfiguration()
    ) throws -> UDXStream {
        var generator = SystemRandomNumberGenerator()
        return try makeStream(localID: localID, configuration: configuration, using: &generator)
    }

    func makeStream(
        localID: UInt32?, configuration: StreamConfiguration, using generator: inout some RandomNumberGenerator
    ) throws -> UDXStream {
        var id = localID ?? UInt32.random(in: .min ... .max, using: &generator)
        while isUsed(id) {
            guard localID == nil else { throw UDXError(.identifierInUse, "A stream with id \(id) exists.") }
            id = id &+ 1
        }
        let stream = UDXStream(localID: id, table: self, configuration: configuration)
        streams[id] = stream
        return stream
    }

    func stream(_ id: UInt32) -> UDXStream? { streams[id] }

    func isUsed(_ id: UInt32) -> Bool { streams[id] != nil || relays[id] != nil }

    func remove(_ id: UInt32) {
        streams[id] = nil
    }

    /// Schedules a flush of the stream, at the end of this turn of the event loop at the latest.
    func touch(_ stream: UDXStream) {
        touched.append(stream)
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        eventLoop.execute {
            self.onEventLoop { table in
                table.isFlushScheduled = false
                table.flush()
            }
        }
    }

    /// Flushes all touched streams.
    func flush() {
        guard !touched.isEmpty else { return }
        let streams = touched
        touched.removeAll(keepingCapacity: true)
        for stream in streams { stream.onEventLoop { $0.flush() } }
    }

    /// Ends all streams of a socket that was closed.
    func abandonStreams(on socket: DatagramSocket) {
        for stream in Array(streams.values) { stream.onEventLoop { $0.abandon(on: socket) } }
    }

    /// Destroys all streams, because the node ends.
    public func destroyAll() {
        for stream in Array(streams.values) { stream.onEventLoop { $0.leave() } }
        relays = [:]
    }
}
