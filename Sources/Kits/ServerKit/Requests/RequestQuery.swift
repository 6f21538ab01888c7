import HTTPTypes
package import HummingbirdCore

extension Request {
    /// Returns the percent-decoded value of a query item, the first one of a repeated item; nil if it is missing.
    package func query(_ name: String) -> String? {
        uri.queryParameters[Substring(name)].map(String.init)
    }

    /// The token of `Authorization: Bearer <token>`. The scheme is case-insensitive (RFC 9110, section 11.1).
    ///
    /// - Returns: nil when the header is missing, has another scheme or no token.
    package var bearerToken: String? {
        guard let header = headers[.authorization] else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        let token = parts[1].trimmingPrefix(while: { $0 == " " })
        return token.isEmpty ? nil : String(token)
    }
}
