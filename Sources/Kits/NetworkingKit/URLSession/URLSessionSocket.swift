import Foundation
public import HTTPTypes
import WireKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A WebSocket transport by `URLSession`, for iPhones. It compiles on Linux, where Foundation has no working implementation.
public final class URLSessionSocket: SocketTransport {
    private let session: URLSession
    private let opened: Openings
    private let check: PinCheck

    public convenience init() { self.init(check: PinCheck(nil)) }

    init(check: PinCheck) {
        self.check = check
        opened = Openings(check)
        session = URLSession(configuration: .ephemeral, delegate: opened, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    public func connect(_ request: HTTPRequest, maximumMessageSize: Int) async throws -> any SocketConnection {
        try Task.checkCancellation()
        try check.checkScheme(request)
        let task = session.webSocketTask(with: try URLRequest(webSocket: request))
        task.maximumMessageSize = maximumMessageSize
        let opening = opened.expect(task.taskIdentifier)
        task.resume()
        do {
            try await withTaskCancellationHandler {
                for try await _ in opening { break }
            } onCancel: {
                task.cancel()
            }
        } catch {
            try Task.checkCancellation()
            throw await TransportError.explained(error, server: request.address)
        }
        try Task.checkCancellation()
        return URLSessionSocketConnection(task)
    }
}

/// The session's delegate, which reports the opening of a socket, or its failure, to the caller.
private final class Openings: NSObject, URLSessionWebSocketDelegate, Sendable {
    private let waiters = Locked<[Int: AsyncThrowingStream<Void, any Error>.Continuation]>([:])
    private let check: PinCheck

    init(_ check: PinCheck) { self.check = check }

    func expect(_ task: Int) -> AsyncThrowingStream<Void, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Void.self)
        waiters.withLock { $0[task] = continuation }
        return stream
    }

    private func take(_ task: URLSessionTask) -> AsyncThrowingStream<Void, any Error>.Continuation? {
        waiters.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    }

    func urlSession(_ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?) {
        let waiter = take(webSocketTask)
        waiter?.yield()
        waiter?.finish()
    }

    // `URLSessionSocketConnection.end` reads the close code from the task.
    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    ) {}

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        take(task)?.finish(throwing: TransportError.opening(check.reason(error), task.response))
    }

    // A redirect is a refusal, never followed: it would take the token to another server.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
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
}

private final class URLSessionSocketConnection: SocketConnection {
    private let task: URLSessionWebSocketTask

    init(_ task: URLSessionWebSocketTask) { self.task = task }

    deinit { task.cancel() }

    func receive() async throws -> SocketMessage? {
        do {
            switch try await withTaskCancellationHandler(operation: { try await task.receive() }, onCancel: { task.cancel() }) {
            case .string(let text): return .text(text)
            case .data(let data): return .data(data)
            @unknown default: throw TransportError(.malformed, "a message of an unknown kind")
            }
        } catch let error as TransportError {
            throw error
        } catch {
            try Task.checkCancellation()
            if end != nil { return nil }
            throw TransportError.from(error)
        }
    }

    func send(_ message: SocketMessage) async throws {
        do {
            switch message {
            case .text(let text): try await task.send(.string(text))
            case .data(let data): try await task.send(.data(data))
            }
        } catch {
            try Task.checkCancellation()
            throw TransportError.from(error)
        }
    }

    func ping() async throws {
        // The callback may run twice, or never, when the task ends meanwhile.
        let waiting = Locked<CheckedContinuation<Void, any Error>?>(nil)
        @Sendable func finish(_ result: Result<Void, any Error>) {
            waiting.withLock { waiter in
                defer { waiter = nil }
                return waiter
            }?.resume(with: result)
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
                waiting.withLock { $0 = waiter }
                task.sendPing { error in finish(error.map { .failure(TransportError.from($0)) } ?? .success(())) }
                if Task.isCancelled { finish(.failure(CancellationError())) }
            }
        } onCancel: {
            finish(.failure(CancellationError()))
        }
    }

    func close(_ end: SocketEnd) {
        task.cancel(
            with: URLSessionWebSocketTask.CloseCode(rawValue: Int(end.code)) ?? .normalClosure, reason: Data(end.reason.utf8))
    }

    var end: SocketEnd? {
        guard task.closeCode != .invalid else { return nil }
        return SocketEnd(
            UInt16(clamping: task.closeCode.rawValue), task.closeReason.map { String(decoding: $0, as: UTF8.self) } ?? "")
    }
}

extension URLRequest {
    /// Creates the request that opens a WebSocket. `URLSession` opens WebSockets at `ws` and `wss` addresses only.
    init(webSocket request: HTTPRequest) throws(TransportError) {
        var request = request
        switch request.scheme?.lowercased() {
        case "http", "ws": request.scheme = "ws"
        case "https", "wss": request.scheme = "wss"
        default: throw TransportError(.address, "\(request.scheme ?? "no scheme") is not the scheme of a WebSocket")
        }
        try self.init(request)
    }
}
