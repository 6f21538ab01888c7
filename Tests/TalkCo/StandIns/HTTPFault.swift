package import Foundation

/// A way in which a stand-in answers one call of HTTP.
package enum HTTPFault: Sendable, Hashable {
    case none
    /// A refusal, optionally with the seconds after which to try again.
    case status(Int, retryAfter: Int? = nil)
    /// A success with another body than expected. In a chat, the content of the message.
    case content(String)
    /// A success with another body than expected.
    case body(String, contentType: String = "application/json")
    /// A success with other bytes than expected.
    case data(Data, contentType: String?)
    /// The first part of the answer, then the end of the connection.
    case breaksOff
    /// No answer at all.
    case silent
    /// The first part of the answer, then silence.
    case silentAfterStart
    /// Speech as a WAVE file with 22,050 Hz.
    case wave
}

/// The names of faults on the command line.
package enum NamedFault: String, Sendable, CaseIterable {
    case refused, missing, busy, failing, broken, silent, stalling, unreadable

    var fault: HTTPFault {
        switch self {
        case .refused: .status(401)
        case .missing: .status(404)
        case .busy: .status(429, retryAfter: 1)
        case .failing: .status(500)
        case .broken: .breaksOff
        case .silent: .silent
        case .stalling: .silentAfterStart
        case .unreadable: .body("{\"choices\": [")
        }
    }
}
