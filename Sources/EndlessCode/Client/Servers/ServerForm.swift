package import EndlessCodeWire
import Foundation
import NetworkingKit
import Observation
import PlatformKit
package import WireKit

/// The fields of the connection settings, and the test of their values, saved or not.
@MainActor
@Observable
package final class ServerForm {
    /// The steps of a test, in order.
    package enum Step: Hashable, Sendable, CaseIterable { case address, network, tls, token, server }

    package enum Phase: Hashable, Sendable {
        case idle
        /// The step that is running.
        case testing(Step)
        /// Asks whether the server's terminal shows this fingerprint: ``ServerForm/answer(_:)``.
        case asksCertificate(Fingerprint)
        /// Asks whether the token may be sent without encryption: ``ServerForm/answer(_:)``.
        case asksPlainHTTP
        /// Asks whether to use the cellular network, as there is no other: ``ServerForm/answer(_:)``.
        case asksCellular
        case works(Stats)
        case failed(Step, CodeProblem)
    }

    /// The field of the address. The text of a QR code fills both fields.
    package var address = "" {
        didSet {
            guard address != oldValue else { return }
            valuesChanged()
            if AgentClient.isLink(address), let link = try? ServerLink(address) { take(link) }
        }
    }
    /// The field of the token. The text of a QR code fills both fields.
    package var token = "" {
        didSet {
            guard token != oldValue else { return }
            valuesChanged()
            if AgentClient.isLink(token), let link = try? ServerLink(token) { take(link) }
        }
    }
    package internal(set) var phase = Phase.idle
    private weak var client: AgentClient?
    /// The consents of the user for the address in the field.
    private var fingerprint: Fingerprint?
    private var allowsPlainHTTP = false
    /// Count of changes of the fields and of tests. The result of an earlier test is ignored.
    private var version = 0

    init(_ client: AgentClient) {
        self.client = client
        guard let server = client.server, !server.isOffered else { return }
        (address, token) = (server.address.text, server.token?.text ?? "")
    }

    /// The syntax error of the typed address; nil while the field is empty or the address is valid.
    package var addressProblem: ServerAddressError? { address.isEmpty ? nil : AgentClient.addressProblem(of: address) }
    /// True if the field of the token has a text that is not a token; false for an empty field.
    package var isTokenInvalid: Bool { !tokenText.isEmpty && AccessToken(tokenText) == nil }
    package var canSave: Bool { !address.isEmpty && addressProblem == nil && !isTokenInvalid }

    private var tokenText: String { token.plainCode }

    private func take(_ link: ServerLink) {
        (address, token) = (link.address.text, link.token.text)
        fingerprint = link.fingerprint
    }

    private func valuesChanged() {
        version += 1
        phase = .idle
        (fingerprint, allowsPlainHTTP) = (nil, false)
    }

    // MARK: Test

    /// Tests the connection with the values in the fields: `/health`, then `/api/v1/stats` with the token. The result is ``phase``.
    package func test() async {
        version += 1
        let version = version
        do throws(Stop) {
            let stats = try await stats { if version == self.version { self.phase = .testing($0) } }
            if version == self.version { phase = .works(stats) }
        } catch {
            if version == self.version { phase = error.phase }
        }
    }

    /// Answers the question of ``phase``. A yes continues the test; after a no, nothing was sent.
    package func answer(_ isAccepted: Bool) async {
        switch phase {
        case .asksCertificate(let found): fingerprint = isAccepted ? found : nil
        case .asksPlainHTTP: allowsPlainHTTP = isAccepted
        case .asksCellular: client?.cellularConsent = isAccepted ? true : nil
        default: return
        }
        guard isAccepted else { return phase = .idle }
        await test()
    }

    /// The end of a test before its last step.
    private struct Stop: Error {
        var phase: Phase
    }

    private func stats(_ begin: (Step) -> Void) async throws(Stop) -> Stats {
        guard let client else { throw Stop(phase: .idle) }
        begin(.address)
        await client.readNetworkLink()
        let target: ServerAddress
        do throws(CodeProblem) {
            target = try AgentClient.address(address)
        } catch {
            throw Stop(phase: .failed(.address, error))
        }
        do throws(CodeProblem) {
            try await client.network.check(target)
        } catch {
            throw failure(error, .address)
        }
        if client.needsCellularConsent { throw Stop(phase: .asksCellular) }
        let known = client.known(target)
        let isTrusted = known?.isOffered == true || target.isProtected || known?.allowsPlainHTTP == true || allowsPlainHTTP
        guard isTrusted else { throw Stop(phase: .asksPlainHTTP) }
        begin(.network)
        let pin = fingerprint ?? known?.fingerprint
        if target.scheme == .https, pin == nil, known?.isOffered != true {
            do {
                throw Stop(phase: .asksCertificate(try await client.fingerprint(of: target)))
            } catch let stop as Stop {
                throw stop
            } catch {
                throw failure(CodeProblem(error), .network)
            }
        }
        let service = client.network.service(at: target, fingerprint: pin)
        let token = AccessToken(tokenText) ?? (tokenText.isEmpty ? known?.token : nil)
        let api = ServerAPI(service: service, token: token, clock: client.phone.clock)
        do {
            guard try await api.health().status == "ok" else { throw CodeProblem.notAServer }
        } catch {
            throw failure(CodeProblem(error), .server)
        }
        begin(.token)
        guard token != nil else {
            throw Stop(phase: .failed(.token, tokenText.isEmpty ? .tokenMissing : .invalidToken))
        }
        do {
            return try await api.stats()
        } catch {
            throw failure(CodeProblem(error), .server)
        }
    }

    /// - Parameter step: The step of a problem that does not belong to a certain step.
    private func failure(_ problem: CodeProblem, _ step: Step) -> Stop {
        let step: Step =
            switch problem {
            case .network, .localNetworkDenied, .timeout, .notConnected: .network
            case .tls, .certificateChanged: .tls
            case .tokenRefused, .tokenMissing, .invalidToken: .token
            case .address, .link, .notAllowed: .address
            default: step
            }
        return Stop(phase: .failed(step, problem))
    }

    // MARK: Saving

    /// Saves the values, uses this server and connects. A certificate that was accepted in the test is pinned.
    ///
    /// - Throws: As ``AgentClient/addServer(address:token:)``.
    package func save() async throws(CodeProblem) {
        guard let client else { return }
        _ = try await client.addServer(
            address: address, token: token, fingerprint: fingerprint, allowsPlainHTTP: allowsPlainHTTP)
    }
}
