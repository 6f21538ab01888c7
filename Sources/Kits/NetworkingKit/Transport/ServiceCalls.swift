import Foundation
import HTTPTypes
package import WireKit

/// The endpoints of one service as calls. The conformer defines how its contract encodes replies and failures.
package protocol ServiceCalls: Sendable {
    /// Maximum duration of a call.
    static var timeout: Duration { get }
    /// Maximum size of a reply, in bytes.
    static var replyLimit: Int { get }
    var service: RemoteService { get }
    var clock: any Clock<Duration> { get }

    /// Decodes a reply of any status.
    ///
    /// - Parameter path: The endpoint's path without a query.
    /// - Throws: The failure that the reply describes.
    func value<Value: Decodable & Sendable>(of reply: HTTPReply, to path: String, hasToken: Bool) throws -> Value
    /// Returns the error to throw for a call without a reply.
    func failure(_ error: TransportError) -> any Error
}

extension ServiceCalls {
    package static var replyLimit: Int { 4_194_304 }

    /// Calls an endpoint without a request body.
    ///
    /// - Parameter query: The encoded query, with its question mark.
    /// - Throws: The conformer's errors; `CancellationError`.
    package func call<Reply: Decodable & Sendable>(
        _ endpoint: Endpoint<NoBody, Reply>, _ parameters: [String: String] = [:], query: String = "", token: String? = nil
    ) async throws -> Reply {
        try await send(endpoint, parameters, query: query, body: .none, token: token)
    }

    /// Calls an endpoint with a JSON body.
    ///
    /// - Throws: The conformer's errors; `CancellationError`.
    package func call<Body: Encodable & Sendable, Reply: Decodable & Sendable>(
        _ endpoint: Endpoint<Body, Reply>, _ parameters: [String: String] = [:], body: Body, token: String? = nil
    ) async throws -> Reply {
        try await send(endpoint, parameters, body: .data(WireJSON.encode(body)), token: token)
    }

    /// Calls an endpoint with a body that is encoded already, such as one from an outbox.
    ///
    /// - Parameter query: The encoded query, with its question mark.
    /// - Throws: The conformer's errors; `CancellationError`.
    package func send<Body, Reply: Decodable & Sendable>(
        _ endpoint: Endpoint<Body, Reply>, _ parameters: [String: String] = [:], query: String = "", body: HTTPBody, token: String?
    ) async throws -> Reply {
        let path = endpoint.path(parameters)
        let reply: HTTPReply
        do {
            let request = try service.request(
                endpoint.method, path + query, token: token, headers: body == .none ? [:] : [.contentType: "application/json"])
            let http = service.http
            reply = try await withTimeout(Self.timeout, clock: clock) {
                try await http.send(request, body: body, limit: Self.replyLimit)
            }
        } catch let error as TransportError {
            throw failure(error)
        }
        return try value(of: reply, to: path, hasToken: token != nil)
    }
}
