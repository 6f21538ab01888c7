public import AsyncHTTPClient
import Foundation
public import HTTPTypes
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOSSL
public import NetworkingKit

/// HTTP by AsyncHTTPClient: the one for Linux, with back-pressure and trust roots of its own.
public final class AsyncHTTP: HTTPTransport {
    let tls: TLSConfiguration
    private let client: HTTPClient
    private let idleTimeout: TimeAmount

    /// - Parameters:
    ///   - idleTimeout: How long nothing may come.
    ///   - configuration: TLS and the like; redirects are never followed.
    public init(idleTimeout: Duration = .seconds(60), configuration: HTTPClient.Configuration = .init()) {
        var configuration = configuration
        configuration.redirectConfiguration = .disallow
        configuration.timeout.read = TimeAmount(idleTimeout)
        configuration.timeout.connect = .seconds(10)
        // Whoever calls knows better when to try again.
        configuration.connectionPool.retryConnectionEstablishment = false
        // A call that waits for a connection fails once the time to connect is over, however slowly the calls before it are answered.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        tls = (configuration.tlsConfiguration ?? .makeClientConfiguration()).withoutBrokenVersions
        configuration.tlsConfiguration = tls
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.idleTimeout = TimeAmount(idleTimeout)
    }

    // Idle connections are closed; nobody waits for that.
    deinit { client.shutdown { _ in } }

    public func stream(_ request: HTTPRequest, body: HTTPBody) async throws -> HTTPStream {
        guard let address = request.address else { throw TransportError(.address, "the request has no address") }
        var wanted = HTTPClientRequest(url: address.absoluteString)
        wanted.method = NIOHTTP1.HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headerFields { wanted.headers.add(name: field.name.canonicalName, value: field.value) }
        switch body {
        case .none: break
        case .data(let data): wanted.body = .bytes(ByteBuffer(data: data))
        case .file(let file):
            let pieces = try FilePieces(file)
            wanted.body = .stream(pieces, length: .known(pieces.length))
        }
        do {
            let response = try await client.execute(wanted, deadline: .distantFuture)
            var head = HTTPResponse(status: .init(code: Int(response.status.code), reasonPhrase: response.status.reasonPhrase))
            for (name, value) in response.headers {
                if let name = HTTPField.Name(name) { head.headerFields.append(HTTPField(name: name, value: value)) }
            }
            let pieces = response.body
            return HTTPStream(
                head: head,
                body: HTTPBytes {
                    var iterator = pieces.makeAsyncIterator()
                    return {
                        do {
                            return try await iterator.next().map { Data(buffer: $0) }
                        } catch {
                            throw TransportError.from(error)
                        }
                    }
                })
        } catch {
            throw TransportError.from(error)
        }
    }
}

/// A file in pieces of 64 KiB.
private struct FilePieces: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    let file: URL
    let length: Int64

    init(_ file: URL) throws(TransportError) {
        self.file = file
        guard let size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize else {
            throw TransportError(.address, "\(file.lastPathComponent) cannot be read")
        }
        length = Int64(size)
    }

    func makeAsyncIterator() -> Iterator { Iterator(handle: try? FileHandle(forReadingFrom: file)) }

    struct Iterator: AsyncIteratorProtocol {
        let handle: FileHandle?
        func next() async throws -> ByteBuffer? {
            guard let handle else { throw TransportError(.ended, "the file is gone") }
            return try handle.read(upToCount: 65_536).flatMap { $0.isEmpty ? nil : ByteBuffer(data: $0) }
        }
    }
}
