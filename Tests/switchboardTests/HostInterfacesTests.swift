import Testing
import WireKit

@testable import switchboard

/// The order of this machine's addresses.
@Suite struct HostInterfacesTests {
    private func sorted(_ found: [(String, String)], routed: [String], virtual: Set<String> = []) throws -> [String] {
        let found = try found.map { (interface: $0.0, address: try #require(IPAddress($0.1))) }
        let routed = try routed.map { try #require(IPAddress($0)) }
        return HostInterfaces.sorted(found, routed: routed, isPhysical: { !virtual.contains($0) }).map(\.description)
    }

    @Test func addressesOfPhonesNetworkComeFirst() throws {
        let found = [
            ("lo", "127.0.0.1"), ("lo", "::1"), ("docker0", "172.17.0.1"), ("br-1f", "172.18.0.1"), ("eth0", "192.168.1.7"),
            ("eth0", "2001:db8::7"), ("eth0", "fe80::7"), ("wlan0", "192.168.1.8"), ("usb0", "169.254.3.4"), ("usb0", "fd00::9"),
        ]
        let own = try sorted(found, routed: ["192.168.1.8", "2001:db8::7"], virtual: ["lo", "docker0", "br-1f"])
        #expect(own == ["192.168.1.8", "2001:db8::7", "192.168.1.7", "fd00::9", "172.17.0.1", "172.18.0.1"])
    }

    /// With the default route in a tunnel, the phone still is in the network of the cable.
    @Test func tunnelWithTheDefaultRouteComesAfterTheCable() throws {
        let found = [("tun0", "10.8.0.2"), ("docker0", "172.17.0.1"), ("eth0", "192.168.1.7")]
        #expect(
            try sorted(found, routed: ["10.8.0.2"], virtual: ["tun0", "docker0"]) == ["192.168.1.7", "10.8.0.2", "172.17.0.1"])
    }

    /// Within a container every interface is virtual.
    @Test func addressesAppearOnce() throws {
        let found = [("eth0", "172.17.0.2"), ("eth0:1", "172.17.0.2"), ("eth1", "0.0.0.0"), ("eth1", "::")]
        #expect(try sorted(found, routed: ["172.17.0.2"], virtual: ["eth0", "eth0:1", "eth1"]) == ["172.17.0.2"])
    }
}
