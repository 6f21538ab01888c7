import Crypto
public import Foundation
public import WireKit

extension CertificateFingerprint {
    /// - Parameter certificate: The DER encoding of a certificate.
    public init(ofDER certificate: some Sequence<UInt8>) {
        guard let fingerprint = Self(Array(SHA256.hash(data: Data(certificate)))) else {
            preconditionFailure("SHA-256 has 32 bytes")
        }
        self = fingerprint
    }
}

/// The only certificate that a client accepts from a server, whatever names, dates and issuer it has.
public struct PinnedCertificate: Hashable, Sendable {
    public let fingerprint: CertificateFingerprint

    public init(fingerprint: CertificateFingerprint) { self.fingerprint = fingerprint }

    /// Checks the certificate that a server has sent.
    ///
    /// - Parameter certificate: The DER encoding of the server's own certificate, the first one of its chain.
    /// - Throws: ``TransportError`` `tls` with a ``CertificateMismatch``.
    public func check(_ certificate: some Sequence<UInt8>) throws(TransportError) {
        let found = CertificateFingerprint(ofDER: certificate)
        guard found == fingerprint else { throw TransportError(CertificateMismatch(expected: fingerprint, found: found)) }
    }
}

/// The fingerprints of the certificate that a client pins and of the certificate that the server has sent.
public struct CertificateMismatch: Hashable, Sendable {
    public var expected: CertificateFingerprint
    public var found: CertificateFingerprint

    public init(expected: CertificateFingerprint, found: CertificateFingerprint) {
        self.expected = expected
        self.found = found
    }
}

extension TransportError {
    public init(_ mismatch: CertificateMismatch) {
        self.init(.tls, "the server has another certificate: expected \(mismatch.expected), found \(mismatch.found)")
        self.mismatch = mismatch
    }

    /// The error for an address that is not `https` although a certificate is pinned.
    package static var pinWithoutTLS: TransportError {
        TransportError(.address, "a server with a pinned certificate has an https address")
    }
}

/// A factory of transports to servers that the user chooses, each with the certificate that is pinned for its server.
public protocol ServerTransports: Sendable {
    /// - Parameter pin: The only certificate to accept, for `https` addresses only; nil for the system's rules.
    func http(pinning pin: PinnedCertificate?) -> any HTTPTransport
    /// Returns a WebSocket transport; the parameter is that of ``http(pinning:)``.
    func sockets(pinning pin: PinnedCertificate?) -> any SocketTransport
    /// Reads the fingerprint of a server's certificate, trusted or not, for the user to compare. Sends only the TLS handshake.
    ///
    /// - Parameter server: An `https` address.
    /// - Throws: ``TransportError``: `address`, `tls` for a server that does not speak TLS, and as for a call; `CancellationError`.
    func fingerprint(of server: URL) async throws -> CertificateFingerprint
}

extension ServerTransports {
    /// Returns the service at an address.
    public func service(at address: URL, pinning pin: PinnedCertificate?) -> RemoteService {
        RemoteService(address: address, http: http(pinning: pin), sockets: sockets(pinning: pin))
    }
}
