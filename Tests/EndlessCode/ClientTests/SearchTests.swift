import EndlessCodeClient
import EndlessCodeTestKit
import EndlessCodeWire
import Foundation
import PhoneTestKit
import PlatformKit
import TestKit
import Testing
import WireKit

/// Servers on the local network.
@MainActor
@Suite struct SearchTests {
    private let clock = TestClock()

    private func until(_ search: ServerSearch, _ isTrue: @escaping @MainActor (ServerSearch) -> Bool) async throws {
        try await eventually { await MainActor.run { isTrue(search) } }
    }

    private func server(
        _ name: String, _ addresses: [String], tls: String? = "1", version: String? = "1", port: Int = 8180,
        host: String = "desk.local"
    ) -> DiscoveredServer {
        var attributes: [String: String] = [:]
        (attributes["tls"], attributes["v"]) = (tls, version)
        return DiscoveredServer(name: name, host: host, port: port, addresses: addresses, attributes: attributes)
    }

    @Test func nothingFoundIsSaidAfterFiveSecondsAndTheSearchGoesOn() async throws {
        let box = try await AgentBox()
        let device = TestPhone()
        let phone = box.phone("Test phone", device, clock: clock)
        let search = phone.client.makeSearch()
        let running = Task { await search.run() }
        defer { running.cancel() }
        try await eventually { clock.hasSleeper(for: .seconds(5)) }
        #expect(search.phase == .searching)
        try await clock.advance(by: .seconds(5))
        try await until(search) { $0.phase == .nothingFound }
        device.announced = DiscoveredServers([server("EndlessCode-4F2A", ["192.168.0.7"])])
        try await until(search) { $0.phase == .found }
        device.announced = DiscoveredServers()
        try await until(search) { $0.phase == .nothingFound && $0.servers.isEmpty }
        let refresh = Task { await search.refresh() }
        try await until(search) { $0.phase == .searching }
        device.announced = DiscoveredServers([server("EndlessCode-4F2A", ["192.168.0.7"])])
        await refresh.value
        #expect(search.phase == .found)
    }

    @Test func searchThatIsNotAllowedSaysSo() async throws {
        let box = try await AgentBox()
        let device = TestPhone()
        device.announced = DiscoveredServers(problem: .denied)
        let search = box.phone("Test phone", device, clock: clock).client.makeSearch()
        let running = Task { await search.run() }
        defer { running.cancel() }
        try await until(search) { $0.phase == .failed(.denied) }
        device.announced = DiscoveredServers()
        try await until(search) { $0.phase == .nothingFound }
    }

    @Test func programThatTheSearchNeedsIsNamed() async throws {
        let box = try await AgentBox()
        let device = TestPhone()
        let program = MissingProgram(name: "avahi-daemon", isInstalled: false)
        device.announced = DiscoveredServers(problem: .failed("no daemon"), missing: program)
        let search = box.phone("Test phone", device, clock: clock).client.makeSearch()
        let running = Task { await search.run() }
        defer { running.cancel() }
        try await until(search) { $0.phase == .needs(program) }
        device.announced = DiscoveredServers()
        try await until(search) { $0.phase == .nothingFound }
    }

    @Test func foundAddressesAreTheCallableOnes() async throws {
        let box = try await AgentBox()
        let device = TestPhone()
        device.announced = DiscoveredServers([
            server("a", ["fe80::1%eth0", "192.168.0.7"]), server("b", ["fe80::1%eth0"]), server("c", ["fd00::7"], tls: "0"),
            server("d", ["10.0.0.1"], version: "2"), server("e", ["10.0.0.1"], port: 70_000), server("f", ["%"], host: "no host"),
            server("g", ["10.0.0.1"], tls: nil, version: nil),
        ])
        let search = box.phone("Test phone", device, clock: clock).client.makeSearch()
        let running = Task { await search.run() }
        defer { running.cancel() }
        try await until(search) { $0.phase == .found }
        #expect(
            search.servers.map { $0.address?.text } == [
                "https://192.168.0.7:8180", "https://desk.local:8180", "http://[fd00::7]:8180", nil, nil, nil,
                "https://10.0.0.1:8180",
            ])
    }

    @Test func tappedServerIsSavedAndAsksForItsToken() async throws {
        let box = try await AgentBox()
        let device = TestPhone()
        let phone = box.phone("Test phone", device)
        try await phone.until { $0.isReady }
        let address = try ServerAddress(endlessCode: "https://192.168.0.7")
        try await phone.client.addServer(FoundServer(name: "EndlessCode-4F2A", address: address, isKnown: false))
        try await phone.until { $0.hold == .tokenMissing }
        #expect(phone.client.server?.title == "EndlessCode-4F2A")
        #expect(box.network.opened.isEmpty && box.network.requests.isEmpty)
        // The same server, whose address has changed, keeps its token only with its certificate.
        try await phone.client.addServer(
            link: "endlesscode://192.168.0.7:8180?token=one&fp=\(String(repeating: "ab", count: 32))")
        let moved = try ServerAddress(endlessCode: "https://192.168.0.8")
        try await phone.client.addServer(FoundServer(name: "EndlessCode-4F2A", address: moved, isKnown: true))
        #expect(
            phone.client.servers.count == 1 && phone.client.server?.address == moved && phone.client.server?.token?.text == "one")
        let plain = try ServerAddress(endlessCode: "http://192.168.0.9")
        try await phone.client.addServer(FoundServer(name: "EndlessCode-4F2A", address: plain, isKnown: false))
        #expect(phone.client.servers.count == 2 && phone.client.server?.token == nil)
        await #expect(throws: CodeProblem.address(.invalidHost)) {
            try await phone.client.addServer(FoundServer(name: "x", address: nil, isKnown: false))
        }
    }
}
