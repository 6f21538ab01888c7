import NIOCore
import NIOPosix

/// A TCP connection for tests that send exact bytes.
///
/// `@unchecked Sendable`: used from one task at a time.
package final class RawConnection: @unchecked Sendable {
    /// The peer closed the connection before the expected bytes arrived.
    package struct Ended: Error, CustomStringConvertible {
        package var received: [UInt8]

        package var description: String {
            "ended after \(received.count) bytes: \(String(decoding: received.suffix(200), as: UTF8.self).debugDescription)"
        }
    }

    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private let channel: any Channel
    private var buffer = ByteBuffer()

    private init(
        _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>,
        _ channel: any Channel
    ) {
        self.inbound = inbound.makeAsyncIterator()
        self.outbound = outbound
        self.channel = channel
    }

    /// Connects to a local port and closes the connection when `body` returns or exceeds `limit`.
    package static func open<Value: Sendable>(
        port: Int, host: String = "127.0.0.1", limit: Duration = .seconds(120),
        _ body: @escaping @Sendable (RawConnection) async throws -> Value
    ) async throws -> Value {
        try await within(limit) {
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(host: host, port: port) {
                channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
            return try await channel.executeThenClose { inbound, outbound in
                try await body(RawConnection(inbound, outbound, channel.channel))
            }
        }
    }

    package func send(_ bytes: some Sequence<UInt8>) async throws {
        try await outbound.write(ByteBuffer(bytes: bytes))
    }

    package func send(_ text: String) async throws {
        try await send(text.utf8)
    }

    /// Sends a FIN. Reading remains possible.
    package func finishSending() { outbound.finish() }

    package func read(_ count: Int) async throws -> [UInt8] {
        while true {
            if let bytes = buffer.readBytes(length: count) { return bytes }
            try await fill()
        }
    }

    /// Reads up to and including `end`.
    package func read(through end: String) async throws -> [UInt8] {
        let end = Array(end.utf8)
        while true {
            let view = buffer.readableBytesView
            if let found = view.firstRange(of: end) {
                return buffer.readBytes(length: view.distance(from: view.startIndex, to: found.upperBound))!
            }
            try await fill()
        }
    }

    /// Reads until the peer closes.
    package func readToEnd() async throws -> [UInt8] {
        do {
            while true { try await fill() }
        } catch let ended as Ended {
            return ended.received
        }
    }

    private func fill() async throws {
        let more: ByteBuffer?
        do {
            more = try await inbound.next(isolation: #isolation)
        } catch is IOError {
            // A reset counts as an end.
            more = nil
        }
        guard var more else { throw Ended(received: Array(buffer.readableBytesView)) }
        buffer.discardReadBytes()
        buffer.writeBuffer(&more)
    }
}
