#if canImport(Security)
    public import Foundation
    import Security
    public import WireKit

    /// The transports of clients on Apple's systems: ``URLSessionHTTP`` and ``URLSessionSocket``.
    ///
    /// App Transport Security checks certificates itself, before the delegate does: an app that pins needs `NSAllowsLocalNetworking`, or an
    /// exception for the names of its servers.
    public struct URLSessionTransports: ServerTransports {
        public init() {}

        public func http(pinning pin: PinnedCertificate?) -> any HTTPTransport { URLSessionHTTP(check: PinCheck(pin)) }
        public func sockets(pinning pin: PinnedCertificate?) -> any SocketTransport { URLSessionSocket(check: PinCheck(pin)) }

        public func fingerprint(of server: URL) async throws -> CertificateFingerprint {
            guard server.scheme?.lowercased() == "https" else {
                throw TransportError(.address, "only an https address has a certificate")
            }
            let reader = FingerprintReader()
            let session = URLSession(configuration: .ephemeral, delegate: reader, delegateQueue: nil)
            defer { session.invalidateAndCancel() }
            do {
                _ = try await session.data(from: server)
            } catch {
                if let found = reader.found { return found }
                try Task.checkCancellation()
                throw TransportError.from(error)
            }
            throw TransportError(.tls, "the server has shown no certificate")
        }
    }

    /// A delegate that keeps the certificate of a server and refuses it, so that the request is not sent.
    private final class FingerprintReader: NSObject, URLSessionTaskDelegate, Sendable {
        private let state = Locked<CertificateFingerprint?>(nil)

        var found: CertificateFingerprint? { state.withLock { $0 } }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            if let der = challenge.serverCertificate { state.withLock { $0 = CertificateFingerprint(ofDER: der) } }
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }

    extension URLAuthenticationChallenge {
        /// The DER encoding of the server's own certificate; nil for a challenge of another kind.
        var serverCertificate: Data? {
            guard let trust = protectionSpace.serverTrust,
                let leaf = (SecTrustCopyCertificateChain(trust) as? [SecCertificate])?.first
            else { return nil }
            return SecCertificateCopyData(leaf) as Data
        }
    }
#endif
