package import EndlessCodeClient
import EndlessCodeWire
import Foundation
import NIOTransport
import NetworkingKit
package import ServerKit
import TestKit

extension AgentBox {
    /// The network of a phone that reaches servers on ports.
    package static var networkOfPorts: ServerNetwork { ServerNetwork(phoneName: "Test phone", transports: NIOTransports()) }

    /// A certificate of the server. The same name is the same certificate.
    package func certificate(_ name: String) throws -> ServerCertificate {
        try ServerCertificate.stored(in: folder.url.appending(path: "\(name).pem"))
    }

    /// The fingerprint of a certificate, as phones know it.
    package func fingerprint(_ name: String) throws -> Fingerprint {
        let fingerprint = try certificate(name).fingerprint
        return fingerprint
    }

    /// Runs the server on a port with TLS, beside `body`.
    package func serve<Value: Sendable>(
        certificate name: String, _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> Value {
        try await serve(tls: try certificate(name), body)
    }
}
