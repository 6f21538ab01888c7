import Foundation
import HTTPTypes
import NetworkingKit
import Pager2077Wire
import WireKit

/// The service's endpoints as calls. Knows nothing of who calls.
struct PagerAPI: Sendable {
    /// How long a call may take (contract, section 4).
    static let timeout: Duration = .seconds(10)
    /// Begins the code of a reply that no pager service gives.
    static let foreign = "HTTP_"
    let server: PagerServer
    let clock: any Clock<Duration>

    /// - Throws: ``PagerProblem``; `CancellationError`.
    func call<Reply: Decodable & Sendable>(
        _ endpoint: Endpoint<NoBody, Reply>, _ parameters: [String: String] = [:], query: String = "", token: String?
    ) async throws -> Reply {
        try await send(endpoint.method, endpoint.path(parameters) + query, .none, token)
    }

    /// - Throws: ``PagerProblem``; `CancellationError`.
    func call<Body: Encodable & Sendable, Reply: Decodable & Sendable>(
        _ endpoint: Endpoint<Body, Reply>, _ parameters: [String: String] = [:], body: Body, token: String?
    ) async throws -> Reply {
        try await send(endpoint.method, endpoint.path(parameters), .data(WireJSON.encode(body)), token)
    }

    private func send<Reply: Decodable & Sendable>(
        _ method: HTTPMethod, _ path: String, _ body: HTTPBody, _ token: String?
    ) async throws -> Reply {
        var headers: HTTPFields = [:]
        if body != .none { headers[.contentType] = "application/json" }
        if let token { headers[.authorization] = "Bearer \(token)" }
        do {
            let request = try HTTPRequest(.init(method), path, below: server.address, headers: headers)
            let http = server.http
            let reply = try await withTimeout(Self.timeout, clock: clock) { try await http.send(request, body: body) }
            return try Self.data(of: reply)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw PagerProblem(error)
        }
    }

    private static func data<Value: Decodable & Sendable>(of reply: HTTPReply) throws(PagerProblem) -> Value {
        let status = reply.head.status.code
        if (200..<300).contains(status) {
            guard let success = try? WireJSON.decode(Success<Value>.self, from: reply.body) else {
                throw .service(foreign + "\(status)")
            }
            return success.data
        }
        guard let failure = try? WireJSON.decode(Failure.self, from: reply.body) else { throw .service(foreign + "\(status)") }
        throw PagerProblem(failure.error, status: status)
    }
}

extension HTTPRequest.Method {
    fileprivate init(_ method: HTTPMethod) {
        self =
            switch method {
            case .get: .get
            case .post: .post
            case .put: .put
            case .delete: .delete
            }
    }
}
