// What Foundation on iOS has beside Foundation on Linux. The check imports it into every file of NetworkingKit, as part of Foundation.
// Pages: https://developer.apple.com/documentation/foundation/<type>/<member>
@_exported import FoundationNetworking
public import Security

extension URLProtectionSpace {
    /// urlprotectionspace/servertrust
    public var serverTrust: SecTrust? { fatalError() }
}

extension URLCredential {
    /// urlcredential/init(trust:)
    public convenience init(trust: SecTrust) { fatalError() }
}
