import PhoneTestKit
import PlatformKit
import Testing

@MainActor
@Suite struct ServerDiscoveryTests {
    private let desk = DiscoveredServer(name: "Desk", host: "desk.local", port: 8180, addresses: ["192.0.2.1"])

    @Test func searchReportsTheServersAndEachChange() async throws {
        let phone = TestPhone()
        phone.announced.servers = [desk]
        var lists = phone.phone().discovery.servers(of: "_a._tcp").makeAsyncIterator()
        #expect(await lists.next()?.servers == [desk])
        phone.announced = DiscoveredServers(problem: .denied)
        #expect(await lists.next() == DiscoveredServers(problem: .denied))
    }

    @Test func phoneWithoutDiscoverySaysSo() async {
        var lists: [DiscoveredServers] = []
        for await list in NoServerDiscovery().servers(of: "_a._tcp") { lists.append(list) }
        #expect(lists == [DiscoveredServers(problem: .unsupported)])
    }
}
