/// Servers that announce themselves on the local network by Bonjour.
///
/// An iPhone searches its own networks, for which its user is asked. A browser cannot search: there the box does, on its networks, for apps
/// whose entry in the program allows it.
public protocol ServerDiscovery: Sendable {
    /// The servers of a service type such as `_example._tcp`: those known now, and again after each change, without intermediate ones for
    /// slow readers. The search ends with the iteration.
    func servers(of type: String) -> AsyncStream<DiscoveredServers>
}

/// The servers that a search has found.
public struct DiscoveredServers: Hashable, Sendable {
    /// In the order of their names.
    public var servers: [DiscoveredServer]
    /// The reason why nothing can be found now; nil while the search works. The search goes on: `denied` until the user allows it,
    /// `unsupported` for ever, `failed` with the reason in English.
    public var problem: PhoneError?
    /// The program that the search needs and that does not run; nil where something else is the problem.
    public var missing: MissingProgram?

    public init(_ servers: [DiscoveredServer] = [], problem: PhoneError? = nil, missing: MissingProgram? = nil) {
        self.servers = servers
        self.problem = problem
        self.missing = missing
    }
}

/// A program of the computer that a capability of a phone needs, and that does not run there.
public struct MissingProgram: Hashable, Sendable {
    /// The name of the program, which is that of its package.
    public var name: String
    /// False if it has to be installed first.
    public var isInstalled: Bool

    public init(name: String, isInstalled: Bool) { (self.name, self.isInstalled) = (name, isInstalled) }
}

/// A server that announces itself. All of it is the word of another machine: an address to offer to the user, not a proof of identity.
public struct DiscoveredServer: Hashable, Sendable, Identifiable {
    /// Up to 63 bytes of any characters.
    public var name: String
    /// The host name, such as `desk.local`. Resolves only where the system knows multicast DNS.
    public var host: String
    public var port: Int
    /// IP addresses without brackets, the preferable ones first; a link-local IPv6 address has a zone, as in `fe80::1%eth0`.
    public var addresses: [String]
    /// Values by key in lower case.
    public var attributes: [String: String]
    public var id: String { name }

    public init(name: String, host: String, port: Int, addresses: [String], attributes: [String: String] = [:]) {
        self.name = name
        self.host = host
        self.port = port
        self.addresses = addresses
        self.attributes = attributes
    }
}

/// The search of a phone that cannot search.
public struct NoServerDiscovery: ServerDiscovery {
    public init() {}

    public func servers(of type: String) -> AsyncStream<DiscoveredServers> {
        AsyncStream { continuation in
            continuation.yield(DiscoveredServers(problem: .unsupported))
            continuation.finish()
        }
    }
}
