import Foundation
import NIOCore
import WireKit

/// The network interfaces of this machine.
enum HostInterfaces {
    /// Returns the addresses at which other machines reach this one; those that a phone on the same network can reach come first.
    /// Loopback addresses are left out, and link-local ones, which need a zone or are valid on one cable only.
    ///
    /// - Parameter ipv6: True to append IPv6 addresses.
    static func addresses(ipv6: Bool) -> [IPAddress] {
        let devices = (try? NIOCore.System.enumerateDevices()) ?? []
        let found = devices.compactMap { device in
            device.address?.ipAddress.flatMap { IPAddress($0) }.map { (interface: device.name, address: $0) }
        }
        let routed = [routed("192.0.2.1"), routed("2001:db8::1")].compactMap(\.self)
        return sorted(found.filter { ipv6 || !$0.address.isIPv6 }, routed: routed, isPhysical: { isPhysical($0) })
    }

    /// Returns the usable addresses of `found`, each once: those of cables and radios, then those of bridges of containers, virtual
    /// machines and tunnels. In either group, addresses of the default route come first, then IPv4.
    ///
    /// A tunnel can have the default route, so the kind of the interface counts more.
    static func sorted(
        _ found: [(interface: String, address: IPAddress)], routed: [IPAddress], isPhysical: (String) -> Bool
    ) -> [IPAddress] {
        func rank(_ entry: (interface: String, address: IPAddress)) -> Int {
            (isPhysical(entry.interface) ? 0 : 4) + (routed.contains(entry.address) ? 0 : 2) + (entry.address.isIPv6 ? 1 : 0)
        }
        let ranked = found.filter { isUsable($0.address) }.enumerated().sorted {
            (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
        }
        return ranked.reduce(into: []) { if !$0.contains($1.element.address) { $0.append($1.element.address) } }
    }

    private static func isUsable(_ address: IPAddress) -> Bool {
        !address.isLoopback && !address.isLinkLocal && !address.isIPv4(in: [0], bits: 8) && address.bytes.contains { $0 != 0 }
    }

    #if os(Linux)
        /// True for an interface of a device, and for a bridge, a bond or a virtual network on top of one.
        private static func isPhysical(_ name: String, depth: Int = 4) -> Bool {
            let folder = "/sys/class/net/\(name)"
            if FileManager.default.fileExists(atPath: folder + "/device") { return true }
            let lower = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.filter { $0.hasPrefix("lower_") } ?? []
            return depth > 0 && lower.contains { isPhysical(String($0.dropFirst(6)), depth: depth - 1) }
        }
    #else
        private static func isPhysical(_ name: String) -> Bool { name.hasPrefix("en") }
    #endif

    /// Returns this machine's address on the way to another one; nil without a route. Connecting a datagram socket sends nothing.
    private static func routed(_ destination: String) -> IPAddress? {
        guard let target = try? SocketAddress(ipAddress: destination, port: 9) else { return nil }
        #if os(Linux)
            let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        #else
            let kind = SOCK_DGRAM
        #endif
        let socket = socket(destination.contains(":") ? AF_INET6 : AF_INET, kind, 0)
        guard socket >= 0 else { return nil }
        defer { close(socket) }
        let isConnected = target.withSockAddr { address, length in connect(socket, address, socklen_t(length)) == 0 }
        guard isConnected else { return nil }
        var own = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let text = withUnsafeMutablePointer(to: &own) { storage -> String? in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard getsockname(socket, address, &length) == 0 else { return nil }
                var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
                guard getnameinfo(address, length, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 else { return nil }
                return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            }
        }
        return text.flatMap { IPAddress($0) }
    }
}
