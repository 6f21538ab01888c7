import Foundation
import LocalLLMClient
import LocalLLMTestKit
import LocalLLMWire
import NetworkingKit
import PlatformKit
import TestKit
import Testing

/// A phone that is locked in the middle of an answer.
@MainActor
@Suite struct AwayTests {
    @Test(arguments: [true, false])
    func phoneAwayForTenMinutesFindsTheWholeAnswer(endsMeanwhile: Bool) async throws {
        let (network, clock) = (TestPeers(), TestClock())
        let host = try await RealHost(on: network, clock: clock)
        let phone = ChatPhone(network, clock: clock)
        try await phone.connect(to: host.id)
        phone.client.send("p")
        try await host.engine.say("begin ")
        try await phone.until(.streaming)

        phone.client.setInFront(false, screen: phone.phone)
        network.fault = .failure(DialError(.network, at: .lookup))
        network.cut()
        try await phone.until { $0.link != .open }
        var whole = "begin "
        for second in 1...600 {
            try await host.engine.say("\(second) ")
            whole += "\(second) "
            try await clock.advance(by: .seconds(1))
        }
        #expect(phone.last?.answer == "begin ")
        if endsMeanwhile {
            try await host.engine.end()
            try await eventually { await host.isIdle }
        }

        network.fault = nil
        phone.client.setInFront(true, screen: phone.phone)
        try await phone.until { $0.screen == .chat && $0.link == .open }
        if !endsMeanwhile {
            try await host.engine.say("end")
            whole += "end"
            try await host.engine.end()
        }
        try await phone.until(.finished(.stop))
        #expect(phone.last?.answer == whole)
        #expect(host.engine.requests.count == 1 && host.engine.cancelCount == 0)
    }
}
