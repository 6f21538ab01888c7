public import Foundation

/// The address of a relay as a person types it.
public enum ServerAddress {
    /// Why a text is no address of a relay.
    public enum Problem: Error, Hashable, Sendable {
        case empty
        /// Not `http://` or `https://`, a host, and perhaps a port and a path.
        case malformed
        /// This box does not connect to that address: nobody has allowed it to.
        case notAllowed(URL)
    }

    /// - Returns: The address without slashes at its end; `https` when no scheme was typed.
    public static func checked(_ text: String) throws(Problem) -> URL {
        var text = text.trimmingCharacters(in: .whitespacesAndNewlines)
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
