import Foundation
import HTTPTypes
import NetworkingKit
import WireKit

/// A server of models at an address of the operator, and its failures as ``EngineError``. The key appears in no error.
struct OutsideServer: Sendable {
    /// The maximum size of a server's message in an error, in bytes.
    private static let maximumMessageSize = 400
    /// The number of bytes in which the message of a refusal is looked for.
    private static let maximumRefusalSize = 65_536

    /// The name in errors, with a capital letter: "The chat server".
    let subject: String
    /// The base of the paths, usually with `/v1`.
    let address: URL
    private let key: String?
    let http: any HTTPTransport
    let clock: any Clock<Duration>

    /// - Parameters:
    ///   - key: The bearer token; nil for none.
    ///   - http: A transport that lets a server be silent for longer than ``Silence/limit``.
    init(_ subject: String, at address: URL, key: String?, http: any HTTPTransport, clock: any Clock<Duration>) {
        (self.subject, self.address, self.key, self.http, self.clock) = (subject, address, key, http, clock)
    }

    /// The address for users, without user name, password and query.
    var name: String {
        guard var parts = URLComponents(url: address, resolvingAgainstBaseURL: false) else { return "an address" }
        (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
        return parts.string ?? "an address"
    }

    func request(
        _ method: HTTPRequest.Method, _ path: String, contentType: String? = nil, accept: String = "application/json"
    ) throws(TransportError) -> HTTPRequest {
        var headers: HTTPFields = [.accept: accept]
        if let contentType { headers[.contentType] = contentType }
        if let key { headers[.authorization] = "Bearer \(key)" }
        return try HTTPRequest(method, path, below: address, headers: headers)
    }

    /// Sends a request and waits for the whole reply.
    ///
    /// - Throws: ``OutsideFailure`` for a refusal; ``EngineError``; `CancellationError`.
    func send(
        _ path: String, _ body: Data, contentType: String = "application/json", within limit: Duration = Silence.limit,
        maximumSize: Int = 4_194_304
    ) async throws -> HTTPReply {
        do {
            let request = try request(.post, path, contentType: contentType)
            let reply = try await withTimeout(limit, clock: clock) { [http] in
                try await http.send(request, body: .data(body), limit: maximumSize)
            }
            try check(reply.head, reply.body)
            return reply
        } catch {
            throw try failure(error)
        }
    }

    /// Sends a request and returns when the head of the reply has arrived.
    ///
    /// - Throws: ``OutsideFailure`` for a refusal; ``EngineError``; `CancellationError`.
    func stream(_ path: String, _ body: Data, contentType: String = "application/json", accept: String) async throws -> HTTPStream {
        do {
            let request = try request(.post, path, contentType: contentType, accept: accept)
            let reply = try await http.stream(request, body: .data(body))
            guard reply.head.status.kind != .successful else { return reply }
            var message = Data()
            for try await chunk in reply.body {
                message += chunk
                if message.count > Self.maximumRefusalSize { break }
            }
            try check(reply.head, message)
            return reply
        } catch {
            throw try failure(error)
        }
    }

    /// Opens a WebSocket.
    ///
    /// - Throws: ``OutsideFailure`` for a refusal; ``EngineError``; `CancellationError`.
    func connect(
        _ path: String, headers: HTTPFields, over sockets: any SocketTransport, maximumMessageSize: Int,
        within limit: Duration = .seconds(8)
    ) async throws -> any SocketConnection {
        do {
            var request = try request(.get, path)
            for field in headers { request.headerFields.append(field) }
            return try await withTimeout(limit, clock: clock) { [request] in
                try await sockets.connect(request, maximumMessageSize: maximumMessageSize)
            }
        } catch let error as TransportError where error.code == .refused {
            if let reply = error.reply { try check(reply.head, reply.body) }
            throw EngineError(.refused, "\(subject) at \(name) does not open a WebSocket.")
        } catch {
            throw try failure(error)
        }
    }

    /// Checks that the server can be reached and accepts the key. Servers without the path `/models` pass.
    ///
    /// - Throws: ``EngineError`` `unreachable`, `refused` or `timedOut`; `CancellationError`.
    func probe(within limit: Duration = .seconds(5)) async throws {
        do {
            let request = try request(.get, "/models")
            let reply = try await withTimeout(limit, clock: clock) { [http] in try await http.send(request) }
            if [401, 403].contains(reply.head.status.code) { try check(reply.head, reply.body) }
        } catch let error as TransportError where [.tooLarge, .malformed].contains(error.code) {
            return
        } catch {
            let failure = try failure(error)
            throw (failure as? OutsideFailure)?.error ?? failure
        }
    }

    private func check(_ head: HTTPResponse, _ body: Data) throws(OutsideFailure) {
        guard head.status.kind != .successful else { return }
        let code = head.status.code
        let said = message(in: body).map { " It says: \($0)" } ?? ""
        let error: EngineError
        switch code {
        case 300..<400: error = EngineError(.refused, "\(subject) at \(name) sends calls to another address (\(code)).")
        case 401, 403:
            let reason = key == nil ? "requires a key" : "does not accept the key"
            error = EngineError(.refused, "\(subject) at \(name) \(reason) (\(code)).")
        case 429: error = EngineError(.failed, "\(subject) at \(name) has too many requests or no quota left (429).\(said)")
        case 500...: error = EngineError(.failed, "\(subject) at \(name) failed (\(code)).\(said)")
        default: error = EngineError(.refused, "\(subject) at \(name) refused the request (\(code)).\(said)")
        }
        let retryAfter = HTTPField.Name("Retry-After").flatMap { head.headerFields[$0] }.flatMap(Int.init)
        throw OutsideFailure(error: error, status: code, retryAfter: retryAfter.map { .seconds(min(max($0, 0), 20)) })
    }

    /// The text of an error: `{"error":"…"}`, `{"error":{"message":"…"}}` or `{"detail":"…"}`, without the key.
    func message(in json: Data) -> String? {
        guard case .object(let object)? = try? WireJSON.decode(JSONValue.self, from: json) else { return nil }
        let text: String
        switch object["error"] ?? object["detail"] {
        case .string(let message): text = message
        case .object(let error):
            guard case .string(let message) = error["message"] else { return nil }
            text = message
        default: return nil
        }
        return withoutKey(text)
    }

    /// The text of a server for an error: cut, on one line, without the key.
    func withoutKey(_ text: String) -> String {
        var text = text
        if let key, !key.isEmpty { text = text.replacing(key, with: "…") }
        return String(text.prefix(Self.maximumMessageSize)).replacing("\n", with: " ")
    }

    /// - Throws: `CancellationError`.
    func failure(_ error: any Error) throws -> any Error {
        try Task.checkCancellation()
        switch error {
        case is OutsideFailure, is EngineError: return error
        case is CancellationError: throw error
        case let error as TransportError:
            switch error.code {
            case .address, .network: return EngineError(.unreachable, "\(subject) at \(name) cannot be reached.")
            case .tls: return EngineError(.unreachable, "\(subject) at \(name) has no certificate that is trusted.")
            case .timedOut: return EngineError(.timedOut, "\(subject) at \(name) did not answer in time.")
            case .tooLarge: return EngineError(.failed, "\(subject) at \(name) sent more than is acceptable.")
            case .ended, .refused, .malformed: return EngineError(.failed, "The connection to \(name) broke off.")
            }
        default: return EngineError(.failed, "\(subject) at \(name) answered with something unreadable.")
        }
    }
}

/// A refusal by its status, for callers that try again.
struct OutsideFailure: Error, Hashable {
    var error: EngineError
    var status: Int
    /// The pause that the server asked for, at most 20 seconds.
    var retryAfter: Duration?
}
