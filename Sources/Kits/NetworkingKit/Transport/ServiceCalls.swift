import HTTPTypes
package import WireKit

/// The endpoints of one service as calls. What each contract does its own way its conformer says: how a reply is read, and what failures are.
package protocol ServiceCalls: Sendable {
    /// How long a call may take.
    static var timeout: Duration { get }
    var service: RemoteService { get }
    var clock: any Clock<Duration> { get }

    /// Reads a reply of any status.
    ///
    /// - Parameter path: The endpoint's, without a query.
    /// - Throws: The failure that the reply tells of.
    func value<Value: Decodable & Sendable>(of reply: HTTPReply, to path: String, hasToken: Bool) throws -> Value
    /// What to throw where no reply came.
    func failure(_ error: TransportError) -> any Error
}

extension ServiceCalls {
    /// - Parameter query: With its question mark, encoded.
    /// - Throws: What the conformer makes of a failure; `CancellationError`.
    package func call<Reply: Decodable & Sendable>(
        _ endpoint: Endpoint<NoBody, Reply>, _ parameters: [String: String] = [:], query: String = "", token: String? = nil
    ) async throws -> Reply {
        try await send(endpoint, parameters, query, .none, token)
    }

    /// - Throws: What the conformer makes of a failure; `CancellationError`.
    package func call<Body: Encodable & Sendable, Reply: Decodable & Sendable>(
        _ endpoint: Endpoint<Body, Reply>, _ parameters: [String: String] = [:], body: Body, token: String? = nil
    ) async throws -> Reply {
        try await send(endpoint, parameters, "", .data(WireJSON.encode(body)), token)
    }

    private func send<Body, Reply: Decodable & Sendable>(
        _ endpoint: Endpoint<Body, Reply>, _ parameters: [String: String], _ query: String, _ body: HTTPBody, _ token: String?
    ) async throws -> Reply {
        let path = endpoint.path(parameters)
        let reply: HTTPReply
        do {
            let request = try service.request(
                endpoint.method, path + query, token: token, headers: body == .none ? [:] : [.contentType: "application/json"])
            let http = service.http
            reply = try await withTimeout(Self.timeout, clock: clock) { try await http.send(request, body: body) }
        } catch let error as TransportError {
            throw failure(error)
        }
        return try value(of: reply, to: path, hasToken: token != nil)
    }
}
