package import Foundation
package import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
package import ServerKit
package import WireKit

/// A service's reply to a call through its real routes, without a port.
package struct ServiceReply: Sendable {
    package var status: Int
    package var headers: HTTPFields
    package var body: Data

    package var text: String { String(decoding: body, as: UTF8.self) }

    package func value<Value: Decodable>(_: Value.Type = Value.self) throws -> Value { try WireJSON.decode(Value.self, from: body) }
}

extension ServiceParts {
    package func call(
        _ method: HTTPRequest.Method, _ path: String, token: String? = nil, headers: HTTPFields = [:], body: Data = Data()
    ) async throws -> ServiceReply {
        var headers = headers
        if let token { headers[.authorization] = "Bearer \(token)" }
        let request = Request(
            head: HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path, headerFields: headers),
            body: RequestBody(buffer: ByteBuffer(bytes: body)))
        let response = try await responder.respond(
            to: request, context: ServerContext(source: ServerContextSource(logger: .quiet)))
        let collected = Collected()
        try await response.body.write(collected)
        return ServiceReply(
            status: Int(response.status.code), headers: response.headers, body: Data(collected.bytes.readableBytesView))
    }

    package func call<Body: Encodable, Value>(
        _ endpoint: Endpoint<Body, Value>, _ body: Body, _ parameters: [String: String] = [:], token: String? = nil
    ) async throws -> ServiceReply {
        try await call(
            .init(rawValue: endpoint.method.rawValue)!, endpoint.path(parameters), token: token, body: WireJSON.encode(body))
    }

    package func call<Value>(
        _ endpoint: Endpoint<NoBody, Value>, _ parameters: [String: String] = [:], query: String = "", token: String? = nil
    ) async throws -> ServiceReply {
        try await call(.init(rawValue: endpoint.method.rawValue)!, endpoint.path(parameters) + query, token: token)
    }
}

/// Collects the body of a response. Used from one task.
private final class Collected: ResponseBodyWriter, @unchecked Sendable {
    var bytes = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws { bytes.writeImmutableBuffer(buffer) }
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
