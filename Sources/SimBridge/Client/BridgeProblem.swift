import ClientKit
import NetworkingKit
import PlatformKit
import SimBridgeCalls
package import SimBridgeWire
package import WireKit

/// The reason for a failure, in the detail that the user needs. The views define the words.
package enum BridgeProblem: PushProblem, Error, Hashable, Sendable {
    case address(ServerAddressError)
    /// The operator of this box has not allowed connections to the address.
    case notAllowed(ServerAddress)
    /// The relay cannot be reached.
    case network
    /// The user does not let the app use the local network, where the relay is.
    case localNetworkDenied
    /// The relay did not answer in time.
    case timeout
    /// The server at the address is no relay.
    case notARelay
    case invalidCredentials
    case usernameTaken
    /// Problems of a new password.
    case passwordTooShort, passwordTooLong, passwordCommon
    /// The password that confirms a change or a deletion is wrong.
    case wrongPassword
    /// The account was deleted, here or on another device.
    case accountDeleted
    case registrationClosed
    /// The token is refused: the user has to log in again.
    case sessionExpired
    /// The rate limit is reached; `seconds` until the next attempt is nil if the relay does not state it.
    case tooManyAttempts(seconds: Int?)
    /// The code does not have six digits.
    case malformedCode
    /// The relay refuses the code; the reason is nil if an older relay does not state it.
    case wrongCode(PairingRefusal.Reason?)
    /// The code belongs to a host of another account.
    case foreignCode
    case notPaired
    /// No host is paired.
    case noHost
    case number(PhoneNumber.Problem)
    case textEmpty
    case textTooLong
    /// The line is down, and the command cannot wait.
    case notConnected
    case hostOffline
    /// The text was too old to be sent.
    case expired
    /// The command to place or end a call reached the relay too late.
    case tooLate
    /// The outbox holds its maximum of texts.
    case full
    /// This phone could not store the value.
    case storage
    /// The user was not recognised, or cancelled.
    case notRecognised
    /// The phone does not let the app copy.
    case clipboard
    /// This phone cannot recognise its owner.
    case cannotRecognise
    /// Another refusal, in the relay's words.
    case relay(String)
    /// The relay is overloaded or has no room, in the relay's words.
    case unavailable(String)
    /// The request made the relay fail, in the relay's words.
    case fault(String)

    package init(_ error: any Error) {
        switch error {
        case let problem as BridgeProblem: self = problem
        case let error as ServerAddressError: self = .address(error)
        case let problem as PhoneNumber.Problem: self = .number(problem)
        case let error as RelayError: self.init(error)
        case let error as TransportError: self.init(error.code)
        // The user does not wait for the reply any more.
        case is CancellationError: self = .network
        case is OutboxFull: self = .full
        case PhoneError.denied, PhoneError.absent: self = .notRecognised
        case PhoneError.unsupported: self = .cannotRecognise
        default: self = .storage
        }
    }

    private init(_ code: TransportError.Code) {
        switch code {
        case .timedOut: self = .timeout
        case .localNetworkDenied: self = .localNetworkDenied
        case .address: self = .address(.invalidHost)
        default: self = .network
        }
    }

    private init(_ error: RelayError) {
        self =
            switch error.code {
            case .unreachable(let code): Self(code)
            case .notARelay: .notARelay
            case .invalidCredentials: .invalidCredentials
            case .tokenRefused: .sessionExpired
            case .accountDeleted: .accountDeleted
            case .usernameTaken: .usernameTaken
            case .registrationClosed: .registrationClosed
            case .wrongPassword: .wrongPassword
            case .wrongPairingCode(let reason): .wrongCode(reason)
            case .foreignPairingCode: .foreignCode
            case .notPaired: .notPaired
            case .deadlinePassed: .tooLate
            case .tooManyAttempts(let seconds): .tooManyAttempts(seconds: seconds)
            case .unavailable: error.status == 500 ? .fault(error.detail) : .unavailable(error.detail)
            case .unknownHost, .other: .relay(error.detail)
            }
    }

    package var isTemporary: Bool {
        switch self {
        case .network, .localNetworkDenied, .timeout, .tooManyAttempts, .sessionExpired, .notARelay, .unavailable, .fault: true
        default: false
        }
    }

    package var isFault: Bool { if case .fault = self { true } else { false } }
    package var isUnknownPath: Bool { self == .notARelay }

    // MARK: Codes in the outbox

    private static let codes: [String: BridgeProblem] = [
        "network": .network, "timeout": .timeout, "notARelay": .notARelay, "sessionExpired": .sessionExpired,
        "tooManyAttempts": .tooManyAttempts(seconds: nil), "notPaired": .notPaired, "storage": .storage,
        OutboxItem.expired: .expired,
    ]

    package init(code: String) { self = Self.codes[code] ?? .relay(code) }

    package var code: String {
        switch self {
        case .relay(let sentence), .unavailable(let sentence), .fault(let sentence): sentence
        default: Self.codes.first { $0.value == self }?.key ?? "relay"
        }
    }
}
