package import Foundation
package import Hummingbird
package import TestKit
import WireKit

/// Apple's push service on a bad day. Checks each request as ``StandInAPNS`` does, fails one in ten, and records what it accepts.
///
/// A notification fails once at most. A connection is closed only while that holds for each
/// notification that is known to be under way on it.
package final class UnreliableAPNS: Sendable {
    package enum Fault: String, CaseIterable, Sendable {
        case internalServerError, serviceUnavailable, shutdown, tooManyRequests
        /// A start token that dies with this request.
        case deadToken
        /// The connection is closed before the notification is accepted.
        case connectionLost
        /// The connection is closed after the notification was accepted.
        case replyLost
    }

    package struct Acceptance: Sendable {
        /// `apns-id`.
        package var id: String
        package var collapseID: String
        /// `apns-push-type`.
        package var type: String
        package var token: String
        package var body: Data
    }

    fileprivate struct State {
        var random: SeededGenerator
        var acceptances: [Acceptance] = []
        /// The accepted notifications of each token, without repetitions.
        var accepted: [String: Set<String>] = [:]
        var requests = 0
        var refusals: [String] = []
        var faults: [Fault: Int] = [:]
        /// The faults to come, in order.
        var plan: [Fault] = []
        var requestsUntilFault = 10
        /// The notifications that have failed.
        var failed: Set<String> = []
        /// The notifications under way, by connection.
        var active: [String: Set<String>] = [:]
        /// The requests that each start token survives.
        var lives: [String: Int] = [:]
        /// The time of death, in milliseconds since 1970.
        var dead: [String: Int64] = [:]
    }

    fileprivate enum Decision {
        case accept, acceptAndHangUp, hangUp
        case answer(StandInAPNS.Answer)
    }

    private let checks: StandInAPNS
    private let state: Locked<State>

    package init(checks: StandInAPNS, random: SeededGenerator) {
        self.checks = checks
        state = Locked(State(random: random))
    }

    /// The accepted notifications, in order. One that was sent again after a lost reply is in it again.
    package var acceptances: [Acceptance] { state.withLock { $0.acceptances } }
    package var acceptanceCount: Int { state.withLock { $0.acceptances.count } }
    /// The number of accepted notifications for these tokens, without repetitions.
    package func acceptanceCount(of tokens: [String]) -> Int {
        state.withLock { state in tokens.reduce(0) { $0 + (state.accepted[$1]?.count ?? 0) } }
    }
    package var requestCount: Int { state.withLock { $0.requests } }
    /// The requests that broke a rule of the protocol.
    package var refusals: [String] { state.withLock { $0.refusals } }
    package var faults: [Fault: Int] { state.withLock { $0.faults } }
    package var deadTokens: Set<String> { state.withLock { Set($0.dead.keys) } }

    /// Lets a start token die with one of its first three requests: the phone has few friends whose first message uses it.
    package func setMortal(_ token: String) { state.withLock { $0.lives[token] = Int.random(in: 0..<3, using: &$0.random) } }

    package func answer(_ request: ReceivedRequest) async throws -> Response {
        if let failure = checks.check(request) {
            let text = "\(failure.status) \(failure.reason): \(request.headers) \(String(decoding: request.body, as: UTF8.self))"
            state.withLock { $0.refusals.append(text) }
            return StandInAPNS.response(failure, to: request)
        }
        let (decision, acceptsFirst, latency) = state.withLock { state in
            let decision = state.decide(request)
            let acceptsFirst = Bool.random(using: &state.random)
            if acceptsFirst { state.accept(request, decision) }
            return (decision, acceptsFirst, Int.random(in: 0...15, using: &state.random))
        }
        defer { state.withLock { _ = $0.active[request.connection]?.remove(request.id) } }
        // The time of a request on the network: a kill of the service meets some that are accepted, and some that never will be.
        try await Task.sleep(for: .milliseconds(latency))
        if !acceptsFirst { state.withLock { $0.accept(request, decision) } }
        switch decision {
        case .accept: return StandInAPNS.response(.init(status: 200, reason: ""), to: request)
        case .answer(let answer): return StandInAPNS.response(answer, to: request)
        case .hangUp, .acceptAndHangUp: throw SecureServer.Hangup()
        }
    }
}

extension UnreliableAPNS.State {
    fileprivate mutating func accept(_ request: ReceivedRequest, _ decision: UnreliableAPNS.Decision) {
        switch decision {
        case .accept, .acceptAndHangUp: break
        case .hangUp, .answer: return
        }
        accepted[request.token, default: []].insert(request.id)
        acceptances.append(
            UnreliableAPNS.Acceptance(
                id: request.id, collapseID: request.header("apns-collapse-id") ?? "", type: request.header("apns-push-type") ?? "",
                token: request.token, body: request.body))
    }

    fileprivate mutating func decide(_ request: ReceivedRequest) -> UnreliableAPNS.Decision {
        requests += 1
        active[request.connection, default: []].insert(request.id)
        if let died = dead[request.token] { return .answer(.init(status: 410, reason: "Unregistered", timestamp: died)) }
        guard !failed.contains(request.id), let fault = nextFault(for: request) else { return .accept }
        faults[fault, default: 0] += 1
        failed.insert(request.id)
        switch fault {
        case .internalServerError: return .answer(.init(status: 500, reason: "InternalServerError"))
        case .serviceUnavailable: return .answer(.init(status: 503, reason: "ServiceUnavailable"))
        case .shutdown: return .answer(.init(status: 503, reason: "Shutdown"))
        case .tooManyRequests: return .answer(.init(status: 429, reason: "TooManyRequests", retryAfter: 1))
        case .deadToken:
            let now = Timestamp.now.milliseconds
            dead[request.token] = now
            return .answer(.init(status: 410, reason: "Unregistered", timestamp: now))
        case .connectionLost, .replyLost:
            failed.formUnion(active[request.connection] ?? [])
            return fault == .replyLost ? .acceptAndHangUp : .hangUp
        }
    }

    /// The death of the token, or else the first planned fault that is possible now.
    private mutating func nextFault(for request: ReceivedRequest) -> UnreliableAPNS.Fault? {
        if let left = lives[request.token] {
            lives[request.token] = left - 1
            if left == 0 { return .deadToken }
        }
        requestsUntilFault -= 1
        guard requestsUntilFault <= 0 else { return nil }
        if plan.isEmpty { plan = UnreliableAPNS.Fault.allCases.filter { $0 != .deadToken }.shuffled(using: &random) }
        let index = plan.firstIndex { fault in
            switch fault {
            case .connectionLost, .replyLost: failed.isDisjoint(with: active[request.connection] ?? [])
            default: true
            }
        }
        guard let index else { return nil }
        requestsUntilFault = Int.random(in: 5...15, using: &random)
        return plan.remove(at: index)
    }
}

extension ReceivedRequest {
    fileprivate var id: String { header("apns-id") ?? "" }
    fileprivate var token: String { String(path.split(separator: "/").last ?? "") }
}
