public import CompactEncoding
import Dispatch
import Foundation

/// A host name or an IPv4 address, and a port: a node by which a peer joins the network.
public struct HostAndPort: Hashable, Sendable, CustomStringConvertible {
    public let host: String
    public let port: UInt16
    public var description: String { "\(host):\(port)" }

    /// - Returns: Nil for a text that is not `host:port`.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let port = UInt16(parts[1]), port > 0 else { return nil }
        self.init(host: String(parts[0]), port: port)
    }

    private init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

    /// The bootstrap nodes of the public network.
    public static let publicNodes = ["node1.hyperdht.org", "node2.hyperdht.org", "node3.hyperdht.org"].map {
        HostAndPort(host: $0, port: 49737)
    }

    /// Returns the IPv4 addresses of the host; none if its name does not resolve.
    public func addresses() async -> [PeerAddress] {
        if let address = PeerAddress(description) { return [address] }
        return await withCheckedContinuation { continuation in
            // The resolver blocks its thread.
            DispatchQueue.global().async { continuation.resume(returning: resolved()) }
        }
    }

    /// Asks for IPv4 addresses, the only ones of the network: otherwise the first address might be of IPv6.
    private func resolved() -> [PeerAddress] {
        var hints = addrinfo()
        (hints.ai_family, hints.ai_protocol) = (AF_INET, CInt(IPPROTO_UDP))
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &found) == 0 else { return [] }
        defer { freeaddrinfo(found) }
        var addresses: [PeerAddress] = []
        for entry in sequence(first: found, next: { $0?.pointee.ai_next }).compactMap(\.self) {
            guard let address = entry.pointee.ai_addr else { continue }
            // The four octets follow the family and the port.
            let octets = UInt32(bigEndian: UnsafeRawPointer(address).loadUnaligned(fromByteOffset: 4, as: UInt32.self))
            let peer = PeerAddress(octets: octets, port: port)
            if !addresses.contains(peer) { addresses.append(peer) }
        }
        return addresses
    }
}
