import Foundation
import HTTPTypes
import NetworkingKit
import PlatformKit
import SimBridgeWire
import WireKit

/// Why something did not work, as far as a person has to know. The App finds the words.
public enum BridgeProblem: Error, Hashable, Sendable {
    case address(ServerAddress.Problem)
    /// The relay cannot be reached.
    case network
    /// It did not answer in time.
    case timeout
    /// Whoever answers there is no relay.
    case notARelay
    case invalidCredentials
    case usernameTaken
    /// Of a new password.
    case passwordTooShort, passwordTooLong, passwordCommon
    /// The old password, when it is changed.
    case wrongPassword
    case registrationClosed
    /// The token is refused: log in again.
    case sessionExpired
    /// Too many attempts; seconds until the next one, where the relay says so.
    case tooManyAttempts(seconds: Int?)
    /// Not six digits.
    case malformedCode
    case wrongCode
    /// Of a host of another account.
    case foreignCode
    case notPaired
    /// No host is known to be paired with.
    case noHost
    case number(PhoneNumber.Problem)
    case textEmpty
    case textTooLong
    /// The line is down, and this cannot wait.
    case notConnected
    case hostOffline
    /// It waited too long to be sent.
    case expired
    /// A call or its end came to the relay too late.
    case tooLate
    /// No room for more that waits.
    case full
    /// This phone could not keep it.
    case storage
    /// The person is not recognised, or did not want to be.
    case notRecognised
    /// This phone cannot recognise its owner.
    case cannotRecognise
    /// The relay's own words, for what is not expected here.
    case relay(String)
    /// The same, when the trouble is the relay's.
    case unavailable(String)

    init(_ error: any Error) {
        switch error {
        case let problem as BridgeProblem: self = problem
        case let problem as ServerAddress.Problem: self = .address(problem)
        case let problem as PhoneNumber.Problem: self = .number(problem)
        case let error as TransportError:
            switch error.code {
            case .timedOut: self = .timeout
            case .address: self = .address(.malformed)
            default: self = .network
            }
        // Whoever asked does not wait any more.
        case is CancellationError: self = .network
        case is OutboxFull: self = .full
        case PhoneError.denied, PhoneError.absent: self = .notRecognised
        case PhoneError.unsupported: self = .cannotRecognise
        default: self = .storage
        }
    }

    /// - Parameter path: Of the call that failed.
    init(_ reply: HTTPReply, to path: String) {
        let status = reply.head.status.code
        guard let detail = try? WireJSON.decode(ErrorReply.self, from: reply.body) else {
            self = status == 401 ? .sessionExpired : .notARelay
            return
        }
        let sentence = detail.sentence
        switch (status, path) {
        case (401, "/auth/login"), (401, "/auth/google"): self = .invalidCredentials
        case (401, _): self = .sessionExpired
        // Older relays answer 403 to a call without a token (contract, section 1).
        case (403, _) where sentence == "Not authenticated": self = .sessionExpired
        case (400, "/auth/register"): self = .usernameTaken
        case (403, "/auth/register"): self = .registrationClosed
        case (403, "/auth/password"): self = .wrongPassword
        case (400, "/call") where sentence == LineFailure.deadlinePassedText: self = .tooLate
        case (400, "/pair/confirm"): self = .wrongCode
        case (403, "/pair/confirm"): self = .foreignCode
        case (403, _) where sentence == "Devices are not paired": self = .notPaired
        // What any server says that has other things than these.
        case (404, _) where sentence == "Not Found", (405, _): self = .notARelay
        case (500, _), (502..., _): self = .unavailable(sentence)
        case (429, _): self = .tooManyAttempts(seconds: reply.head.headerFields[.retryAfter].flatMap { Int($0) })
        default: self = .relay(sentence)
        }
    }

    /// Whether trying again later may help, without anybody doing anything.
    var isTemporary: Bool {
        switch self {
        case .network, .timeout, .tooManyAttempts, .sessionExpired, .notARelay, .unavailable: true
        default: false
        }
    }
}

extension HTTPField.Name { fileprivate static let retryAfter = Self("Retry-After")! }
