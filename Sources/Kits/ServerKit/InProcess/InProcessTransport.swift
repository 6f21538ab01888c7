import AsyncAlgorithms
package import Foundation
package import HTTPTypes
import Hummingbird
package import Logging
import NIOCore
import NIOFoundationCompat
package import NetworkingKit

/// A transport to the services of this process, by the same routes as over a port.
///
/// Browser phones reach their own box through this transport; end-to-end tests use it as well.
package struct InProcessTransport: HTTPTransport, SocketTransport {
    private let responder: BoxResponder
    /// The client address that rate limits use.
    private var client: @Sendable () -> String = { ServerContext.thisProcess }

    /// The base address of requests; each service is below its name.
    package static let address = URL(string: "http://localhost/")!

    package init(services: [ServiceParts], metrics: MetricsRegistry = MetricsRegistry(), logger: Logger) {
        responder = BoxResponder(
            services: services, isAlone: false, front: nil, hostCheck: HostCheck(names: []), metrics: metrics, logger: logger)
    }

    /// Returns a transport to the same services for another client.
    ///
    /// - Parameter address: Returns the client address that rate limits use; evaluated at each call.
    package func calling(from address: @escaping @Sendable () -> String) -> InProcessTransport {
        var transport = self
        transport.client = address
        return transport
    }

    package func stream(_ request: HTTPRequest, body: HTTPBody) async throws -> HTTPStream {
        try Task.checkCancellation()
        let carried: RequestBody =
            switch body {
            case .none: RequestBody(buffer: ByteBuffer())
            case .data(let data): RequestBody(buffer: ByteBuffer(data: data))
            case .file(let file): RequestBody(buffer: ByteBuffer(data: try Self.content(of: file)))
            }
        let response = await responder.respond(to: Request(head: request, body: carried), from: client(), slot: nil)
        try Task.checkCancellation()
        let pieces = AsyncThrowingChannel<Data, any Error>()
        let writing = OwnedTask {
            do {
                try await response.body.write(PieceWriter(pieces: pieces))
                pieces.finish()
            } catch {
                pieces.fail(TransportError(.ended, "the reply broke off: \(error)"))
            }
        }
        return HTTPStream(
            head: response.head,
            body: HTTPBytes {
                var iterator = pieces.makeAsyncIterator()
                return {
                    let piece = try await iterator.next()
                    if piece == nil { try Task.checkCancellation() }
                    withExtendedLifetime(writing) {}
                    return piece
                }
            })
    }

    private static func content(of file: URL) throws(TransportError) -> Data {
        do {
            return try Data(contentsOf: file, options: .mappedIfSafe)
        } catch {
            throw TransportError(.address, "\(file.lastPathComponent) cannot be read: \(error.localizedDescription)")
        }
    }

    package func connect(_ request: HTTPRequest, maximumMessageSize: Int) async throws -> any SocketConnection {
        let slot = WebSocketSlot()
        let asked = Request(head: request, body: RequestBody(buffer: ByteBuffer()))
        let response = await responder.respond(to: asked, from: client(), slot: slot)
        try Task.checkCancellation()
        guard let upgrade = slot.upgrade, response.status == .switchingProtocols else {
            let body = Collected()
            // A refusal whose body breaks off is still a refusal.
            try? await response.body.write(body)
            throw TransportError(
                .refused, "answered \(response.status.code)", reply: HTTPReply(head: response.head, body: body.data))
        }
        return InProcessSocket(upgrade, maximumMessageSize: maximumMessageSize)
    }
}

/// A task that is cancelled when its last reference is released.
private final class OwnedTask: Sendable {
    private let task: Task<Void, Never>
    init(_ work: @escaping @Sendable () async -> Void) { task = Task { await work() } }
    deinit { task.cancel() }
}

private struct PieceWriter: ResponseBodyWriter {
    let pieces: AsyncThrowingChannel<Data, any Error>
    mutating func write(_ buffer: ByteBuffer) async throws {
        try Task.checkCancellation()
        await pieces.send(Data(buffer: buffer))
    }
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

private final class Collected: ResponseBodyWriter {
    private(set) var data = Data()
    func write(_ buffer: ByteBuffer) async throws { data += Data(buffer: buffer) }
    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
