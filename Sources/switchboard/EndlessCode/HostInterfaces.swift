import EndlessCodeWire
import Foundation
import NIOCore

/// The network interfaces of this machine.
enum HostInterfaces {
    /// The addresses at which others reach this machine: that of the default route first, then by interface. Without those of loopback, and
    /// without link-local IPv6 addresses, which need a zone.
    ///
    /// - Parameter ipv6: Appends IPv6 addresses.
    static func addresses(ipv6: Bool) -> [HostAddress] {
        let devices = (try? NIOCore.System.enumerateDevices()) ?? []
        let found = devices.compactMap { $0.address?.ipAddress }.compactMap { try? HostAddress($0) }.filter {
            isUsable($0, ipv6: ipv6)
        }
        let preferred = [routed("192.0.2.1")] + (ipv6 ? [routed("2001:db8::1")] : [])
        var result: [HostAddress] = []
        for address in preferred.compactMap(\.self).filter({ found.contains($0) }) + found.filter(\.isIPv4) + found
        where !result.contains(address) {
            result.append(address)
        }
        return result
    }

    private static func isUsable(_ address: HostAddress, ipv6: Bool) -> Bool {
        switch address {
        case .ipv4(let bytes): !address.isLoopback && bytes[0] != 0
        case .ipv6(let bytes): ipv6 && !address.isLoopback && !(bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80)
        case .name: false
        }
    }

    /// This machine's address on the way to another one. Nothing is sent: a datagram socket only looks up the route.
    private static func routed(_ destination: String) -> HostAddress? {
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
        return text.flatMap { try? HostAddress($0) }
    }
}

extension HostAddress {
    fileprivate var isIPv4: Bool {
        if case .ipv4 = self { true } else { false }
    }
}
