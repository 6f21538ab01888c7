import NIOSSL

extension TLSConfiguration {
    /// A copy with TLS 1.2 as the minimum: older versions are insecure (RFC 8996), but NIOSSL allows them.
    var withoutBrokenVersions: TLSConfiguration {
        var configuration = self
        switch minimumTLSVersion {
        case .tlsv1, .tlsv11: configuration.minimumTLSVersion = .tlsv12
        case .tlsv12, .tlsv13: break
        }
        return configuration
    }
}
