/// Decides from which origins a cookie-bearing route is used: from pages of the server itself.
///
/// An `Origin` that names another host than `Host` does is refused. No `Origin` at all is a navigation or no browser; a
/// route that changes something must then refuse by itself when it has to.
public enum OriginCheck {
    public static func allows(origin: String?, host: String?) -> Bool {
        guard let origin else { return true }
        guard let host, let scheme = ["http://", "https://"].first(where: origin.lowercased().hasPrefix) else { return false }
        let defaultPort = scheme == "https://" ? 443 : 80
        guard let from = Authority(String(origin.dropFirst(scheme.count))), let to = Authority(host) else { return false }
        return from.host == to.host && (from.port ?? defaultPort) == (to.port ?? defaultPort)
    }
}
