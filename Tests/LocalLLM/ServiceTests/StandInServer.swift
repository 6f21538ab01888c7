import Foundation
import NIOCore
import NIOPosix
import TestKit
import WireKit

/// A stand-in for a model server, on a real socket: each request is handed to a script, which writes the reply byte by byte and sees when
/// the client closes the connection.
struct StandInServer: Sendable {
    let port: Int
    var address: URL { URL(string: "http://127.0.0.1:\(port)")! }

    /// Runs `body` with a server.
    static func run<Value: Sendable>(
        on host: String = "127.0.0.1", _ script: @escaping @Sendable (StandInRequest) async throws -> Void,
        _ body: @escaping @Sendable (StandInServer) async throws -> Value
    ) async throws -> Value {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: host, port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let accepted = try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                    // A connection that comes while the server ends is handed to nobody, and NIO ends the process where such a channel is
                    // released before it has closed.
                    channel.closeFuture.whenComplete { _ in withExtendedLifetime(accepted) {} }
                    return accepted
                }
            }
        let port = channel.channel.localAddress?.port ?? 0
        return try await within {
            try await withThrowingTaskGroup(of: Value?.self) { group in
                group.addTask {
                    try await channel.executeThenClose { connections in
                        try await withThrowingDiscardingTaskGroup { group in
                            for try await connection in connections {
                                group.addTask { try? await serve(connection, script) }
                            }
                        }
                    }
                    return nil
                }
                group.addTask { try await body(StandInServer(port: port)) }
                defer { group.cancelAll() }
                while let value = try await group.next() { if let value { return value } }
                throw Unexpected()
            }
        }
    }

    private static func serve(
        _ channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>, _ script: @escaping @Sendable (StandInRequest) async throws -> Void
    ) async throws {
        try await channel.executeThenClose { inbound, outbound in
            var iterator = inbound.makeAsyncIterator()
            var bytes = Data()
            // One request for each connection: the reply says that it closes.
            while StandInRequest.end(of: bytes) == nil {
                guard let more = try await iterator.next() else { return }
                bytes += Data(more.readableBytesView)
            }
            let closed = AsyncStream.makeStream(of: Void.self)
            let request = StandInRequest(bytes, outbound, channel.channel, closed.stream)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await script(request) }
                // Nothing follows a request but its end.
                while let more = try? await iterator.next() { _ = more }
                closed.continuation.finish()
                try await group.waitForAll()
            }
        }
    }
}

/// A request to a stand-in, and its reply.
struct StandInRequest: Sendable {
    /// As in `POST /api/chat`.
    let line: String
    let head: String
    let body: Data
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private let channel: any Channel
    private let closed: AsyncStream<Void>

    fileprivate init(
        _ bytes: Data, _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>, _ channel: any Channel, _ closed: AsyncStream<Void>
    ) {
        let end = bytes.firstRange(of: Data("\r\n\r\n".utf8))!
        head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        line = head.split(separator: " ").prefix(2).joined(separator: " ")
        body = bytes[end.upperBound...]
        (self.outbound, self.channel, self.closed) = (outbound, channel, closed)
    }

    /// The index after a request; nil while a part is missing.
    fileprivate static func end(of bytes: Data) -> Int? {
        guard let end = bytes.firstRange(of: Data("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).lowercased()
        let length = head.firstMatch(of: /content-length: (\d+)/).flatMap { Int($0.1) } ?? 0
        return bytes.count >= end.upperBound + length ? end.upperBound + length : nil
    }

    /// Writes a whole reply, and closes the connection.
    func reply(_ body: String, status: Int = 200) async throws {
        try await send("HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
        finish()
    }

    /// Begins a reply that ends with the connection.
    func beginStream() async throws { try await send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n") }

    /// Writes a chunk of a streamed reply.
    func stream(_ text: String) async throws { try await stream(Data(text.utf8)) }

    func stream(_ bytes: Data) async throws {
        try await outbound.write(ByteBuffer(string: String(bytes.count, radix: 16) + "\r\n"))
        try await outbound.write(ByteBuffer(bytes: bytes))
        try await outbound.write(ByteBuffer(string: "\r\n"))
    }

    func endStream() async throws {
        try await send("0\r\n\r\n")
        finish()
    }

    func send(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

    /// Ends the connection, also in the middle of a reply.
    func finish() { channel.close(promise: nil) }

    /// Waits until the client closes the connection.
    func untilClosed() async { for await _ in closed {} }
}

/// An event of a script that a test waits for.
struct Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func send() { continuation.yield() }
    func wait() async throws {
        try await within { for await _ in stream { return } }
    }
}

/// Something else than a test expects has come.
struct Unexpected: Error {}
