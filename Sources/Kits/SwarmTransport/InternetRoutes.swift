import Foundation
import NetworkingKit
import WireKit

/// The versions of the internet protocol by which this machine reaches the internet.
///
/// The Hyperswarm network uses IPv4 only. A network with IPv6 only carries it where the system translates it itself (464XLAT), as
/// iPhones do on most networks of that kind: there is a route for IPv4 then.
struct InternetRoutes: Hashable, Sendable {
    var hasIPv4: Bool
    var hasIPv6: Bool

    /// The current routes, found without sending anything.
    static var present: InternetRoutes {
        InternetRoutes(hasIPv4: isRouted("192.0.2.1", AF_INET), hasIPv6: isRouted("2001:db8::1", AF_INET6))
    }

    /// True if the system has a route to an address, which need not be in use.
    private static func isRouted(_ address: String, _ family: CInt) -> Bool {
        var hints = addrinfo()
        (hints.ai_family, hints.ai_socktype, hints.ai_flags) = (family, Sockets.datagram, AI_NUMERICHOST)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, "9", &hints, &found) == 0, let found else { return false }
        defer { freeaddrinfo(found) }
        let descriptor = socket(family, Sockets.datagram, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // For a datagram socket, `connect` only looks up the route.
        return connect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0
    }
}

extension DialError {
    /// Returns the error, as `noIPv4` if the network's lack of IPv4 is the reason.
    func explained(by routes: @autoclosure () -> InternetRoutes = .present) -> DialError {
        guard code == .network else { return self }
        let routes = routes()
        guard !routes.hasIPv4, routes.hasIPv6 else { return self }
        return DialError(.noIPv4, at: hop, "this network has IPv6 only, and peers speak IPv4")
    }
}
