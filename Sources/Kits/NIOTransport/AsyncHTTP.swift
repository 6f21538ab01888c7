package import AsyncHTTPClient
import Foundation
package import HTTPTypes
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOSSL
package import NetworkingKit

/// An HTTP transport by AsyncHTTPClient, for Linux. Supports back-pressure and custom trust roots.
package final class AsyncHTTP: HTTPTransport {
    let tls: TLSConfiguration
    private let client: HTTPClient
    private let idleTimeout: TimeAmount
    private let pin: PinnedCertificate?
    private let socket: String?

    /// - Parameters:
    ///   - pin: The only certificate to accept. Calls are to `https` addresses then, and over HTTP/1.1.
    ///   - socket: The path of a Unix socket to which every request is sent, at an `http` address; nil for the network.
    ///   - idleTimeout: Maximum time without data from the server.
    ///   - connectTimeout: Maximum time until a connection is open, including TLS.
    ///   - connectionsPerHost: Maximum HTTP/1.1 connections to one host. HTTP/2, which is negotiated over TLS, needs only one.
    ///   - configuration: TLS and other settings; redirects are never followed.
    package init(
        pinning pin: PinnedCertificate? = nil, socket: String? = nil, idleTimeout: Duration = .seconds(60),
        connectTimeout: Duration = .seconds(10), connectionsPerHost: Int = 64, configuration: HTTPClient.Configuration = .init()
    ) {
        var configuration = configuration
        configuration.redirectConfiguration = .disallow
        configuration.timeout.read = TimeAmount(idleTimeout)
        configuration.timeout.connect = TimeAmount(connectTimeout)
        // The caller decides about retries.
        configuration.connectionPool.retryConnectionEstablishment = false
        // A call that waits for a connection fails at the connect timeout, however slow the calls before it are; so allow many
        // connections.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connectionsPerHost
        var tls = (configuration.tlsConfiguration ?? .makeClientConfiguration()).withoutBrokenVersions
        if let pin {
            // AsyncHTTPClient offers no check within the handshake. This check runs right after the handshake, in which the server
            // has proved that it has the certificate's key, and before the connection is used.
            tls.certificateVerification = .none
            configuration.httpVersion = .http1Only
            configuration.http1_1ConnectionDebugInitializer = { pin.check($0) }
        }
        self.tls = tls
        self.pin = pin
        self.socket = socket
        configuration.tlsConfiguration = tls
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.idleTimeout = TimeAmount(idleTimeout)
    }

    // Closes idle connections without waiting.
    deinit { client.shutdown { _ in } }

    private func url(of request: HTTPRequest, at address: URL) throws(TransportError) -> String {
        guard let socket else { return address.absoluteString }
        guard request.scheme == "http", let url = URL(httpURLWithSocketPath: socket, uri: request.path ?? "/") else {
            throw TransportError(.address, "\(socket) is not the path of a socket for http")
        }
        return url.absoluteString
    }

    package func stream(_ request: HTTPRequest, body: HTTPBody) async throws -> HTTPStream {
        guard let address = request.address else { throw TransportError(.address, "the request has no address") }
        guard pin == nil || request.scheme == "https" else { throw TransportError.pinWithoutTLS }
        var outgoing = HTTPClientRequest(url: try url(of: request, at: address))
        outgoing.method = NIOHTTP1.HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headerFields { outgoing.headers.add(name: field.name.canonicalName, value: field.value) }
        switch body {
        case .none: break
        case .data(let data): outgoing.body = .bytes(ByteBuffer(data: data))
        case .file(let file):
            let chunks = try FileChunks(file)
            outgoing.body = .stream(chunks, length: .known(chunks.length))
        }
        do {
            let response = try await client.execute(outgoing, deadline: .distantFuture)
            var head = HTTPResponse(status: .init(code: Int(response.status.code), reasonPhrase: response.status.reasonPhrase))
            for (name, value) in response.headers {
                if let name = HTTPField.Name(name) { head.headerFields.append(HTTPField(name: name, value: value)) }
            }
            let chunks = response.body
            return HTTPStream(
                head: head,
                body: HTTPBytes {
                    var iterator = chunks.makeAsyncIterator()
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

/// The contents of a file in chunks of 64 KiB.
private struct FileChunks: AsyncSequence, Sendable {
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
            guard let handle else { throw TransportError(.ended, "the file cannot be opened") }
            return try handle.read(upToCount: 65_536).flatMap { $0.isEmpty ? nil : ByteBuffer(data: $0) }
        }
    }
}
