import CompactEncoding
import NIOCore

/// The IPv4 addresses of this host's interfaces.
enum LocalAddresses {
    static let maximumCount = 8

    /// Returns the addresses at which peers of the local network reach a socket.
    ///
    /// Loopback addresses are listed only when there are no others. A socket that is bound to one address has only this one.
    static func all(for bound: PeerAddress) -> [PeerAddress] {
        if bound.octets != 0 { return [bound] }
        // Without a list of interfaces a node still works, but finds no paths over the local network.
        let devices = (try? System.enumerateDevices()) ?? []
        let addresses = devices.compactMap { device -> PeerAddress? in
            guard let text = device.address?.ipAddress else { return nil }
            return PeerAddress(host: text, port: bound.port)
        }
        let external = addresses.filter { !$0.isLoopback }
        return Array((external.isEmpty ? addresses : external).prefix(maximumCount))
    }
}
