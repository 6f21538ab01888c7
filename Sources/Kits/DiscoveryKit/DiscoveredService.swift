package import WireKit

/// A service on the local network.
package struct DiscoveredService: Hashable, Sendable {
    /// The instance name, chosen by another machine: up to 63 arbitrary bytes.
    package var name: String
    package var type: ServiceType
    /// The host name, such as `desk.local`, with DNS escapes.
    package var host: String
    package var port: UInt16
    package var attributes: TXTRecord
    /// At least one address, the most widely usable first: IPv4, IPv6, link-local ones.
    package var addresses: [IPAddress]
}

/// A change of the services that a ``ServiceBrowser`` sees.
package enum ServiceEvent: Hashable, Sendable {
    /// A service that was resolved.
    case found(DiscoveredService)
    /// A known service with another host, port, attribute or address.
    case updated(DiscoveredService)
    /// A service that said goodbye or expired, with its last known properties.
    case lost(DiscoveredService)
    /// The search failed. Every known service was reported as lost before. The browser retries.
    case interrupted(DiscoveryError)
    /// The search works again after an interruption.
    case resumed
}
