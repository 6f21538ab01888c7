import Foundation
import HTTPTypes
import NIOTransport
import NetworkingKit

/// A downloader of documents that a service needs, such as the keys of an identity provider.
struct Documents {
    private let http = AsyncHTTP(idleTimeout: .seconds(10))

    /// - Throws: `TransportError`, `.refused` for any status but 200.
    @Sendable func get(_ address: URL) async throws -> Data {
        let path = address.path(percentEncoded: true)
        let query = address.query(percentEncoded: true).map { "?" + $0 } ?? ""
        let base = URL(string: "/", relativeTo: address)?.absoluteURL ?? address
        let reply = try await http.send(HTTPRequest(.get, (path.isEmpty ? "/" : path) + query, below: base))
        guard reply.head.status == .ok else {
            throw TransportError(.refused, "\(address.host() ?? "") answered \(reply.head.status.code)", reply: reply)
        }
        return reply.body
    }
}
