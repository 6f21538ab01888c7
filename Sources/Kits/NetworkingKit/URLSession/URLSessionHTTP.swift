import Foundation
public import HTTPTypes
import WireKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// HTTP by the system's own client: the one for iPhones.
///
/// By delegate, since `bytes(for:)` is not everywhere. A task is never suspended: on Linux resuming sends the request again. So what
/// comes while nobody reads is kept, up to a limit; then the call fails.
public final class URLSessionHTTP: HTTPTransport {
    /// The most bytes that wait for a reader.
    static let mostWaiting = 8_388_608
    private let session: URLSession
    private let calls: Calls

    /// - Parameters:
    ///   - idleTimeout: How long nothing may come.
    ///   - connections: The most to one host. Each open stream takes one.
    public init(idleTimeout: Duration = .seconds(60), connections: Int = 16) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = TimeInterval(idleTimeout.components.seconds)
        configuration.httpMaximumConnectionsPerHost = connections
        configuration.httpCookieAcceptPolicy = .never
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        let calls = Calls()
        self.calls = calls
        session = URLSession(configuration: configuration, delegate: calls, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    public func stream(_ request: HTTPRequest, body: HTTPBody) async throws -> HTTPStream {
        try Task.checkCancellation()
        let wanted = try URLRequest(request)
        let task: URLSessionTask
        switch body {
        case .none: task = session.dataTask(with: wanted)
        case .data(let data): task = session.uploadTask(with: wanted, from: data)
        case .file(let file): task = session.uploadTask(with: wanted, fromFile: file)
        }
        let (calls, number) = (calls, task.taskIdentifier)
        let call = Call(cancel: { [weak task] in
            task?.cancel()
            calls.remove(number)
        })
        calls.add(call, for: number)
        task.resume()
        let head = try await call.head()
        return HTTPStream(head: head, body: HTTPBytes { [pieces = Pieces(call)] in { try await pieces.call.next() } })
    }

    /// Ends the call when nobody will read it any more.
    private final class Pieces: Sendable {
        let call: Call
        init(_ call: Call) { self.call = call }
        deinit { call.cancel() }
    }
}

/// Hands what the session says to the call that it is about.
private final class Calls: NSObject, URLSessionDataDelegate, Sendable {
    private let calls = Locked<[Int: Call]>([:])

    func add(_ call: Call, for task: Int) { calls.withLock { $0[task] = call } }
    func remove(_ task: Int) { _ = calls.withLock { $0.removeValue(forKey: task) } }
    private func call(_ task: URLSessionTask) -> Call? { calls.withLock { $0[task.taskIdentifier] } }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        call(dataTask)?.received(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        call(dataTask)?.received(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        calls.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.ended(error)
    }

    // What a service says is what its caller gets.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

/// One call: what has come of it, and who waits for more.
private final class Call: Sendable {
    private struct State {
        var head: HTTPResponse?
        var pieces: [Data] = []
        var waiting = 0
        var ending: Result<Void, any Error>?
        var headWaiter: CheckedContinuation<HTTPResponse, any Error>?
        var pieceWaiter: CheckedContinuation<Data?, any Error>?
    }
    private let state = Locked(State())
    private let cancelTask: @Sendable () -> Void

    init(cancel: @escaping @Sendable () -> Void) { cancelTask = cancel }

    /// Whoever waits is told at once: a session may never tell of a task that it had not begun.
    func cancel() {
        end(.failure(CancellationError()))
        cancelTask()
    }

    func head() async throws -> HTTPResponse {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let result = state.withLock { state -> Result<HTTPResponse, any Error>? in
                    if let head = state.head { return .success(head) }
                    if case .failure(let error)? = state.ending { return .failure(error) }
                    state.headWaiter = waiter
                    return nil
                }
                if let result { waiter.resume(with: result) }
            }
        } onCancel: {
            cancel()
        }
    }

    func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let result = state.withLock { state -> Result<Data?, any Error>? in
                    if !state.pieces.isEmpty {
                        let piece = state.pieces.removeFirst()
                        state.waiting -= piece.count
                        return .success(piece)
                    }
                    if let ending = state.ending { return ending.map { nil } }
                    state.pieceWaiter = waiter
                    return nil
                }
                if let result { waiter.resume(with: result) }
            }
        } onCancel: {
            cancel()
        }
    }

    func received(_ response: URLResponse) {
        guard let head = (response as? HTTPURLResponse)?.httpResponse else {
            return fail(TransportError(.malformed, "the reply is not HTTP"))
        }
        state.withLock { state in
            state.head = head
            defer { state.headWaiter = nil }
            return state.headWaiter
        }?.resume(returning: head)
    }

    func received(_ data: Data) {
        let (waiter, isTooMuch) = state.withLock { state -> (CheckedContinuation<Data?, any Error>?, Bool) in
            if let waiter = state.pieceWaiter {
                state.pieceWaiter = nil
                return (waiter, false)
            }
            state.pieces.append(data)
            state.waiting += data.count
            return (nil, state.waiting > URLSessionHTTP.mostWaiting)
        }
        waiter?.resume(returning: data)
        if isTooMuch { fail(TransportError(.tooLarge, "nobody reads the reply")) }
    }

    func ended(_ error: (any Error)?) { end(error.map { .failure(TransportError.from($0)) } ?? .success(())) }

    private func fail(_ error: TransportError) {
        end(.failure(error))
        cancelTask()
    }

    private func end(_ ending: Result<Void, any Error>) {
        let (head, piece, result) = state.withLock { state in
            if state.ending == nil { state.ending = ending }
            defer {
                state.headWaiter = nil
                state.pieceWaiter = nil
            }
            return (state.headWaiter, state.pieceWaiter, state.ending!)
        }
        piece?.resume(with: result.map { nil })
        if let head {
            switch result {
            case .success: head.resume(throwing: TransportError(.ended, "the reply has no head"))
            case .failure(let error): head.resume(throwing: error)
            }
        }
    }
}

extension URLRequest {
    init(_ request: HTTPRequest) throws(TransportError) {
        guard let url = request.address else { throw TransportError(.address, "the request has no address") }
        self.init(url: url)
        httpMethod = request.method.rawValue
        for field in request.headerFields { addValue(field.value, forHTTPHeaderField: field.name.canonicalName) }
    }
}

extension HTTPURLResponse {
    fileprivate var httpResponse: HTTPResponse {
        var fields = HTTPFields()
        for (name, value) in allHeaderFields {
            guard let name = (name as? String).flatMap({ HTTPField.Name($0) }), let value = value as? String else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        return HTTPResponse(status: .init(code: statusCode), headerFields: fields)
    }
}

extension TransportError {
    /// - Returns: What an error of `URLSession` means; `CancellationError` for a task that was cancelled.
    static func from(_ error: any Error) -> any Error {
        guard let error = error as? URLError else { return TransportError(.network, "\(error)") }
        let code: Code? =
            switch error.code {
            case .cancelled: nil
            case .badURL, .unsupportedURL: .address
            case .timedOut: .timedOut
            case .networkConnectionLost: .ended
            case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected:
                .tls
            case .badServerResponse, .cannotParseResponse: .malformed
            default: .network
            }
        guard let code else { return CancellationError() }
        return TransportError(code, error.localizedDescription)
    }
}
