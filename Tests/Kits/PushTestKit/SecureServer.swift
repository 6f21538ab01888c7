package import AsyncHTTPClient
package import Foundation
package import HTTPTypes
package import Hummingbird
import HummingbirdHTTP2
import Logging
import NIOCore
package import NIOSSL
import ServiceLifecycle
import TestKit

/// A certificate for `localhost` that nobody has signed but its own key.
package struct TestCertificate: Sendable {
    package let server: TLSConfiguration
    /// Trusts this certificate only.
    package let client: HTTPClient.Configuration
    /// The certificate in PEM.
    package let path: String
    private let folder: TemporaryFolder

    package static func make() async throws -> TestCertificate {
        let folder = try TemporaryFolder()
        let (certificate, key) = (folder.file("cert.pem"), folder.file("key.pem"))
        let made = try await Program.tool(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
                "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,DNS:push.example.org", "-keyout", key, "-out",
                certificate,
            ])
        guard made.status == 0 else { throw Failure(errors: made.errors) }
        let chain = try NIOSSLCertificate.fromPEMFile(certificate)
        var client = TLSConfiguration.makeClientConfiguration()
        client.trustRoots = .certificates(chain)
        return TestCertificate(
            server: .makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))),
            client: HTTPClient.Configuration(tlsConfiguration: client), path: certificate, folder: folder)
    }

    package struct Failure: Error {
        var errors: String
    }
}

/// A request as a push service receives it.
package struct ReceivedRequest: Sendable {
    package var method: String
    package var path: String
    package var headers: HTTPFields
    package var body: Data
    /// The address of the client's end: the same for all requests on one connection.
    package var connection: String
    /// True when the request is a stream of an HTTP/2 connection.
    package var isHTTP2: Bool

    package func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
}

/// A push service on a port of its own, with TLS and HTTP/2.
package enum SecureServer {
    private struct Context: RequestContext {
        var coreContext: CoreRequestContextStorage
        let channel: any Channel

        init(source: ApplicationRequestContextSource) {
            coreContext = .init(source: source)
            channel = source.channel
        }
    }

    /// Closes the connection of a request instead of replying.
    package struct Hangup: Error {
        package init() {}
    }

    /// Runs `body` with the server's port.
    package static func run<Value: Sendable>(
        _ certificate: TestCertificate, answer: @escaping @Sendable (ReceivedRequest) async throws -> Response,
        _ body: @escaping @Sendable (_ port: Int) async throws -> Value
    ) async throws -> Value {
        let responder = CallbackResponder { (request: Request, context: Context) in
            let parent = context.channel.parent
            // An HTTP/2 stream is a channel whose parent is the connection; that of a connection is the listening socket.
            let isHTTP2 = parent?.parent != nil
            let connection = isHTTP2 ? parent : context.channel
            let body = Data(try await request.body.collect(upTo: 1_000_000).readableBytesView)
            // The client was killed in the middle of it.
            if let length = request.headers[.contentLength], Int(length) != body.count { throw HTTPError(.badRequest) }
            let received = ReceivedRequest(
                method: request.method.rawValue, path: request.uri.string, headers: request.headers, body: body,
                connection: connection?.remoteAddress?.description ?? "", isHTTP2: isHTTP2)
            do {
                return try await answer(received)
            } catch is Hangup {
                try? await connection?.close()
                throw HTTPError(.internalServerError)
            }
        }
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            responder: responder, server: try .http2Upgrade(tlsConfiguration: certificate.server),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                ready.yield(channel.localAddress?.port ?? 0)
                ready.finish()
            }, logger: .quiet)
        let group = ServiceGroup(services: [application], logger: .quiet)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { ready.finish() }
                try await group.run()
            }
            guard let port = await ports.first(where: { _ in true }) else {
                try await tasks.waitForAll()
                throw TestCertificate.Failure(errors: "the server did not start")
            }
            let result: Result<Value, any Error>
            do {
                result = .success(try await body(port))
            } catch {
                result = .failure(error)
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return try result.get()
        }
    }
}

extension Response {
    package init(_ status: Int, _ body: String = "", headers: HTTPFields = [:]) {
        self.init(
            status: .init(code: status), headers: headers,
            body: body.isEmpty ? .init() : .init(byteBuffer: ByteBuffer(string: body)))
    }
}
