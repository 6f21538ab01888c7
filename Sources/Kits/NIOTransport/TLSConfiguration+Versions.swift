import NIOSSL

extension TLSConfiguration {
    /// Versions before 1.2 are broken (RFC 8996), and NIOSSL would speak them.
    var withoutBrokenVersions: TLSConfiguration {
        var configuration = self
        switch minimumTLSVersion {
        case .tlsv1, .tlsv11: configuration.minimumTLSVersion = .tlsv12
        case .tlsv12, .tlsv13: break
        }
        return configuration
    }
}
