import Foundation
import TestKit
import Testing

/// Announcements and searches with real avahi-daemons.
@Suite struct DiscoveryTests {
    private static let type = "_endlesscode._tcp"

    @Test func serviceIsFoundOnAnotherMachineUntilItEnds() async throws {
        let lab = try await Lab()
        try await lab.start(.one)
        try await lab.start(.two)
        let browser = try await lab.probe(on: .two, "browse", Self.type)
        let other = try await lab.probe(on: .one, "announce", "Other", "_other._tcp", "99")
        let announcement = try await lab.probe(on: .one, "announce", "EndlessCode-Ab1é", Self.type, "8180", "v=1", "tls=0")
        #expect(try await announcement.next() == Probe.Event(event: "announced", name: "EndlessCode-Ab1é"))
        var service = try await browser.next()
        #expect(service.event == "found")
        #expect(service.name == "EndlessCode-Ab1é")
        #expect(service.host == "machine-one.local")
        #expect(service.port == 8180)
        #expect(service.attributes == ["v": "1", "tls": "0"])
        if service.addresses?.count == 1 { service = try await browser.next("updated") }
        #expect(service.addresses == ["192.0.2.1", "2001:db8::1"])

        // Says goodbye.
        try await announcement.end()
        #expect(try await browser.next("lost").name == "EndlessCode-Ab1é")
        // Another port and other attributes under the same name.
        let next = try await lab.probe(on: .one, "announce", "EndlessCode-Ab1é", Self.type, "8181", "v=1", "tls=1")
        service = try await browser.next("found")
        #expect(service.port == 8181)
        #expect(service.attributes == ["v": "1", "tls": "1"])
        try await browser.end()
        try await next.end()
        try await other.end()
        try await lab.close()
    }

    @Test func nameInUseIsReplacedAndReported() async throws {
        let lab = try await Lab()
        try await lab.start(.one)
        try await lab.start(.two)
        let first = try await lab.probe(on: .one, "announce", "Desk", Self.type, "1")
        #expect(try await first.next().name == "Desk")
        // On the same machine, and on another one.
        let second = try await lab.probe(on: .one, "announce", "Desk", Self.type, "2")
        #expect(try await second.next().name == "Desk (2)")
        let third = try await lab.probe(on: .two, "announce", "Desk", Self.type, "3")
        let name = try #require(try await third.next().name)
        #expect(name.hasPrefix("Desk") && name != "Desk" && name != "Desk (2)")
        let browser = try await lab.probe(on: .two, "browse", Self.type)
        var ports: [String: Int] = [:]
        while ports.count < 3 {
            let found = try await browser.next("found")
            ports[try #require(found.name)] = found.port
        }
        #expect(ports == ["Desk": 1, "Desk (2)": 2, name: 3])
        for probe in [first, second, third, browser] { try await probe.end() }
        try await lab.close()
    }

    @Test func daemonsThatEndAreWaitedFor() async throws {
        let lab = try await Lab()
        try await lab.start(.one)
        // The second machine's is not there yet.
        let browser = try await lab.probe(on: .two, "browse", Self.type)
        let reason = try #require(try await browser.next("interrupted").error)
        #expect(reason.contains("avahi-daemon"))
        let announcement = try await lab.probe(on: .one, "announce", "Desk", Self.type, "8180")
        #expect(try await announcement.next().event == "announced")
        try await lab.start(.two)
        #expect(try await browser.next().event == "resumed")
        _ = try await browser.next("found")

        for _ in 0..<(Effort.isSoak ? 20 : 1) {
            try await lab.kill(.two)
            #expect(try await browser.next("lost").name == "Desk")
            #expect(try await browser.next().event == "interrupted")
            try await lab.start(.two)
            #expect(try await browser.next().event == "resumed")
            #expect(try await browser.next("found").name == "Desk")

            try await lab.stop(.one)
            #expect(try await announcement.next().event == "interrupted")
            #expect(try await browser.next("lost").name == "Desk")
            try await lab.start(.one)
            #expect(try await announcement.next() == Probe.Event(event: "announced", name: "Desk"))
            #expect(try await browser.next("found").name == "Desk")
        }
        try await announcement.end()
        try await browser.end()
        try await lab.close()
    }

    @Test func atMostThirtyTwoServicesAreFollowed() async throws {
        let lab = try await Lab()
        try await lab.start(.one)
        let many = try await lab.probe(on: .one, "announce", "Desk*32", Self.type, "8180")
        for _ in 0..<32 { #expect(try await many.next().event == "announced") }
        let last = try await lab.probe(on: .one, "announce", "Last", Self.type, "8181")
        #expect(try await last.next().event == "announced")
        let browser = try await lab.probe(on: .one, "browse", Self.type)
        var known: Set<String> = []
        while known.count < 32 { known.insert(try #require(try await browser.next("found").name)) }
        // Where there are 32, the other one is found when they have gone.
        try await many.end()
        while known != ["Last"] {
            let event = try await browser.next()
            let name = try #require(event.name)
            if event.event == "lost" { known.remove(name) } else { known.insert(name) }
            #expect(known.count <= 32)
        }
        try await browser.end()
        try await last.end()
        try await lab.close()
    }

    @Test func appsGetServersAndTheReasonWhyThereAreNone() async throws {
        let lab = try await Lab()
        let app = try await lab.probe(on: .one, "servers", Self.type)
        let problem = try await app.next()
        #expect(problem.event == "problem")
        #expect(problem.error?.contains("avahi-daemon") == true)
        try await lab.start(.one)
        let announcement = try await lab.probe(on: .one, "announce", "Desk", Self.type, "8180", "V=1")
        // By two searches, one after the other.
        for _ in 0..<2 {
            let server = try await app.next("server")
            #expect(server.name == "Desk" && server.host == "machine-one.local" && server.port == 8180)
            #expect(server.attributes == ["v": "1"])
            #expect(server.addresses?.isEmpty == false)
        }
        try await app.end()
        try await announcement.end()
        try await lab.close()
    }

    @Test func withoutAMessageBusTheReasonIsGivenOnce() async throws {
        for arguments in [["browse", Self.type], ["announce", "Desk", Self.type, "1"]] {
            let probe = try await Probe(bus: "/nonexistent/bus", arguments)
            let event = try await probe.next()
            #expect(event.event == "interrupted")
            #expect(event.error?.contains("avahi-daemon") == true)
            try await probe.end()
        }
    }
}
