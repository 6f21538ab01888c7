import ClientKit
package import EndlessCodeWire
import Foundation
import HTTPTypes
import NetworkingKit
import PlatformKit
package import WireKit

/// A failure, in the detail that the user needs. The App has the texts for it.
package enum CodeProblem: PushProblem {
    // MARK: This phone
    /// The phone could not store something.
    case storage
    /// Too many prompts wait to be sent.
    case outboxFull
    /// There is no camera, or the user does not allow it.
    case camera
    /// The phone does not let the app copy.
    case clipboard
    /// The prompt exceeds ``Limits/promptSizes``, or is only white space.
    case promptTooLong
    /// The question does not allow this answer.
    case invalidAnswer

    // MARK: The address
    case noServer
    case address(ServerAddressError)
    case link(ServerLinkError)
    /// The text is not a token.
    case invalidToken
    /// The operator of the box that runs this app has not allowed connections to this address.
    case notAllowed(ServerAddress)

    // MARK: The connection
    /// The line is down.
    case notConnected
    /// No connection: no network, an unknown name, or nothing listens there.
    case network
    /// The user does not let the app use the local network, where the server is.
    case localNetworkDenied
    case timeout
    /// The server does not speak TLS, or its certificate cannot be used.
    case tls
    /// The server has another certificate than the pinned one.
    case certificateChanged(expected: Fingerprint, found: Fingerprint)

    // MARK: The server
    case tokenMissing
    case tokenRefused
    /// The server refuses, with a sentence for developers.
    case server(ErrorCode, String)
    /// The reply is not that of an EndlessCode server.
    case notAServer
    /// A prompt was too old to be sent.
    case expired
    /// The prompt belongs to a server that is not in use.
    case elsewhere

    package init(_ error: any Error) {
        switch error {
        case let problem as CodeProblem: self = problem
        case let error as TransportError: self.init(error)
        case let error as ServerAddressError: self = .address(error)
        case let error as ServerLinkError: self = .link(error)
        // The user no longer waits for the reply.
        case is CancellationError: self = .network
        case is OutboxFull: self = .outboxFull
        default: self = .storage
        }
    }

    init(_ error: TransportError) {
        if let mismatch = error.mismatch {
            self = .certificateChanged(expected: mismatch.expected, found: mismatch.found)
            return
        }
        switch error.code {
        case .timedOut: self = .timeout
        case .address: self = .address(.invalidHost)
        case .tls: self = .tls
        case .refused:
            let isTokenRefused = error.reply?.head.status.code == 401
            self = isTokenRefused ? .tokenRefused : error.reply.map { CodeProblem($0, hasToken: true) } ?? .notAServer
        case .malformed, .tooLarge: self = .notAServer
        case .network, .ended: self = .network
        case .localNetworkDenied: self = .localNetworkDenied
        }
    }

    /// True if a later attempt may succeed without any change.
    package var isTemporary: Bool {
        switch self {
        case .network, .localNetworkDenied, .timeout, .notConnected, .tls, .tokenMissing, .tokenRefused, .certificateChanged: true
        case .server(let code, _): code == .internalError || code.httpStatus == 500
        default: false
        }
    }

    package var isFault: Bool { if case .server(.internalError, _) = self { true } else { false } }

    package var isUnknownPath: Bool {
        switch self {
        case .server(.notFound, _), .notAServer: true
        default: false
        }
    }

    // MARK: Codes in the outbox

    private static let codes: [String: CodeProblem] = [
        "storage": .storage, "network": .network, "localNetworkDenied": .localNetworkDenied, "timeout": .timeout,
        "notConnected": .notConnected, "elsewhere": .elsewhere,
        "promptTooLong": .promptTooLong, OutboxItem.expired: .expired,
    ]

    package init(code: String) {
        if let known = Self.codes[code] {
            self = known
            return
        }
        let parts = code.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        self = .server(ErrorCode(rawValue: parts[0]), parts.count > 1 ? parts[1] : "")
    }

    package var code: String {
        if case .server(let code, let message) = self { return "\(code.rawValue) \(message)" }
        return Self.codes.first { $0.value == self }?.key ?? "network"
    }
}

/// The fingerprint of a server's certificate, for views.
package typealias Fingerprint = CertificateFingerprint
