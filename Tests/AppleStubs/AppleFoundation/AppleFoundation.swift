public import Foundation
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

/// localizedstringresource
@available(iOS 16, *)
public struct LocalizedStringResource: Equatable, ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) {}
}

extension String {
    /// swift/string/localizationvalue
    @available(iOS 15, *)
    public struct LocalizationValue: Equatable, ExpressibleByStringInterpolation {
        public init(stringLiteral value: String) {}
    }

    /// swift/string/init(localized:table:bundle:locale:comment:)
    @available(iOS 15, *)
    public init(
        localized keyAndValue: String.LocalizationValue, table: String? = nil, bundle: Bundle? = nil, locale: Locale = .current,
        comment: StaticString? = nil
    ) { fatalError() }
    /// swift/string/init(localized:)
    @available(iOS 16, *) @_disfavoredOverload
    public init(localized resource: LocalizedStringResource) { fatalError() }
}
