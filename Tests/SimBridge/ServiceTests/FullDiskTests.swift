import NetworkingKit
import SimBridgeWire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import SimBridgeService

/// A disk without room: what was accepted arrives, and what was refused is sent once there is room.
@Suite(.onSQLite) struct FullDiskTests {
    @Test func refusedMessagesOfALineAndOfACallArriveOnceWhenThereIsRoom() async throws {
        let relay = try await TestRelay()
        let pair = try await relay.pair()
        var host = try await relay.line(.host, pair.host, of: pair.owner, query: "&v=2")
        let client = try await relay.line(.client, pair.client, of: pair.owner, query: "&v=2")
        try await relay.relay.store.limitGrowth(toPages: 0)
        var accepted = 0
        let filling = String(repeating: "x", count: 1000)
        while accepted < 1000 {
            let text = "\(accepted) " + filling
            try await host.send(DeviceMessage(.event(.incomingText(sim: 1, from: "+1", body: text)), messageId: "\(accepted)"))
            guard let answer = try? await host.next() else { break }
            #expect(answer.content == .stored(messageId: "\(accepted)"))
            #expect(try await client.next().body == text)
            accepted += 1
        }
        #expect(accepted < 1000)
        #expect(try await host.ending()?.code == 1011)
        let command = TextCommand(toDeviceId: pair.host, sim: 1, to: "+1", body: filling, reqId: nil)
        expect(try await relay.call(SimBridgeEndpoints.sendText, command, by: pair.owner), 507, "The disk of the relay is full")

        try await relay.relay.store.limitGrowth(toPages: nil)
        host = try await relay.line(.host, pair.host, of: pair.owner, query: "&v=2")
        for _ in 0..<2 {
            try await host.send(DeviceMessage(.event(.incomingText(sim: 1, from: "+1", body: "last")), messageId: "\(accepted)"))
            #expect(try await host.next().content == .stored(messageId: "\(accepted)"))
        }
        try await client.send(.ping)
        var texts: [String] = []
        while case let message = try await client.next(), message.content != .pong {
            if let body = message.body { texts.append(body) }
        }
        #expect(texts == ["last"])
    }
}

extension RelayMessage {
    fileprivate var body: String? {
        if case .event(.incomingText(_, _, let body)) = content { body } else { nil }
    }
}
