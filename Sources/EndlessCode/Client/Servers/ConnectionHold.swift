package import EndlessCodeWire

/// The reason why the line does not connect by itself.
package enum ConnectionHold: Hashable, Sendable {
    /// Asks: there is only a cellular network. ``AgentClient/answerCellular(_:)``
    case cellular
    /// The user does not want to use the cellular network. ``AgentClient/reconnect()`` asks again.
    case cellularDeclined
    /// Asks: is this the fingerprint on the server's terminal? ``AgentClient/acceptCertificate(_:)``
    case certificate(CertificateFingerprint)
    /// The user did not recognise the fingerprint.
    case certificateDeclined
    /// The server has another certificate than the one that was accepted. Nothing is sent. To go on, scan the server's new QR code, or remove
    /// the server.
    case certificateChanged(expected: CertificateFingerprint, found: CertificateFingerprint)
    /// Asks: may the token be sent without encryption? ``AgentClient/acceptPlainHTTP(_:)``
    case plainHTTP
    case plainHTTPDeclined
    /// Asks for the token: ``AgentClient/setToken(_:)``, or scan.
    case tokenMissing
    /// The server refuses the token: ``AgentClient/setToken(_:)``, or scan.
    case tokenRefused
    /// The operator of the box that runs this app has not allowed connections to this address.
    case notAllowed(ServerAddress)
    /// Ten tries have failed. ``AgentClient/reconnect()``
    case gaveUp
}

/// The end of an attempt that the user has to decide about.
struct Held: Error {
    let hold: ConnectionHold
}
