import Foundation
import Hummingbird
import NetworkingKit
import TestKit
import Testing

@testable import ServerKit

/// The client addresses of browser phones for rate limits.
@Suite struct ClientAddressesTests {
    private let addresses = ClientAddresses()

    private func address(_ phone: String, in network: String, now: ContinuousClock.Instant = .now) -> String {
        addresses.note(phone, in: network)
        return addresses.address(of: phone, now: now)
    }

    @Test func phonesOfOneNetworkHaveSeparateAddresses() {
        let (ada, bob) = (address("ada", in: "203.0.113.7"), address("bob", in: "203.0.113.7"))
        #expect(ada != bob)
        #expect(address("ada", in: "203.0.113.7") == ada)
        #expect(address("ada", in: "198.51.100.2") != ada)
        #expect(ada != "203.0.113.7")
    }

    /// An attacker may create any number of phones, each with its own cookie.
    @Test func newPhonesGetABoundedNumberOfAddresses() {
        let start = ContinuousClock.now
        let family = address("family", in: "203.0.113.7", now: start)
        let attempts = (0..<1000).map { address("\($0)", in: "203.0.113.7", now: start) }
        #expect(Set(attempts).union([family]).count == ClientAddresses.maximumPhones + 1)
        #expect(!attempts.contains(family))
        #expect(address("family", in: "203.0.113.7", now: start) == family)
        // Closing the pages frees no address, and other networks are unaffected.
        for phone in 0..<1000 { addresses.forget("\(phone)") }
        #expect(address("new", in: "203.0.113.7", now: start) == attempts.last)
        #expect(address("new", in: "198.51.100.2", now: start) != attempts.last)
        // Phones without a known network share one address.
        addresses.forget("new")
        #expect(addresses.address(of: "new") == addresses.address(of: "another"))
    }

    @Test func addressExpiresAfterAnHourWithoutACall() {
        let start = ContinuousClock.now
        for phone in 0..<ClientAddresses.maximumPhones { _ = address("\(phone)", in: "net", now: start) }
        let shared = address("late", in: "net", now: start + .seconds(3599))
        #expect(address("0", in: "net", now: start + .seconds(3599)) != shared)
        #expect(address("late", in: "net", now: start + .seconds(3600)) != shared)
        #expect(address("0", in: "net", now: start + .seconds(3600)) == address("0", in: "net", now: start))
    }

    @Test func rememberedNetworksAreBounded() {
        for network in 0..<ClientAddresses.maximumNetworks + 100 { _ = address("one", in: "\(network)") }
        #expect(addresses.count <= ClientAddresses.maximumNetworks)
    }

    @Test func callsAndSocketsCarryTheClientAddress() async throws {
        let service = sampleService { router in
            router.get("/client") { _, context in context.remoteNetwork }
            router.webSocket("/socket") { _, context in
                let client = context.remoteNetwork
                return WebSocketUpgrade { try await $0.send(client) }
            }
        }
        let transport = InProcessTransport(services: [service], logger: .quiet)
        let (ada, bob) = (transport.calling { "ada" }, transport.calling { "bob" })
        for (transport, name) in [(ada, "ada"), (bob, "bob"), (transport, "in process")] {
            let address = InProcessTransport.address.appending(path: "sample")
            let reply = try await transport.send(.init(.get, "/client", below: address))
            #expect(String(decoding: reply.body, as: UTF8.self) == name)
            let socket = try await transport.connect(.init(.get, "/socket", below: address))
            #expect(try await socket.receive() == .text(name))
        }
    }
}
