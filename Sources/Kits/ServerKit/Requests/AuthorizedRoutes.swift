package import HTTPTypes
package import Hummingbird
package import HummingbirdCore
package import WireKit

/// The routes of a service that authenticates its callers by a token.
///
/// Every call is checked in this order: token, body or query, then existence and permission by the rule that the route calls.
package protocol AuthorizedRoutes: Sendable {
    /// The user or account that a token names.
    associatedtype Caller: Sendable

    /// - Throws: The contract's refusal of a missing or void token.
    func caller(of request: Request) async throws -> Caller

    /// Returns a reply in the contract's form.
    func response(_ reply: some Encodable & Sendable, status: HTTPResponse.Status) throws -> Response
}

extension AuthorizedRoutes {
    /// Adds an endpoint that reads no body.
    package func on<Reply: Encodable>(
        _ router: Router<ServerContext>, _ endpoint: Endpoint<NoBody, Reply>, status: HTTPResponse.Status = .ok,
        answer: @escaping @Sendable (Caller, Request, ServerContext) async throws -> Reply
    ) {
        router.on(endpoint) { request, context in
            let caller = try await caller(of: request)
            return try response(try await answer(caller, request, context), status: status)
        }
    }

    /// Adds an endpoint that reads a JSON body, after the token is verified.
    package func on<Body: FieldDecodable, Reply: Encodable>(
        _ router: Router<ServerContext>, _ endpoint: Endpoint<Body, Reply>, status: HTTPResponse.Status = .ok,
        answer: @escaping @Sendable (Caller, Body) async throws -> Reply
    ) {
        router.on(endpoint) { request, _ in
            let caller = try await caller(of: request)
            let body = try await Body(bodyOf: request)
            return try response(try await answer(caller, body), status: status)
        }
    }
}
