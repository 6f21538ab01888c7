import PlatformKit
import TestKit
import Testing
import WireKit

@testable import DiscoveryKit

@Suite struct ServiceTableTests {
    private let type = ServiceType("_a._tcp")!
    private let desk = ServiceInstance(name: "Desk", type: "_a._tcp.", domain: "local.")
    private let lamp = ServiceInstance(name: "Lamp", type: "_a._tcp.", domain: "local.")

    private func resolve(_ instance: ServiceInstance, port: UInt16 = 1, in table: ServiceTable) {
        table.update(instance, type: type) { entry in
            (entry.host, entry.port) = ("desk.local.", port)
            entry.addresses = [IPAddress([192, 0, 2, 1], interface: 1)!]
        }
    }

    @Test func readersGetTheServicesAndThenTheChanges() async throws {
        let table = ServiceTable()
        resolve(desk, in: table)
        var view = table.view()
        let service = try #require(await view.next()?.found)
        #expect(service.name == "Desk" && service.host == "desk.local" && service.port == 1)
        resolve(desk, port: 2, in: table)
        let changed = try #require(await view.next()?.updated)
        #expect(changed.port == 2)
        table.setProblem(DiscoveryError(.unavailable, "gone"))
        #expect(await view.next() == .lost(changed))
        #expect(await view.next() == .interrupted(DiscoveryError(.unavailable, "gone")))
        table.setProblem(nil)
        #expect(await view.next() == .resumed)
    }

    @Test func servicesWithoutAnAddressAreNotReported() async throws {
        let table = ServiceTable()
        var view = table.view()
        table.update(lamp, type: type) { $0.host = "lamp.local." }
        resolve(desk, in: table)
        let service = try #require(await view.next()?.found)
        #expect(service.name == "Desk")
    }

    @Test func slowReadersGetNoIntermediateChanges() async throws {
        let table = ServiceTable()
        var view = table.view()
        for port in 1...1_000 {
            resolve(desk, port: UInt16(port), in: table)
            resolve(lamp, in: table)
            table.remove(lamp)
        }
        let service = try #require(await view.next()?.found)
        #expect(service.port == 1_000)
        table.remove(desk)
        #expect(await view.next() == .lost(service))
    }

    @Test func waitingReadersEndWithTheirTask() async throws {
        let browser = ServiceBrowser(type: type, clock: TestClock())
        let reader = Task { for await _ in browser {} }
        reader.cancel()
        try await within { await reader.value }
    }

    @Test func wrongTypesAreAProblemForApps() async {
        var lists: [DiscoveredServers] = []
        for await list in LocalDiscovery().servers(of: "nonsense") { lists.append(list) }
        #expect(lists.count == 1)
        #expect(lists.first?.problem != nil)
    }
}

extension ServiceEvent {
    fileprivate var found: DiscoveredService? { if case .found(let service) = self { service } else { nil } }
    fileprivate var updated: DiscoveredService? { if case .updated(let service) = self { service } else { nil } }
}
