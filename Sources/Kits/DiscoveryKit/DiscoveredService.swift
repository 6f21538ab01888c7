/// A service on the local network.
package struct DiscoveredService: Hashable, Sendable {
    /// The name of the instance: up to 63 bytes of anything, as another machine chose it.
    package var name: String
    package var type: ServiceType
    /// The host name, such as `desk.local`, with its escapes.
    package var host: String
    package var port: UInt16
    package var attributes: TXTRecord
    /// One address at least, those first that most networks carry: IPv4, IPv6, link-local ones.
    package var addresses: [IPAddress]
}

/// A change of the services that a ``ServiceBrowser`` sees.
package enum ServiceEvent: Hashable, Sendable {
    /// A service that was resolved.
    case found(DiscoveredService)
    /// A known service with another host, port, attribute or address.
    case updated(DiscoveredService)
    /// A service that said goodbye or expired, as it was known last.
    case lost(DiscoveredService)
    /// The search failed. Every known service was lost before. The browser tries again.
    case interrupted(DiscoveryError)
    /// The search works again after an interruption.
    case resumed
}
