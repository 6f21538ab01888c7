import Foundation
import HTTPTypes
import NetworkingKit
import SimBridgeWire
import WireKit

/// Why the relay did not do what was asked, in words for the person at the host's terminal.
package struct RelayProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// Nobody answers there.
        case unreachable
        /// What answers is no relay, or one that cannot do this.
        case notARelay
        /// User name or password is wrong.
        case wrongPassword
        /// The token is not valid any more.
        case tokenRefused
        case usernameTaken
        case tooManyAttempts
        /// The relay does not know the device.
        case deviceUnknown
        /// Another copy of this host is connected.
        case replaced
        case other
    }

    package var code: Code
    package var description: String

    package init(_ code: Code, _ description: String) {
        (self.code, self.description) = (code, description.printable)
    }
}

/// The relay's endpoints as calls, which throw ``RelayProblem`` or `CancellationError`.
struct RelayAPI: ServiceCalls {
    /// How long a call may take (contract, section 4).
    static let timeout: Duration = .seconds(30)
    let service: RemoteService
    let clock: any Clock<Duration>

    func register(_ credentials: Credentials) async throws {
        _ = try await call(SimBridgeEndpoints.register, body: credentials)
    }

    /// - Returns: A token.
    func login(_ credentials: Credentials) async throws -> String {
        try await call(SimBridgeEndpoints.login, body: credentials).token
    }

    func addDevice(_ name: String, token: String) async throws -> Device.ID {
        try await call(SimBridgeEndpoints.addDevice, body: DeviceRegistration(name: name, type: .host), token: token).id
    }

    func devices(token: String) async throws -> [Device] { try await call(SimBridgeEndpoints.devices, token: token) }

    func pairingCode(for device: Device.ID, token: String) async throws -> PairingCode {
        try await call(SimBridgeEndpoints.pair, query: "?host_device_id=\(device)", token: token)
    }

    func value<Value: Decodable & Sendable>(of reply: HTTPReply, to path: String, hasToken: Bool) throws -> Value {
        guard reply.head.status.code == 200 else { throw problem(reply, path: path, hasToken: hasToken) }
        guard let value = try? WireJSON.decode(Value.self, from: reply.body) else { throw notARelay(path) }
        return value
    }

    func failure(_ error: TransportError) -> any Error { RelayProblem(error, at: service.address) }

    private func problem(_ reply: HTTPReply, path: String, hasToken: Bool) -> RelayProblem {
        guard let failure = try? WireJSON.decode(ErrorReply.self, from: reply.body) else { return notARelay(path) }
        let said = String(failure.sentence.prefix(300))
        switch reply.head.status.code {
        case 400 where said == "Username already taken": return RelayProblem(.usernameTaken, said)
        case 401 where !hasToken:
            return RelayProblem(.wrongPassword, "The relay says: \(said). Check the user name and the password.")
        case 401, 403: return RelayProblem(.tokenRefused, "The relay says: \(said)")
        case 404 where said == "Host device not found": return RelayProblem(.deviceUnknown, said)
        case 404, 405: return notARelay(path)
        case 429:
            let wait = reply.head.headerFields[.retryAfter].map { " Try again in \($0) seconds." } ?? " Try again in a minute."
            return RelayProblem(.tooManyAttempts, "The relay has seen too many attempts to log in.\(wait)")
        default: return RelayProblem(.other, "The relay says: \(said) (\(reply.head.status.code))")
        }
    }

    private func notARelay(_ path: String) -> RelayProblem {
        RelayProblem(
            .notARelay,
            "What answers at \(service.address.absoluteString) is no SimBridge relay, or one too old for this host (it does not know \(path)). Check --relay, or update the relay."
        )
    }
}

extension RelayProblem {
    init(_ error: TransportError, at address: URL) {
        let place = address.absoluteString
        switch error.code {
        case .address: self.init(.other, "\(place) is not the address of a relay; one looks like http://localhost:8100")
        case .network, .ended: self.init(.unreachable, "No relay answers at \(place). Does it run, and is this machine online?")
        case .timedOut: self.init(.unreachable, "The relay at \(place) does not answer in time.")
        case .tls:
            self.init(
                .unreachable,
                "The relay at \(place) cannot be trusted, or speaks no TLS (\(error.detail.prefix(200))). Try http, or check its certificate."
            )
        case .refused, .malformed, .tooLarge:
            self.init(.notARelay, "What answers at \(place) is no SimBridge relay, or one too old for this host.")
        }
    }
}
