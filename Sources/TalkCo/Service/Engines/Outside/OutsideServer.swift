import Foundation
import HTTPTypes
import NetworkingKit
import WireKit

/// A server of models at an address that the operator has configured. Its failures are ``EngineError``s; no error contains the key.
struct OutsideServer: Sendable {
    /// Maximum length of a server's message in an error, in characters.
    private static let maximumMessageSize = 400
    /// Maximum size of a refusal's body that is searched for a message, in bytes.
    private static let maximumRefusalSize = 65_536
    /// The pause before a retry, unless the server asks for another pause.
    private static let retryPause = Duration.seconds(2)
    private static let maximumRetryPause = Duration.seconds(10)

    /// The settings of the operator that errors name.
    struct Settings: Sendable {
        /// A value and the name of its setting.
        typealias Value = (value: String, name: String)

        /// The name of the setting of the address.
        var address: String
        var model: Value?
        var voice: Value?
        /// Advice in the error for a server that lacks the path of a call.
        var missingPath = ""
    }

    /// The server's name in errors, with a capital letter: "The chat server".
    let subject: String
    /// The base of the paths, usually with `/v1`.
    let address: URL
    private let key: String?
    let http: any HTTPTransport
    let clock: any Clock<Duration>
    let settings: Settings

    /// - Parameters:
    ///   - key: The bearer token; nil for none.
    ///   - http: A transport whose idle timeout is longer than ``Silence/limit``.
    init(
        _ subject: String, at address: URL, key: String?, http: any HTTPTransport, clock: any Clock<Duration>,
        settings: Settings = Settings(address: "its address")
    ) {
        (self.subject, self.address, self.key, self.http, self.clock) = (subject, address, key, http, clock)
        self.settings = settings
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
            try check(reply.head, reply.body, path)
            return reply
        } catch {
            throw try failure(error)
        }
    }

    /// Reads a small resource.
    ///
    /// - Throws: ``OutsideFailure`` for a refusal; ``EngineError``; `CancellationError`.
    func get(_ path: String, within limit: Duration) async throws -> HTTPReply {
        do {
            let request = try request(.get, path)
            let reply = try await withTimeout(limit, clock: clock) { [http] in try await http.send(request) }
            try check(reply.head, reply.body, path)
            return reply
        } catch {
            throw try failure(error)
        }
    }

    /// Makes a call, and retries it once after a temporary refusal: a server loads its model, or is overloaded.
    ///
    /// - Parameter willRetry: Called when the pause is over.
    /// - Throws: The errors of `call`; `CancellationError`.
    func askingTwice<Value>(willRetry: () -> Void = {}, _ call: () async throws -> Value) async throws -> Value {
        do {
            return try await call()
        } catch let failure as OutsideFailure where failure.isTemporary {
            try await clock.sleep(for: min(failure.retryAfter ?? Self.retryPause, Self.maximumRetryPause))
            willRetry()
            return try await call()
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
            try check(reply.head, message, path)
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
            if let reply = error.reply { try check(reply.head, reply.body, path) }
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
            if [401, 403].contains(reply.head.status.code) { try check(reply.head, reply.body, "/models") }
        } catch let error as TransportError where [.tooLarge, .malformed].contains(error.code) {
            return
        } catch {
            let failure = try failure(error)
            throw (failure as? OutsideFailure)?.error ?? failure
        }
    }

    /// Checks that the server has a path, by an incomplete body: a server that refuses only the body has the path.
    ///
    /// - Throws: ``EngineError`` for a missing path, a refused key or an unknown model; `CancellationError`.
    func probe(_ path: String, _ body: Data, contentType: String) async throws {
        do {
            _ = try await send(path, body, contentType: contentType, within: .seconds(5))
        } catch let failure as OutsideFailure {
            if failure.isLasting { throw failure.error }
        } catch let error as EngineError {
            // A server that is slow or closes the connection may still work.
            if error.code == .unreachable { throw error }
        }
    }

    private func check(_ head: HTTPResponse, _ body: Data, _ path: String) throws(OutsideFailure) {
        guard head.status.kind != .successful else { return }
        let code = head.status.code
        let message = message(in: body)
        let said = message.map { " It says: \($0)" } ?? ""
        let error: EngineError
        var isLasting = true
        switch code {
        case 300..<400: error = EngineError(.refused, "\(subject) at \(name) sends calls to another address (\(code)).")
        case 401,
            403 where unknown(in: body, message) == nil:
            let reason = key == nil ? "requires a key" : "does not accept the key"
            error = EngineError(.refused, "\(subject) at \(name) \(reason) (\(code)).")
        case 429:
            error = EngineError(.failed, "\(subject) at \(name) has too many requests or no quota left (429).\(said)")
            isLasting = false
        case 404 where unknown(in: body, message) == nil, 405, 501:
            let path = path.prefix { $0 != "?" }
            error = EngineError(
                .refused, "\(subject) at \(name) has no \(path) (\(code)). Check \(settings.address).\(settings.missingPath)\(said)"
            )
        case 503 where message?.lowercased().contains("loading") == true:
            error = EngineError(.failed, "\(subject) at \(name) is still loading its model (503).")
            isLasting = false
        case 500...:
            error = EngineError(.failed, "\(subject) at \(name) failed (\(code)).\(said)")
            isLasting = false
        default:
            let unknown = unknown(in: body, message)
            error = unknown ?? EngineError(.refused, "\(subject) at \(name) refused the request (\(code)).\(said)")
            isLasting = unknown != nil
        }
        let retryAfter = HTTPField.Name("Retry-After").flatMap { head.headerFields[$0] }.flatMap(Int.init)
        throw OutsideFailure(
            error: error, status: code, retryAfter: retryAfter.map { .seconds(min(max($0, 0), 20)) }, isLasting: isLasting)
    }

    /// Returns the text of an error: `{"error":"…"}`, `{"error":{"message":"…"}}`, `{"detail":"…"}`, `{"detail":[{"msg":"…"}]}` or
    /// `{"message":"…"}`, without the key.
    func message(in json: Data) -> String? {
        guard let object = try? WireJSON.decode(JSONValue.self, from: json), object.members != nil else { return nil }
        let error = object["error"] ?? object["detail"]
        let text = error?.text ?? error?["message"]?.text ?? error?["error"]?.text ?? error?.list?.first?["msg"]?.text
        return (text ?? (error == nil ? object["message"]?.text : nil)).map(withoutKey)
    }

    // MARK: Unknown models

    /// Returns the error for a reply that reports an unknown model or voice; nil for other replies.
    private func unknown(in body: Data, _ message: String?) -> EngineError? {
        let json = try? WireJSON.decode(JSONValue.self, from: body)
        return unknown(code: json?["error"]?["code"]?.text ?? json?["code"]?.text, message)
    }

    /// Returns the error for a message about an unknown model or voice, which names the setting; nil for other messages.
    func unknown(code: String?, _ message: String?) -> EngineError? {
        let text = message?.lowercased() ?? ""
        let said = message.map { " It says: \(withoutKey($0))" } ?? ""
        func error(_ kind: String, _ value: Settings.Value?) -> EngineError {
            let change = value.map { " \($0.value). Set \($0.name) to one that it has" } ?? ""
            return EngineError(.refused, "\(subject) at \(name) does not know the \(kind)\(change).\(said)")
        }
        let isModel = ["model_not_found", "model_not_supported", "invalid_model", "unknown_model"].contains(code)
        if isModel || isUnknown(settings.model?.value, "model", text) { return error("model", settings.model) }
        return isUnknown(settings.voice?.value, "voice", text) ? error("voice", settings.voice) : nil
    }

    private func isUnknown(_ value: String?, _ kind: String, _ text: String) -> Bool {
        guard text.contains(kind) else { return false }
        let phrases = [
            "unknown \(kind)", "invalid \(kind)", "unsupported \(kind)", "no such \(kind)", "\(kind) not found",
            "\(kind) is not found", "\(kind) does not exist", "\(kind) not loaded", "\(kind)_not_found",
        ]
        if phrases.contains(where: { text.contains($0) }) { return true }
        guard let value = value?.lowercased(), !value.isEmpty, text.contains(value) else { return false }
        return [
            "not found", "not exist", "n't exist", "deprecated", "retired", "decommissioned", "no longer", "shut down",
            "not available", "not installed", "not a valid", "unknown", "pull",
        ].contains { text.contains($0) }
    }

    /// Returns the text of a server for an error: cut, without line breaks and without the key.
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
            case .address, .network, .localNetworkDenied:
                return EngineError(.unreachable, "\(subject) at \(name) cannot be reached.")
            case .tls: return EngineError(.unreachable, "\(subject) at \(name) has no certificate that is trusted.")
            case .timedOut: return EngineError(.timedOut, "\(subject) at \(name) did not answer in time.")
            case .tooLarge: return EngineError(.failed, "\(subject) at \(name) sent more than is acceptable.")
            case .ended, .refused, .malformed: return EngineError(.failed, "The connection to \(name) broke off.")
            }
        default: return EngineError(.failed, "\(subject) at \(name) answered with something unreadable.")
        }
    }
}

/// A refusal with its HTTP status, for callers that retry.
struct OutsideFailure: Error, Hashable {
    var error: EngineError
    var status: Int
    /// The pause that the server asked for, at most 20 s; nil for none.
    var retryAfter: Duration?
    /// True for a refusal of every such call: a wrong key, an unknown model, a missing path.
    var isLasting = false

    /// True for a refusal that may end within seconds.
    var isTemporary: Bool { [429, 502, 503, 504].contains(status) }
}
