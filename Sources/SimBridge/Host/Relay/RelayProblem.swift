import Foundation
import NetworkingKit
import SimBridgeCalls
import WireKit

/// The reason why a request to the relay failed, in words for the terminal.
package struct RelayProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// No relay answers.
        case unreachable
        /// The server is no relay, or one that does not know the call.
        case notARelay
        /// The user name or the password is wrong.
        case wrongPassword
        /// The token is not valid any more.
        case tokenRefused
        /// The account of the host was deleted.
        case accountDeleted
        case usernameTaken
        case tooManyAttempts
        /// The relay does not know the device.
        case deviceUnknown
        /// Another copy of this host has connected.
        case replaced
        case other
    }

    package var code: Code
    package var description: String

    package init(_ code: Code, _ description: String) {
        (self.code, self.description) = (code, description.printableInOneRow)
    }

    package static let accountDeleted = RelayProblem(
        .accountDeleted,
        "The account of this host has been deleted. The host has forgotten its login and its pairing, and everything that still waited for the relay. Start it again with --register, or with --user, to use another account."
    )

    package static let replaced = RelayProblem(
        .replaced,
        "Another copy of this host has connected with the same data. Two would replace each other for ever: this one ends.")
}

extension RelayProblem {
    /// - Parameter address: The address of the relay.
    init(_ error: RelayError, at address: URL) {
        let detail = String(error.detail.prefix(300))
        switch error.code {
        case .unreachable(let code): self.init(TransportError(code, error.detail), at: address)
        case .usernameTaken:
            self.init(
                .usernameTaken,
                "There is an account of this name already, with another password. Leave out --register, or choose another name.")
        case .invalidCredentials:
            self.init(.wrongPassword, "The relay says: \(detail). Check the user name and the password.")
        case .tokenRefused: self.init(.tokenRefused, "The relay says: \(detail)")
        case .accountDeleted: self = .accountDeleted
        case .unknownHost: self.init(.deviceUnknown, detail)
        case .tooManyAttempts(let seconds):
            let wait = seconds.map { " Try again in \($0) seconds." } ?? " Try again in a minute."
            self.init(.tooManyAttempts, "The relay has seen too many attempts to log in.\(wait)")
        case .notARelay: self.init(notARelayAt: address, path: error.path)
        case .registrationClosed, .wrongPassword, .wrongPairingCode, .foreignPairingCode, .notPaired, .deadlinePassed, .unavailable,
            .other:
            switch error.status {
            case 403: self.init(.tokenRefused, "The relay says: \(detail)")
            case 404: self.init(notARelayAt: address, path: error.path)
            default: self.init(.other, "The relay says: \(detail) (\(error.status ?? 0))")
            }
        }
    }

    private init(notARelayAt address: URL, path: String) {
        let place = address.absoluteString
        self.init(
            .notARelay,
            "What answers at \(place) is no SimBridge relay, or one too old for this host (it does not know \(path)). Check --relay, or update the relay."
        )
    }

    init(_ error: TransportError, at address: URL) {
        let place = address.absoluteString
        switch error.code {
        case .address: self.init(.other, "\(place) is not the address of a relay; one looks like http://localhost:8100")
        case .network, .ended: self.init(.unreachable, "No relay answers at \(place). Does it run, and is this machine online?")
        case .localNetworkDenied: self.init(.unreachable, "This program may not use the local network, where \(place) is.")
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
