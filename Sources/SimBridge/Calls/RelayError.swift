import HTTPTypes
package import NetworkingKit
package import SimBridgeWire
import WireKit

/// The failure of a call to the relay.
package struct RelayError: Error, Hashable, Sendable {
    package enum Code: Hashable, Sendable {
        /// No reply came.
        case unreachable(TransportError.Code)
        /// The server is not a relay, or is a relay that does not know the call.
        case notARelay
        case invalidCredentials
        /// The token is not valid any more.
        case tokenRefused
        /// The account of the token has been deleted.
        case accountDeleted
        case usernameTaken
        case registrationClosed
        /// The password that confirms a change or a deletion is wrong.
        case wrongPassword
        /// The relay refuses the pairing code; the reason is nil if an older relay does not state it.
        case wrongPairingCode(PairingRefusal.Reason?)
        /// The pairing code belongs to another account.
        case foreignPairingCode
        case notPaired
        case unknownHost
        case deadlinePassed
        /// The rate limit is reached; `seconds` until the next attempt is nil if the relay does not state it.
        case tooManyAttempts(seconds: Int?)
        /// The relay failed, or is overloaded: status 500, or 502 and higher.
        case unavailable
        case other
    }

    package var code: Code
    /// The relay's words, or those of the transport.
    package var detail: String
    package var status: Int?
    /// The path of the call.
    package var path: String

    package init(_ code: Code, _ detail: String = "", status: Int? = nil, path: String = "") {
        (self.code, self.detail, self.status, self.path) = (code, detail, status, path)
    }

    /// Classifies a reply that is no success.
    package init(_ reply: HTTPReply, to path: String, hasToken: Bool) {
        let status = reply.head.status.code
        let retryAfter = reply.head.headerFields[.retryAfter].flatMap { Int($0) }
        guard let failure = try? WireJSON.decode(DetailReply.self, from: reply.body) else {
            self.init(status == 401 && hasToken ? .tokenRefused : .notARelay, status: status, path: path)
            return
        }
        let sentence = failure.sentence
        let code: Code =
            switch (status, path) {
            case (401, "/auth/login"), (401, "/auth/google"): .invalidCredentials
            case (401, _) where sentence == Account.deletedDetail: .accountDeleted
            case (401, _): .tokenRefused
            // Older relays answer 403 to a call without a token (contract, section 1).
            case (403, _) where sentence == "Not authenticated": .tokenRefused
            case (400, "/auth/register"): .usernameTaken
            case (403, "/auth/register"): .registrationClosed
            case (403, "/auth/password"), (403, "/auth/delete"): .wrongPassword
            case (400, "/call") where sentence == SimBridgeWire.LineFailure.deadlinePassedText: .deadlinePassed
            case (400, "/pair/confirm") where sentence == PairingRefusal.detail:
                .wrongPairingCode((try? WireJSON.decode(PairingRefusal.self, from: reply.body))?.reason)
            case (403, "/pair/confirm"): .foreignPairingCode
            case (403, _) where sentence == "Devices are not paired": .notPaired
            case (404, _) where sentence == "Host device not found": .unknownHost
            // The answer of any server that has other paths.
            case (404, _) where sentence == "Not Found", (405, _): .notARelay
            case (500, _), (502..., _): .unavailable
            case (429, _): .tooManyAttempts(seconds: retryAfter)
            default: .other
            }
        self.init(code, sentence, status: status, path: path)
    }
}

extension HTTPField.Name { fileprivate static let retryAfter = Self("Retry-After")! }
