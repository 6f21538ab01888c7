package import WireKit

/// A state in which the line waits for the user instead of connecting.
package enum ConnectionHold: Hashable, Sendable {
    /// Asks whether to use the cellular network, as there is no other: ``AgentClient/answerCellular(_:)``.
    case cellular
    /// The user does not want to use the cellular network. ``AgentClient/reconnect()`` asks again.
    case cellularDeclined
    /// Asks whether the server's terminal shows this fingerprint: ``AgentClient/acceptCertificate(_:)``.
    case certificate(CertificateFingerprint)
    /// The user did not recognise the fingerprint.
    case certificateDeclined
    /// The server has another certificate than the one that was accepted. Nothing is sent. To continue, the user scans the server's
    /// new QR code, or removes the server.
    case certificateChanged(expected: CertificateFingerprint, found: CertificateFingerprint)
    /// Asks whether the token may be sent without encryption: ``AgentClient/acceptPlainHTTP(_:)``.
    case plainHTTP
    case plainHTTPDeclined
    /// Asks for the token: ``AgentClient/setToken(_:)``, or scan.
    case tokenMissing
    /// The server refuses the token: ``AgentClient/setToken(_:)``, or scan.
    case tokenRefused
    /// The operator of the box that runs this app has not allowed connections to this address.
    case notAllowed(ServerAddress)
    /// Ten attempts have failed. ``AgentClient/reconnect()`` starts again.
    case gaveUp
}

/// The error of an attempt to connect that needs a decision of the user.
struct Held: Error {
    let hold: ConnectionHold
}
