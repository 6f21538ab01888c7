import HTTPTypes
import NetworkingKit
import SimBridgeWire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import SimBridgeService

/// Version 2 of the line: `Docs/Protocols/SimBridge-Line.md`.
@Suite struct KeeperTests {
    let relay: TestRelay
    let pair: TestRelay.Pair

    init() async throws {
        relay = try await TestRelay()
        pair = try await relay.pair()
    }

    private func host(_ query: String = "") async throws -> (line: TestLine, before: [RelayMessage]) {
        try await relay.open(.host, pair.host, of: pair.owner, query: "&v=2" + query)
    }

    private func client(_ query: String = "") async throws -> (line: TestLine, before: [RelayMessage]) {
        try await relay.open(.client, pair.client, of: pair.owner, query: "&v=2" + query)
    }

    private func leave(_ line: TestLine, _ device: Device.ID) async throws {
        line.close()
        try await eventually { [relay] in relay.relay.lines[device] == nil }
    }

    private func states() async throws -> [DeliveryState?] { try await relay.history(of: pair.owner).reversed().map(\.state) }

    private func bodies(_ messages: [RelayMessage]) -> [String?] {
        messages.map {
            switch $0.content {
            case .command(let command): command.body
            case .event(.incomingText(_, _, let body)): body
            default: nil
            }
        }
    }

    @Test func commandsAreNumberedAndAcknowledged() async throws {
        let (host, _) = try await host()
        for number in 1...3 {
            #expect(try await relay.text("\(number)", to: pair.host, by: pair.owner).status == .sent)
            let message = try await host.next()
            #expect(message.seq == Int64(number) && message.fromDeviceId == nil)
        }
        #expect(try await states() == [.sent, .sent, .sent])
        try await host.send(.ack(seq: 2))
        try await host.expectQuiet()
        #expect(try await states() == [.confirmed, .confirmed, .sent])
        // A number beyond the last written message acknowledges only written messages.
        try await host.send(.ack(seq: 4_000_000_000_000))
        try await host.expectQuiet()
        #expect(try await states() == [.confirmed, .confirmed, .confirmed])
        let item = try #require(try await relay.history(of: pair.owner).first)
        #expect(item.stateTimes?.accepted != nil && item.stateTimes?.sent != nil && item.stateTimes?.confirmed != nil)
    }

    @Test(arguments: [#"{"type":"ack"}"#, #"{"type":"ack","seq":"1"}"#, #"{"type":"ack","seq":-1}"#, #"{"type":"ack","seq":1.5}"#])
    func anInvalidAcknowledgementIsRefused(_ text: String) async throws {
        let (host, _) = try await host()
        try await host.send(text)
        #expect(try await host.next().content == .failure(LineFailure("seq must be a number of 0 or more")))
        try await host.expectQuiet()
    }

    @Test func whatWasNotAcknowledgedIsWrittenAgain() async throws {
        var (line, _) = try await host()
        for number in 1...3 { try await relay.text("\(number)", to: pair.host, by: pair.owner) }
        for _ in 1...3 { _ = try await line.next() }
        try await line.send(.ack(seq: 1))
        try await line.expectQuiet()
        try await leave(line, pair.host)
        #expect(try await relay.text("4", to: pair.host, by: pair.owner).status == .queued)
        #expect(try await states() == [.confirmed, .sent, .sent, .accepted])

        var before: [RelayMessage]
        (line, before) = try await host()
        #expect(bodies(before) == ["2", "3", "4"] && before.map(\.seq) == [2, 3, 4])
        try await line.expectQuiet()
        #expect(try await states() == [.confirmed, .sent, .sent, .sent])
        try await leave(line, pair.host)

        (line, before) = try await host("&after=3")
        #expect(bodies(before) == ["4"])
        #expect(try await states() == [.confirmed, .confirmed, .confirmed, .sent])
        try await leave(line, pair.host)

        // A cursor before acknowledged messages means that the device has lost them.
        (line, before) = try await host("&after=0")
        #expect(bodies(before) == ["1", "2", "3", "4"])
        relay.advance(.seconds(86_401))
    }

    @Test func theEarlierQueueIsNumbered() async throws {
        for number in 1...3 { try await relay.text("\(number)", to: pair.host, by: pair.owner) }
        let (line, before) = try await host()
        #expect(bodies(before) == ["1", "2", "3"] && before.map(\.seq) == [1, 2, 3])
        try await relay.text("4", to: pair.host, by: pair.owner)
        #expect(try await line.next().seq == 4)
    }

    /// Given while the host's first line with version 2 was about to begin.
    @Test func numberedCommandsDoNotOvertakeTheQueue() async throws {
        for number in 1...2 { try await relay.text("\(number)", to: pair.host, by: pair.owner) }
        let (pair, now) = (self.pair, relay.now)
        try await relay.relay.store.write { transaction in
            let command = DeviceMessage(.command(.sendText(sim: 1, to: "+1", body: "3")), reqId: .random())
            _ = try transaction.insert(
                NewMessage(
                    account: pair.owner.id, from: pair.client, receivers: [Receiver(device: pair.host, isNumbered: true)],
                    type: .command, payload: command.text, isByREST: true, state: .accepted, deadline: now + .seconds(60)), at: now)
        }
        let (line, before) = try await host()
        #expect(bodies(before) == ["1", "2", "3"])
        let numbers = before.compactMap(\.seq)
        #expect(numbers == numbers.sorted() && Set(numbers).count == 3)
        try await line.send(.ack(seq: try #require(numbers.last)))
        try await line.expectQuiet()
        #expect(try await states() == [.confirmed, .confirmed, .confirmed])
    }

    /// An opening without version 2 was cut before it began: the relay stored without a number, and the host still counts as numbering.
    @Test func unnumberedCommandsGetNumbersForAcknowledgingDevices() async throws {
        let (line, _) = try await host()
        try await relay.text("1", to: pair.host, by: pair.owner)
        _ = try await line.next()
        try await leave(line, pair.host)
        let (pair, now) = (self.pair, relay.now)
        try await relay.relay.store.write { transaction in
            let command = DeviceMessage(.command(.sendText(sim: 1, to: "+1", body: "2")), reqId: .random())
            _ = try transaction.insert(
                NewMessage(
                    account: pair.owner.id, from: pair.client, receivers: [Receiver(device: pair.host, isNumbered: false)],
                    type: .command, payload: command.text, isByREST: true, state: .accepted, deadline: now + .seconds(60)), at: now)
        }
        let (again, before) = try await host()
        #expect(bodies(before) == ["1", "2"] && before.map(\.seq) == [1, 2], "a number that the host has seen stays")
        try await again.send(.ack(seq: 2))
        try await again.expectQuiet()
        #expect(try await states() == [.confirmed, .confirmed])
    }

    // MARK: Commands whose line ended

    /// Finishes a command that was stored as sent on a line that had ended by then.
    private func finishAfterLineEnded(_ seq: Int64?) async throws {
        let item = try #require(try await relay.history(of: pair.owner).first)
        let stored = StoredMessage(
            id: item.id, seq: seq, from: nil, payload: #"{"type":"command","cmd":"GET_SIMS"}"#, state: .sent, deadline: nil)
        try await Handover(store: relay.relay.store, lines: relay.relay.lines, now: { [relay] in relay.now })
            .finish(stored, .gone, to: pair.host)
    }

    @Test func aCommandThatLostItsNumberGetsAnother() async throws {
        let (line, _) = try await host()
        try await relay.text("1", to: pair.host, by: pair.owner)
        let seq = try await line.next().seq
        try await leave(line, pair.host)
        try await leave(try await relay.line(.host, pair.host, of: pair.owner), pair.host)
        let (again, _) = try await host()
        try await finishAfterLineEnded(seq)
        #expect(try await again.next().seq == 2)
        try await again.send(.ack(seq: 2))
        try await again.expectQuiet()
        #expect(try await states() == [.confirmed])
    }

    @Test func aCommandThatTheNextLineHasWrittenStaysSent() async throws {
        let (line, _) = try await host()
        try await relay.text("1", to: pair.host, by: pair.owner)
        _ = try await line.next()
        try await leave(line, pair.host)
        let (again, before) = try await host()
        #expect(before.map(\.seq) == [1])
        try await finishAfterLineEnded(1)
        try await again.expectQuiet()
        #expect(try await states() == [.sent])
    }

    @Test func eventsForAnAbsentAcknowledgingDeviceAreStored() async throws {
        let (line, _) = try await client()
        try await leave(line, pair.client)
        let host = try await relay.line(.host, pair.host, of: pair.owner)
        for number in 1...3 {
            try await host.send(DeviceMessage(.event(.incomingText(sim: 1, from: "+1", body: "\(number)"))))
        }
        // No sender is notified that the receiver is offline: the receiver will get the messages.
        try await host.expectQuiet()
        try await host.send(DeviceMessage(.webrtc(.offer(sdp: nil))))
        #expect(try await host.next().content == .failure(.targetOffline(pair.client)))
        #expect(try await states() == [.accepted, .accepted, .accepted, .failed])

        let (again, before) = try await client()
        #expect(bodies(before) == ["1", "2", "3"])
        #expect(before.map(\.seq) == [1, 2, 3] && before.allSatisfy { $0.fromDeviceId == pair.host })
        try await again.send(.ack(seq: 3))
        try await again.expectQuiet()
        #expect(try await states() == [.confirmed, .confirmed, .confirmed, .failed])
        try await host.send(DeviceMessage(.event(.incomingText(sim: 1, from: "+1", body: "4"))))
        #expect(try await again.next().seq == 4)
    }

    @Test func commandsForAnAbsentAcknowledgingDeviceAreNotStored() async throws {
        let (host, _) = try await host()
        try await leave(host, pair.host)
        let (client, _) = try await client()
        try await client.send(DeviceMessage(.command(.makeCall(sim: 1, to: "1")), reqId: RequestID("r")))
        #expect(try await client.next() == RelayMessage(.failure(.targetOffline(pair.host)), reqId: RequestID("r")))
        #expect(try await self.host().before.isEmpty)
    }

    @Test func withoutVersion2NothingOfThisIsSeen() async throws {
        let (host, _) = try await host()
        let client = try await relay.line(.client, pair.client, of: pair.owner)
        try await host.send(DeviceMessage(.event(.error("b"))))
        #expect(try await client.nextText() == #"{"from_device_id":\#(pair.host),"body":"b","event":"ERROR","type":"event"}"#)
        try await client.send(DeviceMessage(.command(.hangUp), messageId: "m"))
        #expect(try await host.next() == RelayMessage(.command(.hangUp), seq: 1, historyId: 2, from: pair.client))
        try await client.expectQuiet()
    }

    @Test func aDeviceMayGoBackToVersion1() async throws {
        let (line, _) = try await host()
        try await relay.text("written", to: pair.host, by: pair.owner)
        _ = try await line.next()
        try await leave(line, pair.host)
        try await relay.text("waits", to: pair.host, by: pair.owner)
        let (old, before) = try await relay.open(.host, pair.host, of: pair.owner)
        #expect(bodies(before) == ["waits"] && before.allSatisfy { $0.seq == nil })
        #expect(try await states() == [.unknown, .sent])
        try await old.expectQuiet()
    }

    // MARK: Cursors

    @Test func aCursorFromTheFutureIsReset() async throws {
        let (line, _) = try await host()
        try await relay.text("1", to: pair.host, by: pair.owner)
        try await leave(line, pair.host)
        let (again, before) = try await host("&after=99")
        #expect(before.map(\.content).first == .reset(seq: 0))
        #expect(bodies(Array(before.dropFirst())) == ["1"])
        try await again.send(.ack(seq: 1))
        try await again.expectQuiet()
        try await leave(again, pair.host)
        #expect(try await host("&after=99").before.map(\.content) == [.reset(seq: 1)])
    }

    @Test func aCursorFromBeforeWhatIsKeptIsReset() async throws {
        let (line, _) = try await client()
        let host = try await relay.line(.host, pair.host, of: pair.owner)
        for _ in 1...3 { try await host.send(DeviceMessage(.event(.error(nil)))) }
        for _ in 1...3 { _ = try await line.next() }
        try await line.send(.ack(seq: 3))
        try await line.expectQuiet()
        try await leave(line, pair.client)
        relay.advance(.seconds(91 * 86_400))
        try await relay.relay.history.prune()
        let token = try await RelayTokensForTests.token(for: pair.owner.id, at: relay.now, secret: relay.secret)
        let owner = TestRelay.Person(id: pair.owner.id, token: token)
        let (_, before) = try await relay.open(.client, pair.client, of: owner, query: "&v=2&after=1")
        #expect(before == [RelayMessage(.reset(seq: 3))])
        #expect(try await relay.open(.client, pair.client, of: owner, query: "&v=2&after=3").before.isEmpty)
    }

    @Test(arguments: ["x", "-1", "1.5", "99999999999999999999"]) func aCursorIsANumber(_ after: String) async throws {
        let error = await #expect(throws: TransportError.self) { () async throws in
            _ = try await relay.connect("/ws/host/\(pair.host)?token=\(pair.owner.token)&v=2&after=\(after)")
        }
        #expect(error?.reply?.head.status.code == 422)
    }

    // MARK: Deadlines

    @Test func whatIsNeverAcknowledgedIsUnknownAndNotWrittenAgain() async throws {
        let (line, _) = try await host()
        _ = try await relay.call(SimBridgeEndpoints.call, CallCommand(toDeviceId: pair.host, sim: 1, to: "1"), by: pair.owner)
        try await relay.text("text", to: pair.host, by: pair.owner)
        _ = try await line.next()
        _ = try await line.next()
        try await leave(line, pair.host)
        relay.advance(.seconds(61))
        try await relay.relay.deadlines.expire()
        #expect(try await states() == [.unknown, .sent])
        let (again, before) = try await host("&after=0")
        #expect(bodies(before) == ["text"] && before.map(\.seq) == [2])
        try await again.expectQuiet()
    }

    /// A host that reads slowly does not dial minutes later.
    @Test(arguments: ["", "&v=2"]) func overdueMessagesAreLeftOutOfAReplay(_ version: String) async throws {
        for _ in 0..<3 {
            _ = try await relay.call(SimBridgeEndpoints.call, CallCommand(toDeviceId: pair.host, sim: 1, to: "1"), by: pair.owner)
        }
        let line = try await relay.connect("/ws/host/\(pair.host)?token=\(pair.owner.token)\(version)")
        _ = try await line.next()
        relay.advance(.seconds(61))
        var late = 0
        while try await line.next().content != .connected(pair.host) { late += 1 }
        // One message may have been in transit.
        #expect(late <= 1)
        try await relay.relay.deadlines.expire()
        #expect(try await states().last == .expired)
    }

    /// Messages for an absent device have the retention of the history, so that storage does not grow forever.
    @Test func anUnfetchedEventEndsWithTheHistory() async throws {
        let (client, _) = try await client()
        try await leave(client, pair.client)
        let (host, _) = try await host()
        try await host.send(DeviceMessage(.event(.incomingText(sim: 1, from: "+1", body: "old")), messageId: "m1"))
        #expect(try await host.next().content == .stored(messageId: "m1"))
        relay.advance(.seconds(91 * 86_400))
        try await relay.relay.history.prune()
        let token = try await RelayTokensForTests.token(for: pair.owner.id, at: relay.now, secret: relay.secret)
        let owner = TestRelay.Person(id: pair.owner.id, token: token)
        #expect(try await relay.history(of: owner).isEmpty)
        let (_, before) = try await relay.open(.client, pair.client, of: owner, query: "&v=2&after=0")
        #expect(before == [RelayMessage(.reset(seq: 1))])
    }

    // MARK: Sent once

    @Test func aMessageWithAnIDIsStoredOnce() async throws {
        let (host, _) = try await host()
        let (client, _) = try await client()
        let event = DeviceMessage(.event(.incomingText(sim: 1, from: "+1", body: "hi")), messageId: "m1")
        try await host.send(event)
        #expect(try await host.nextText() == #"{"msg_id":"m1","type":"stored"}"#)
        #expect(bodies([try await client.next()]) == ["hi"])
        try await host.send(event)
        #expect(try await host.next().content == .stored(messageId: "m1"))
        try await client.expectQuiet()
        #expect(try await states() == [.sent])
        try await host.send(DeviceMessage(.event(.error("other")), messageId: "m1"))
        #expect(
            try await host.next().content == .failure(LineFailure("msg_id already used for another message", messageId: "m1")))
        for id in [#""""#, "4", #""\#(String(repeating: "x", count: 65))""#] {
            try await host.send(#"{"type":"event","event":"ERROR","msg_id":\#(id)}"#)
            guard case .failure(let failure) = try await host.next().content else {
                Issue.record("taken: \(id)")
                continue
            }
            #expect(failure.text == "msg_id must be a text of 1 to 64 characters")
        }
    }

    @Test func aFailedMessageMayBeSentAgain() async throws {
        let (host, _) = try await host()
        let event = DeviceMessage(.event(.error("b")), messageId: "m1")
        try await host.send(event)
        #expect(
            try await host.next().content == .failure(LineFailure("target_offline", targetDeviceId: pair.client, messageId: "m1")))
        let client = try await relay.line(.client, pair.client, of: pair.owner)
        try await host.send(event)
        #expect(try await client.next().content == .event(.error("b")))
        #expect(try await host.next().content == .stored(messageId: "m1"))
        client.close()
        #expect(try await host.next().content == .event(.deviceOffline(pair.client)))
        try await host.send(event)
        #expect(try await host.next().content == .stored(messageId: "m1"))
    }

    // MARK: Order

    /// Many senders at once, one receiver who comes and goes: no number is missed, none comes late.
    @Test func sequenceNumbersFollowTheOrderOfManySenders() async throws {
        let owner = pair.owner
        let (first, _) = try await host()
        try await leave(first, pair.host)
        let count = 200
        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 0..<4 {
                group.addTask { [relay, pair] in
                    for number in 0..<(count / 4) { try await relay.text("\(sender)-\(number)", to: pair.host, by: owner) }
                }
            }
            group.addTask { [self] in
                var seen: [Int64] = []
                while seen.count < count {
                    let (line, before) = try await host("&after=\(seen.last ?? 0)")
                    seen += before.compactMap(\.seq)
                    for _ in 0..<7 where seen.count < count { seen.append(try #require(try await line.next().seq)) }
                    if let last = seen.last { try await line.send(.ack(seq: last)) }
                    line.close()
                }
                #expect(seen == Array(1...Int64(count)))
            }
            try await group.waitForAll()
        }
    }
}
