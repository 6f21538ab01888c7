public import Foundation
import WireKit

/// The address of a relay as the user types it.
public enum ServerAddress {
    /// The reason why a text is not the address of a relay.
    public enum Problem: Error, Hashable, Sendable {
        case empty
        /// The text is not `http://` or `https://`, a host, and an optional port and path.
        case malformed
        /// The operator of this box has not allowed connections to the address.
        case notAllowed(URL)
    }

    /// - Returns: The address without trailing slashes; `https` if no scheme was typed.
    package static func checked(_ text: String) throws(Problem) -> URL {
        var text = text.plainForms.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.isEmpty { throw .empty }
        if !text.contains("://") { text = "https://" + text }
        while text.hasSuffix("/") { text.removeLast() }
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = parts.host, !host.isEmpty, !host.contains(where: \.isWhitespace), parts.user == nil, parts.password == nil,
            parts.query == nil, parts.fragment == nil, (parts.port ?? 1) > 0, (parts.port ?? 1) <= 65_535, let url = parts.url
        else { throw .malformed }
        return url
    }
}
