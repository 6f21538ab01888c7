package import ClientKit
package import EndlessCodeWire
package import Foundation
package import NetworkingKit
import PlatformKit
import WireKit

/// The line to the current server.
extension AgentClient {
    // MARK: State

    /// The state of the line, for the icon.
    package var status: Status {
        switch engine.lineStatus {
        case .open: .connected
        case .connecting: .connecting
        case .down: .disconnected
        }
    }

    /// The time of the next attempt; nil while connected or connecting, and while the line waits for the user.
    package var nextAttempt: Date? { engine.nextAttempt }

    /// Calls `show` with the seconds until ``nextAttempt``, now and each second, until the attempt or the end of the calling task.
    package func followSecondsToNextAttempt(_ show: @MainActor (Int) -> Void) async {
        await engine.followSecondsToNextAttempt(show)
    }

    // MARK: Commands

    /// Connects now, at the user's request. Ends every ``hold``, whose question is then asked again.
    package func reconnect() {
        hold = nil
        if cellularConsent == false { cellularConsent = nil }
        // The line may still be ending after the failure that the user reacts to.
        wantsReconnect = true
        engine.reconnect()
    }

    /// Answers ``ConnectionHold/cellular``, or changes the answer. A yes counts until the network changes. A no ends the
    /// connection; ``reconnect()`` then asks again. No effect on another network.
    package func answerCellular(_ isAllowed: Bool) {
        guard networkLink == .cellular else { return }
        cellularConsent = isAllowed
        if isAllowed { return reconnect() }
        // Ends the connection. The next attempt is held at once.
        if hold == nil { restartLine() }
        hold = .cellularDeclined
    }

    /// Answers ``ConnectionHold/certificate(_:)``. A yes pins the certificate, and the token is sent.
    ///
    /// - Throws: ``CodeProblem`` `storage`.
    package func acceptCertificate(_ isAccepted: Bool) async throws(CodeProblem) {
        guard case .certificate(let found) = hold, var server else { return }
        guard isAccepted else { return hold = .certificateDeclined }
        server.fingerprint = found
        try await save(server)
    }

    /// Answers ``ConnectionHold/plainHTTP``. A yes is remembered with the server.
    ///
    /// - Throws: ``CodeProblem`` `storage`.
    package func acceptPlainHTTP(_ isAccepted: Bool) async throws(CodeProblem) {
        guard hold == .plainHTTP, var server else { return }
        guard isAccepted else { return hold = .plainHTTPDeclined }
        server.allowsPlainHTTP = true
        try await save(server)
    }

    // MARK: Opening

    /// Delays of 1, 2, 4 … 60 s; ten attempts.
    package nonisolated static var backoff: Backoff {
        Backoff(delays: [1, 2, 4, 8, 16, 32, 60].map { .seconds($0) }, jitter: 0, tries: 10)
    }
    package nonisolated static var numbering: EventCursor.Numbering { .increasing }

    @concurrent package nonisolated static func connect(
        as access: ServerAccess, after cursor: Int64?
    ) async throws -> any LineConnection<ServerFrame, ClientFrame> {
        guard let client = access.client else { throw CancellationError() }
        do {
            try await client.checkWay(of: access)
            guard let token = access.server.token else { throw CancellationError() }
            return try await ServerSocket.open(access.service, await client.query(), token: token, clock: client.phone.clock)
        } catch {
            throw await client.connectDidFail(error, access)
        }
    }

    /// Checks that the token may be sent.
    ///
    /// - Throws: ``Held``; `TransportError`; `CancellationError`.
    private func checkWay(of access: ServerAccess) async throws {
        guard access == engine.identity else { throw CancellationError() }
        wantsReconnect = false
        let server = access.server
        do throws(CodeProblem) {
            try await network.check(server.address)
        } catch {
            if case .notAllowed(let address) = error { throw Held(hold: .notAllowed(address)) }
            throw TransportError(.network, "no server answers there")
        }
        guard access == engine.identity else { throw CancellationError() }
        if needsCellularConsent { throw Held(hold: cellularConsent == nil ? .cellular : .cellularDeclined) }
        guard server.token != nil else { throw Held(hold: .tokenMissing) }
        if server.isProtected { return }
        guard server.address.scheme == .https else { throw Held(hold: .plainHTTP) }
        let found = try await fingerprint(of: server.address)
        guard access == engine.identity else { throw CancellationError() }
        throw Held(hold: .certificate(found))
    }

    /// Reads the fingerprint of a server's certificate.
    ///
    /// - Throws: `TransportError`; `CancellationError`.
    func fingerprint(of address: ServerAddress) async throws -> Fingerprint {
        let transports = network.transports
        return try await withTimeout(ServerSocket.openTimeout, clock: phone.clock) {
            try await transports.fingerprint(of: address.url)
        }
    }

    var needsCellularConsent: Bool { networkLink == .cellular && cellularConsent != true }

    private func connectDidFail(_ error: any Error, _ access: ServerAccess) -> any Error {
        guard access == engine.identity, !(error is CancellationError) else { return CancellationError() }
        if let held = error as? Held {
            (hold, problem) = (held.hold, nil)
            return LineFailure(.address, "held", isFinal: true)
        }
        let problem = CodeProblem(error)
        self.problem = problem
        switch problem {
        case .certificateChanged(let expected, let found):
            hold = .certificateChanged(expected: expected, found: found)
            return LineFailure(.tls, "another certificate", isFinal: true)
        case .tokenRefused:
            hold = .tokenRefused
            return LineFailure(.token, "the token is refused", isFinal: true)
        default: return LineFailure(error)
        }
    }

    package func lineDidFail(_ failure: LineFailure) async -> LineRecovery {
        if wantsReconnect { return .reopen(after: .zero) }
        if hold == nil { hold = .gaveUp }
        return .waitForUser
    }

    /// Returns the query of the next connection, with the cursors of sessions whose events the phone has without a gap.
    private func query() -> SocketQuery {
        let known = conversations.values.filter { $0.isCurrent && $0.id.isWireIdentifier && cursors[$0.id] != nil }
            .sorted { activityTime(of: $0.id) > activityTime(of: $1.id) }
            .prefix(Limits.cursorCount)
        let after = Dictionary(uniqueKeysWithValues: known.compactMap { known in cursors[known.id].map { (known.id, $0) } })
        queried = Set(after.keys)
        return SocketQuery(connectionId: phoneID, name: phoneNameToSend, after: after)
    }

    private func activityTime(of id: Session.ID) -> Timestamp { sessions[id]?.lastActiveAt ?? .earliest }

    // MARK: Changes

    package func lineDidChange() {
        if status == .connected {
            (hold, problem, wantsReconnect) = (nil, nil, false)
        } else {
            lineDidClose()
        }
    }

    private func lineDidClose() {
        for confirmation in confirmations.values { confirmation.yield(.lost) }
        // The server may not have received Stop. Stop is not repeated, because another turn may run by then.
        if expectations.contains(where: { $0.what == .stop }) { alert = .notConnected }
        expectations = []
        isSynced = false
    }

    package func keepalive() -> ClientFrame? { engine.isInFront ? .presence(isActive: true) : nil }

    package func foregroundDidChange() {
        engine.enqueue(.presence(isActive: engine.isInFront))
        guard engine.isInFront else { return persistSoon() }
        registration.retry()
        if isKeychainUnread { engine.tasks.request("servers") { try? await self.readServers() } }
        if hold == .gaveUp { reconnect() }
    }

    /// Reads the phone's network link once. The link is followed only while a server is in use.
    func readNetworkLink() async {
        guard engine.identity == nil else { return }
        for await link in phone.networkPath.links() {
            networkLink = link
            return
        }
    }

    func followNetworkLink() async {
        for await link in phone.networkPath.links() {
            guard link != networkLink else { continue }
            networkLink = link
            cellularConsent = nil
            switch (hold, link) {
            case (_, .none): break
            // The connection uses the previous network, even if it has not failed yet.
            case (nil, .cellular): restartLine()
            case (.cellular, .local), (.cellularDeclined, .local), (.gaveUp, _): reconnect()
            default: break
            }
        }
    }
}
