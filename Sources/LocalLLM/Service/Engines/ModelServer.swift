package import Foundation
import HTTPTypes
import LocalLLMWire
package import NetworkingKit
import WireKit

/// A model server that is called over HTTP, and its failures as ``EngineError``.
package struct ModelServer: Sendable {
    /// Maximum size of a line of a streamed reply, in bytes.
    private static let maximumLineSize = 1_048_576
    /// Maximum bytes of a refusal in which its error is looked for.
    private static let maximumRefusalSize = 65_536
    /// Maximum time of a call that a server answers at once.
    private static let callLimit = Duration.seconds(10)

    /// The base address of the server's paths.
    let address: URL
    /// The token for `Authorization: Bearer`; nil for none.
    let token: String?
    let http: any HTTPTransport
    let clock: any Clock<Duration>
    let limits: SilenceLimits

    /// - Parameters:
    ///   - token: The token for `Authorization: Bearer`; ignored if it is empty.
    ///   - http: A transport that allows a server to be silent for longer than `limits`.
    package init(
        at address: URL, token: String? = nil, http: any HTTPTransport, clock: any Clock<Duration> = ContinuousClock(),
        limits: SilenceLimits = SilenceLimits()
    ) {
        let token = token?.trimmingCharacters(in: .whitespacesAndNewlines)
        (self.address, self.token, self.http) = (address, token?.isEmpty == true ? nil : token, http)
        (self.clock, self.limits) = (clock, limits)
    }

    /// The address without a user name or password.
    var name: String {
        guard var parts = URLComponents(url: address, resolvingAgainstBaseURL: false) else { return "an address" }
        (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
        return parts.string ?? "an address"
    }

    /// Calls a path that a server answers at once.
    ///
    /// - Returns: nil when the server does not have the path.
    /// - Throws: ``EngineError``, `notFound` also when the server does not answer in time; `CancellationError`.
    func get<Value: Decodable & Sendable>(_ path: String, as type: Value.Type = Value.self) async throws -> Value? {
        do {
            let request = try self.request(.get, path)
            let reply = try await withTimeout(Self.callLimit, clock: clock) { [http] in try await http.send(request) }
            if reply.head.status == .notFound { return nil }
            try check(reply.head, reply.body, model: nil)
            return try WireJSON.decode(Value.self, from: reply.body)
        } catch {
            throw try engineError(error)
        }
    }

    /// Answers a conversation. Repeats the request while the server is not ready, and without the oldest turns if the conversation
    /// is longer than the model's context.
    ///
    /// - Parameter attempt: Generates the answer to a request, within ``limits``.
    func answer(
        _ request: EngineRequest, _ receive: @escaping @Sendable (EngineEvent) async throws -> Void,
        _ attempt: (EngineRequest, @escaping @Sendable (EngineEvent) async throws -> Void) async throws -> FinishReason
    ) async throws -> FinishReason {
        var shorter = request
        // A part of an answer cannot be taken back.
        let hasText = Locked(false)
        while true {
            do {
                return try await ReadyWait(clock: clock).run(canRepeat: { !hasText.withLock { $0 } }) {
                    try await receive(.progress($0))
                } _: {
                    try await attempt(shorter) { event in
                        if case .text = event { hasText.withLock { $0 = true } }
                        try await receive(event)
                    }
                }
            } catch let error as EngineError {
                guard case .contextExceeded(let size) = error.code, !hasText.withLock({ $0 }) else { throw error }
                guard let next = shorter.shortened(toFit: size) else {
                    let context = size.map { " (\($0.context) tokens)" } ?? ""
                    throw EngineError(
                        error.code,
                        "The prompt is longer than what the model can read at once\(context). Shorten it, or give the model a larger context.",
                        serverText: error.serverText)
                }
                shorter = next
                try await receive(.omitted(turns: request.turns.count - shorter.turns.count))
            }
        }
    }

    /// Sends a request and passes on the lines of the reply, until `receive` returns false.
    ///
    /// - Parameters:
    ///   - whole: Called with the whole reply in place of lines, if the server does not stream.
    ///   - receive: Called with each line that is not empty, without its newline.
    /// - Throws: ``EngineError``, also when the reply ends before `receive` is done; the errors of `receive`; `CancellationError`.
    func lines(
        of path: String, _ body: some Encodable & Sendable, model: String, whole: ((Data) async throws -> Void)? = nil,
        _ receive: (Data) async throws -> Bool
    ) async throws {
        let reply: HTTPStream
        do {
            reply = try await http.stream(request(.post, path), body: .data(WireJSON.encode(body)))
        } catch {
            throw try engineError(error)
        }
        var iterator = reply.body.makeAsyncIterator()
        let isSuccess = reply.head.status.kind == .successful
        let isJSON = reply.head.headerFields[.contentType]?.lowercased().hasPrefix("application/json") == true
        let whole = isSuccess && isJSON ? whole : nil
        let limit = whole == nil ? Self.maximumRefusalSize : Self.maximumLineSize * 4
        var framing = NewlineFraming(maximumFrameSize: Self.maximumLineSize, maximumUnframedSize: Self.maximumLineSize)
        var beginning = Data()
        while isSuccess && whole == nil || beginning.count < limit {
            let frames: [NewlineFraming.Frame]
            do {
                guard let chunk = try await iterator.next() else { break }
                if beginning.count < limit { beginning += chunk }
                frames = isSuccess && whole == nil ? try framing.receive(chunk) : []
            } catch {
                throw try brokenOff(error)
            }
            for case .complete(let line) in frames where try await !receive(line) { return }
        }
        // The body of a cancelled call ends without an error.
        try Task.checkCancellation()
        try check(reply.head, beginning, model: model)
        // Some servers refuse with the status of a success, and a web server answers every path with a page.
        if let error = failure(in: beginning, "The model server refused the request.") { throw error }
        if let whole { return try await whole(beginning) }
        if beginning.first == UInt8(ascii: "<") { throw isNoModelServer }
        throw EngineError(.failed, "The model server broke off in the middle of the answer.")
    }

    /// Sends a request and ignores the content of the reply.
    func post(_ path: String, _ body: some Encodable & Sendable, model: String) async throws {
        do {
            let reply = try await http.send(request(.post, path), body: .data(WireJSON.encode(body)))
            try Task.checkCancellation()
            try check(reply.head, reply.body, model: model)
        } catch {
            throw try engineError(error)
        }
    }

    private func request(_ method: HTTPRequest.Method, _ path: String) throws(TransportError) -> HTTPRequest {
        var headers: HTTPFields = [.contentType: "application/json", .accept: "application/json, text/event-stream"]
        if let token { headers[.authorization] = "Bearer \(token)" }
        return try HTTPRequest(method, path, below: address, headers: headers)
    }

    /// - Parameter model: The model that the request names.
    private func check(_ head: HTTPResponse, _ body: Data, model: String?) throws(EngineError) {
        guard head.status.kind != .successful else { return }
        let failure = ServerFailure(body)
        let said = failure.map { hidingToken($0.text) }
        let code = head.status.code
        switch code {
        case 404:
            guard let model else { break }
            throw EngineError(
                .modelNotAvailable, "The model server at \(name) does not have the model \(model).", serverText: said)
        case 300..<400:
            throw EngineError(.failed, "The server at \(name) sends calls to another address (\(code)). Name that address instead.")
        case 401, 403:
            let key = token == nil ? "" : " It does not accept the key of the host."
            throw EngineError(.failed, "The model server at \(name) requires a sign-in (\(code)).\(key)")
        default: break
        }
        switch failure?.code {
        case .loading:
            throw EngineError(.loading, "The model server at \(name) is loading its model.", serverText: said)
        case .some(let other) where code != 429:
            throw EngineError(other, "The model server refused the request (\(code)).", serverText: said)
        default: break
        }
        switch code {
        case 429, 503:
            throw EngineError(
                .busy, "The model server at \(name) has too many requests (\(code)). Try again later.", serverText: said)
        // A gateway, while the server behind it starts.
        case 502, 504: throw EngineError(.busy, "There is no model server behind \(name) (\(code)). Start it.", serverText: said)
        default: break
        }
        throw EngineError(.failed, "The model server refused the request (\(code)).", serverText: said)
    }

    /// Returns the server's error in a reply or a part of one; nil if there is none.
    ///
    /// - Parameter detail: The host's own words for the error.
    func failure(in json: Data, _ detail: String) -> EngineError? {
        guard let failure = ServerFailure(json) else { return nil }
        return EngineError(failure.code ?? .failed, detail, serverText: hidingToken(failure.text))
    }

    private func hidingToken(_ text: String) -> String { token.map { text.replacing($0, with: "…") } ?? text }

    /// - Throws: `CancellationError`.
    private func engineError(_ error: any Error) throws -> EngineError {
        try Task.checkCancellation()
        switch error {
        case let error as EngineError: return error
        case is CancellationError: throw error
        case let error as TransportError where [.network, .timedOut, .address, .tls].contains(error.code):
            return EngineError(.notFound, "No model server answers at \(name). Start it, or check its address.")
        case is TransportError: return try brokenOff(error)
        default: return isNoModelServer
        }
    }

    /// The failure of a server whose reply is not a model server's.
    var isNoModelServer: EngineError { EngineError(.failed, "\(name) answers with something that is not a model server's reply.") }

    /// - Throws: `CancellationError`.
    private func brokenOff(_ error: any Error) throws -> EngineError {
        try Task.checkCancellation()
        if error is CancellationError { throw error }
        let isTooLong = (error as? TransportError)?.code == .tooLarge
        return EngineError(
            .failed,
            isTooLong ? "The model server sent a line that is too long." : "The connection to the model server broke off.")
    }
}
