import Foundation
public import HTTPTypes
import WireKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An HTTP transport by `URLSession`, for iPhones.
///
/// Uses a delegate, because `bytes(for:)` is not available on all platforms. Tasks are never suspended: on Linux, resuming sends the
/// request again. Data that arrives without a reader is buffered up to a limit; beyond it the call fails.
public final class URLSessionHTTP: HTTPTransport {
    /// Maximum buffered bytes per call.
    static let maximumBuffered = 8_388_608
    private let session: URLSession
    private let calls: Calls
    private let check: PinCheck

    /// - Parameters:
    ///   - idleTimeout: Maximum time without data from the server.
    ///   - connections: Maximum connections per host. Each open stream uses one.
    public convenience init(idleTimeout: Duration = .seconds(60), connections: Int = 16) {
        self.init(check: PinCheck(nil), idleTimeout: idleTimeout, connections: connections)
    }

    init(check: PinCheck, idleTimeout: Duration = .seconds(60), connections: Int = 16) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = TimeInterval(idleTimeout.components.seconds)
        configuration.httpMaximumConnectionsPerHost = connections
        configuration.httpCookieAcceptPolicy = .never
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        let calls = Calls(check)
        self.calls = calls
        self.check = check
        session = URLSession(configuration: configuration, delegate: calls, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    public func stream(_ request: HTTPRequest, body: HTTPBody) async throws -> HTTPStream {
        try Task.checkCancellation()
        try check.checkScheme(request)
        let outgoing = try URLRequest(request)
        let task: URLSessionTask
        switch body {
        case .none: task = session.dataTask(with: outgoing)
        case .data(let data): task = session.uploadTask(with: outgoing, from: data)
        case .file(let file): task = session.uploadTask(with: outgoing, fromFile: file)
        }
        let (calls, number) = (calls, task.taskIdentifier)
        let call = Call(cancel: { [weak task] in
            task?.cancel()
            calls.remove(number)
        })
        calls.add(call, for: number)
        task.resume()
        let head: HTTPResponse
        do {
            head = try await call.head()
        } catch {
            throw await TransportError.explained(error, server: request.address)
        }
        return HTTPStream(head: head, body: HTTPBytes { [chunks = Chunks(call)] in { try await chunks.call.next() } })
    }

    /// A token that cancels the call when the reader releases it.
    private final class Chunks: Sendable {
        let call: Call
        init(_ call: Call) { self.call = call }
        deinit { call.cancel() }
    }
}

/// The session's delegate, which routes each callback to its call.
private final class Calls: NSObject, URLSessionDataDelegate, Sendable {
    private let calls = Locked<[Int: Call]>([:])
    private let check: PinCheck

    init(_ check: PinCheck) { self.check = check }

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
        calls.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.ended(check.reason(error))
    }

    #if canImport(Security)
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let (disposition, credential) = check.answer(challenge)
            completionHandler(disposition, credential)
        }
    #endif

    // Redirects are returned to the caller, never followed.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

/// One call: the data that has arrived and the tasks that wait for more.
private final class Call: Sendable {
    private struct State {
        var head: HTTPResponse?
        var chunks: [Data] = []
        var bufferedBytes = 0
        var ending: Result<Void, any Error>?
        var headWaiter: CheckedContinuation<HTTPResponse, any Error>?
        var chunkWaiter: CheckedContinuation<Data?, any Error>?
    }
    private let state = Locked(State())
    private let cancelTask: @Sendable () -> Void

    init(cancel: @escaping @Sendable () -> Void) { cancelTask = cancel }

    /// Cancels the call. Resumes waiting tasks directly, because a session may not report a task that it has not started.
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
                    if !state.chunks.isEmpty {
                        let chunk = state.chunks.removeFirst()
                        state.bufferedBytes -= chunk.count
                        return .success(chunk)
                    }
                    if let ending = state.ending { return ending.map { nil } }
                    state.chunkWaiter = waiter
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
        let (waiter, exceedsLimit) = state.withLock { state -> (CheckedContinuation<Data?, any Error>?, Bool) in
            if let waiter = state.chunkWaiter {
                state.chunkWaiter = nil
                return (waiter, false)
            }
            state.chunks.append(data)
            state.bufferedBytes += data.count
            return (nil, state.bufferedBytes > URLSessionHTTP.maximumBuffered)
        }
        waiter?.resume(returning: data)
        if exceedsLimit { fail(TransportError(.tooLarge, "the reply is not being read")) }
    }

    func ended(_ error: (any Error)?) { end(error.map { .failure(TransportError.from($0)) } ?? .success(())) }

    private func fail(_ error: TransportError) {
        end(.failure(error))
        cancelTask()
    }

    private func end(_ ending: Result<Void, any Error>) {
        let (head, chunk, result) = state.withLock { state in
            if state.ending == nil { state.ending = ending }
            defer {
                state.headWaiter = nil
                state.chunkWaiter = nil
            }
            return (state.headWaiter, state.chunkWaiter, state.ending!)
        }
        chunk?.resume(with: result.map { nil })
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
    var httpResponse: HTTPResponse {
        var fields = HTTPFields()
        for (name, value) in allHeaderFields {
            guard let name = (name as? String).flatMap({ HTTPField.Name($0) }), let value = value as? String else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        return HTTPResponse(status: .init(code: statusCode), headerFields: fields)
    }
}
