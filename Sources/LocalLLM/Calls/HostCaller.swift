import Foundation
package import LocalLLMWire
package import NetworkingKit
import WireKit

/// A program's client of one host: connects when a request needs it, and runs one request at a time.
///
/// ```
///   idle ─▶ connecting ─▶ open ◀─▶ request
///              │   ▲        │
///              ▼   │        ▼
///             failed ◀──────┘         the next request, or the request under way, connects again
/// ```
///
/// Only a host that proves the Server ID as its key is accepted, so no user has to be asked about a key. ``close()`` ends the
/// connection; without it, the connection outlives the caller.
package actor HostCaller {
    package enum State: Hashable, Sendable {
        case idle
        case connecting
        /// The host asks its user to approve this caller; true if the host refused the invitation.
        case awaitingApproval(hasInvalidInvitation: Bool)
        case open(ServerInfo)
        case failed(ChatProblem)
    }

    /// A part of an answer.
    package enum Event: Hashable, Sendable {
        case text(String)
        case progress(ChatProgress)
    }

    /// The end of an answer.
    package struct End: Hashable, Sendable {
        package var reason: FinishReason
        /// Count of the oldest turns that the model did not get.
        package var omittedCount: Int
    }

    private final class Request {
        let id: RequestID
        var start: ChatStart
        let receive: @Sendable (Event) async throws -> Void
        var size = 0
        /// The number of the connection that the request was written to.
        var number = 0
        /// Count of the connections lost since the last part of the answer.
        var lossCount = 0
        var result: Result<End, any Error>?

        init(_ start: ChatStart, _ receive: @escaping @Sendable (Event) async throws -> Void) {
            // A UUID has a permitted length.
            id = RequestID(UUID().uuidString.lowercased())!
            (self.start, self.receive) = (start, receive)
        }
    }

    /// Maximum time of a dial.
    private static let dialTimeout = Duration.seconds(30)
    /// Maximum time to restore a connection that was lost during an answer.
    private static let resumeTimeout = Duration.seconds(20)
    /// Maximum connections lost without a further part of the answer.
    private static let maximumLossCount = 5
    /// Maximum messages that belong to no request, from one request to the next. More end the connection.
    private static let maximumOtherCount = 200

    /// Count of the first digits of a caller's key, by which hosts name the caller to their users.
    package static let nameLength = 8

    package nonisolated let serverID: ServerID
    package private(set) var state = State.idle
    /// The name by which the host asks its user about this caller; empty before the first dial.
    package private(set) var ownName = ""

    private let clock: any Clock<Duration>
    private let maximumAnswerSize: Int
    private let makeDialler: @Sendable () async throws -> any ByteStreamDialler
    private var invitation: Invitation?
    private var connection: HostConnection?
    private var running: Task<Void, Never>?
    /// The number of the current connection; changed by ``close()`` as well.
    private var number = 0
    /// The failure of the latest connection.
    private var lastProblem = ChatProblem(.hostDisconnected)
    private var request: Request?
    private var otherCount = 0
    private var aborting: Task<Void, Never>?
    private var waiters: [Int: AsyncStream<Never>.Continuation] = [:]
    private var waiterCount = 0

    /// - Parameters:
    ///   - maximumAnswerSize: Maximum in bytes of UTF-8. A longer answer is aborted, and ends with ``FinishReason/length``.
    ///   - makeDialler: Called for every dial.
    package init(
        _ link: HostLink, clock: any Clock<Duration>, maximumAnswerSize: Int = 65_536,
        makeDialler: @escaping @Sendable () async throws -> any ByteStreamDialler
    ) {
        (serverID, invitation, self.clock) = (link.serverID, link.invitation, clock)
        (self.maximumAnswerSize, self.makeDialler) = (maximumAnswerSize, makeDialler)
    }

    // MARK: The connection

    /// Begins to connect, unless the connection is open or under way.
    package func beginConnecting() {
        switch state {
        case .open, .connecting, .awaitingApproval: return
        case .idle, .failed: break
        }
        number += 1
        state = .connecting
        let number = number
        // Lives as long as the connection: `close` cancels it.
        running = Task { await self.run(number) }
    }

    /// Waits for the connection. An attempt in progress continues when the calling task is cancelled.
    ///
    /// - Throws: ``ChatProblem``, `approvalPending` while the user of the host is being asked; `CancellationError`.
    @discardableResult
    package func connect() async throws -> ServerInfo {
        beginConnecting()
        while true {
            try Task.checkCancellation()
            switch state {
            case .open(let info): return info
            case .failed(let problem): throw problem
            case .idle: throw ChatProblem(.hostDisconnected)
            case .awaitingApproval: throw ChatProblem(.approvalPending)
            case .connecting: await change()
            }
        }
    }

    /// Ends the connection and the request on it. A later request connects again.
    package func close() {
        running?.cancel()
        aborting?.cancel()
        connection?.close()
        (running, aborting, connection) = (nil, nil, nil)
        number += 1
        set(.idle)
    }

    private func run(_ number: Int) async {
        let problem: ChatProblem
        do {
            let connection = try await dial(number)
            defer { connection.close() }
            while let message = try await connection.receive() {
                guard number == self.number else { return }
                try await received(message, on: connection)
            }
            problem = connection.problem ?? ChatProblem(.hostDisconnected)
        } catch let error as ChatProblem {
            problem = error
        } catch let error as DialError {
            problem = ChatProblem(error)
        } catch is CancellationError {
            problem = ChatProblem(.hostDisconnected)
        } catch {
            let isOpen = if case .open = state { true } else { false }
            problem =
                isOpen ? connection?.problem ?? ChatProblem(.hostDisconnected) : ChatProblem(.connectFailed, message: "\(error)")
        }
        guard number == self.number else { return }
        connection = nil
        lastProblem = problem
        set(.failed(problem))
    }

    private func dial(_ number: Int) async throws -> HostConnection {
        let dialler = try await makeDialler()
        ownName = String(dialler.ownKey.description.prefix(Self.nameLength))
        guard dialler.ownKey.bytes.elementsEqual(serverID.bytes) else {
            return try await connection(over: dialler, number)
        }
        throw ChatProblem(.invalidServerID, message: "This is the caller’s own key.")
    }

    private func connection(over dialler: any ByteStreamDialler, _ number: Int) async throws -> HostConnection {
        let stream = try await HostDial(id: serverID, dialler: dialler, clock: clock) { _ in }.run(within: Self.dialTimeout)
        let connection = HostConnection(stream) { _ in }
        do {
            guard connection.hostKey.bytes.elementsEqual(serverID.bytes) else { throw ChatProblem(.hostOffline, .impostor) }
            try await connection.introduction(clock: clock, inviting: invitation) { [weak self] hasInvalidInvitation in
                await self?.awaitApproval(number, hasInvalidInvitation)
            }
            guard number == self.number else { throw CancellationError() }
        } catch {
            connection.close()
            throw error
        }
        // The invitation is used, or was not needed.
        invitation = nil
        self.connection = connection
        return connection
    }

    private func awaitApproval(_ number: Int, _ hasInvalidInvitation: Bool) {
        guard number == self.number, connection == nil, running != nil else { return }
        if hasInvalidInvitation { invitation = nil }
        set(.awaitingApproval(hasInvalidInvitation: hasInvalidInvitation))
    }

    // MARK: Requests

    /// Requests an answer. If the connection is lost meanwhile, restores the connection and resumes the answer.
    ///
    /// - Parameters:
    ///   - start: The request, whose features are replaced by those of this caller.
    ///   - receive: Called with each part, in order. The host waits while it runs. An error that it throws ends the request.
    /// - Throws: ``ChatProblem``, `modelBusy` while another request of this caller runs; the error of `receive`; `CancellationError`.
    package func ask(
        _ start: ChatStart, _ receive: @escaping @Sendable (Event) async throws -> Void
    ) async throws -> End {
        guard request == nil else { throw ChatProblem(.modelBusy) }
        let request = Request(start, receive)
        self.request = request
        otherCount = 0
        defer { if self.request === request { self.request = nil } }
        request.start.accept = [.progress, .resume].filter(try await connect().features.contains)
        try await write(request)
        while true {
            if let result = request.result { return try result.get() }
            if Task.isCancelled {
                abort(request)
                throw CancellationError()
            }
            guard case .open = state, request.number == number else {
                let isOver = request.lossCount >= Self.maximumLossCount || !request.start.accept.contains(.resume)
                if isOver || running == nil { throw lastProblem }
                if request.lossCount > 0 { try await clock.sleep(for: .seconds(request.lossCount)) }
                request.lossCount += 1
                try await reconnect()
                try await write(request)
                continue
            }
            await change()
        }
    }

    /// Retries until the connection is restored, for at most ``resumeTimeout``.
    private func reconnect() async throws {
        do {
            try await withTimeout(Self.resumeTimeout, clock: clock) { [clock] in
                var pause = 0
                while try await !self.isConnectedAgain() {
                    pause += 1
                    try await clock.sleep(for: .seconds(pause))
                }
            }
        } catch is TransportError {
            throw lastProblem
        }
    }

    /// - Returns: False after a failure that may be temporary.
    private func isConnectedAgain() async throws -> Bool {
        guard running != nil else { throw lastProblem }
        do {
            try await connect()
            return true
        } catch let problem as ChatProblem where problem.mayPass && running != nil {
            return false
        }
    }

    /// Writes a request. A failed write closes the connection, which the reader reports.
    private func write(_ request: Request) async throws {
        request.number = number
        do {
            try await connection?.send(.chatStart(request.id, request.start))
        } catch is TransportError {
            connection?.close()
        }
    }

    private func abort(_ request: Request) {
        guard let connection else { return }
        let id = request.id
        // The caller is cancelled already. Ends with the write, or with the connection.
        aborting = Task { try? await connection.send(.abort(id)) }
    }

    private func received(_ message: Message, on connection: HostConnection) async throws {
        if case .serverInfo(let info) = message {
            // An equal introduction changes nothing.
            let info = info.shown
            if state != .open(info) { set(.open(info)) }
        }
        guard let request, message.requestID == request.id, request.result == nil else {
            otherCount += 1
            guard otherCount <= Self.maximumOtherCount else { throw ChatProblem(.badMessage, message: "The host sends too much.") }
            // The host could not read the request.
            if case .error(nil, let report) = message, report.code == .badMessage { finish(.failure(ChatProblem(report))) }
            return
        }
        do {
            request.lossCount = 0
            switch message {
            case .chatChunk(_, let chunk):
                if let seq = chunk.seq {
                    guard seq > request.start.after else { return }
                    request.start.after = seq
                }
                request.size += chunk.text.utf8.count
                guard request.size <= maximumAnswerSize else {
                    abort(request)
                    return finish(.success(End(reason: .length, omittedCount: 0)))
                }
                try await request.receive(.text(chunk.text))
            case .chatProgress(_, let progress): try await request.receive(.progress(progress))
            case .chatEnd(_, let reason, let omitted): finish(.success(End(reason: reason, omittedCount: omitted)))
            case .error(_, let report): finish(.failure(ChatProblem(report)))
            default: break
            }
        } catch {
            // An error of `receive`: the caller does not want the rest.
            abort(request)
            if request.result == nil { request.result = .failure(error) }
            notify()
        }
    }

    private func finish(_ result: Result<End, any Error>) {
        guard let request, request.result == nil else { return }
        request.result = result
        notify()
    }

    // MARK: Waiting

    private func set(_ state: State) {
        self.state = state
        notify()
    }

    private func notify() {
        let woken = waiters.values
        waiters = [:]
        for waiter in woken { waiter.finish() }
    }

    /// Waits for a change of the state or of the request, or for the end of the calling task.
    private func change() async {
        let (changes, continuation) = AsyncStream.makeStream(of: Never.self)
        waiterCount += 1
        let waiter = waiterCount
        waiters[waiter] = continuation
        for await _ in changes {}
        waiters[waiter] = nil
    }
}

extension ChatProblem {
    /// True if the next attempt to connect may succeed.
    fileprivate var mayPass: Bool {
        switch code {
        case .hostOffline: cause != .impostor
        case .connectFailed, .hostDisconnected: true
        default: false
        }
    }
}
