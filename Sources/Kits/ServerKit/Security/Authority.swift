/// The host and port of a `Host` header (RFC 9110, section 7.2). The host is lower-case and without brackets.
struct Authority: Equatable {
    var host: String
    var port: Int?

    init?(_ text: String) {
        var host = Substring(text.lowercased())
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
            let rest = host[host.index(after: end)...]
            host = host[host.index(after: host.startIndex)..<end]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            if !rest.isEmpty {
                guard let value = Int(rest.dropFirst()), (0...65_535).contains(value) else { return nil }
                port = value
            }
        } else if let colon = host.firstIndex(of: ":") {
            guard let value = Int(host[host.index(after: colon)...]), (0...65_535).contains(value) else { return nil }
            port = value
            host = host[..<colon]
        }
        if host.hasSuffix(".") { host = host.dropLast() }
        guard !host.isEmpty, !host.contains(where: { "/@?# ".contains($0) }) else { return nil }
        self.host = String(host)
    }
}
