/// The search for servers that announce themselves on the local network by Bonjour.
///
/// An iPhone searches its own networks, after asking its user. A browser cannot search: the box searches its networks instead, for
/// apps whose entry in the program allows it.
public protocol ServerDiscovery: Sendable {
    /// Yields the servers of a service type such as `_example._tcp`: those known now, and all again after each change; a slow
    /// reader gets the latest only. The search ends with the iteration.
    func servers(of type: String) -> AsyncStream<DiscoveredServers>
}

/// The servers that a search has found.
public struct DiscoveredServers: Hashable, Sendable {
    /// The servers, sorted by name.
    package var servers: [DiscoveredServer]
    /// The failure of the search; nil while it works. The search goes on: `denied` until the user allows it, `unsupported` for
    /// ever, `failed` with the cause in English.
    package var problem: PhoneError?
    /// The program that the search needs and that does not run; nil for any other problem.
    package var missing: MissingProgram?

    package init(_ servers: [DiscoveredServer] = [], problem: PhoneError? = nil, missing: MissingProgram? = nil) {
        self.servers = servers
        self.problem = problem
        self.missing = missing
    }
}

/// A program of the computer that a capability of a phone needs, and that does not run there.
public struct MissingProgram: Hashable, Sendable {
    /// The name of the program and of its package.
    package var name: String
    /// False if the program has to be installed first.
    package var isInstalled: Bool

    package init(name: String, isInstalled: Bool) { (self.name, self.isInstalled) = (name, isInstalled) }
}

/// A server that announces itself. Its properties are claims of another machine: an address to offer, not a proof of identity.
public struct DiscoveredServer: Hashable, Sendable, Identifiable {
    /// The instance name: up to 63 bytes of any characters.
    package var name: String
    /// The host name, such as `desk.local`. Resolves only where the system knows multicast DNS.
    package var host: String
    package var port: Int
    /// IP addresses without brackets, the preferable ones first; a link-local IPv6 address has a zone, as in `fe80::1%eth0`.
    package var addresses: [String]
    /// The values by lowercase key.
    package var attributes: [String: String]
    public var id: String { name }

    package init(name: String, host: String, port: Int, addresses: [String], attributes: [String: String] = [:]) {
        self.name = name
        self.host = host
        self.port = port
        self.addresses = addresses
        self.attributes = attributes
    }
}

/// The search of a phone that cannot search.
package struct NoServerDiscovery: ServerDiscovery {
    package init() {}

    package func servers(of type: String) -> AsyncStream<DiscoveredServers> {
        AsyncStream { continuation in
            continuation.yield(DiscoveredServers(problem: .unsupported))
            continuation.finish()
        }
    }
}
