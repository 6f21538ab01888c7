import ClientKit
import Foundation
import HTTPTypes
import NetworkingKit
import PhoneTestKit
import PlatformKit
import SimBridgeTestKit
import SimBridgeWire
import TestKit
import Testing
import WireKit

@testable import SimBridgeClient

/// Sent and received texts, and their history.
@MainActor
@Suite struct TextTests {
    private func state(_ remote: Remote, _ number: String = "+1555") -> TextMessage.State? { remote.texts(number).last?.state }

    @Test func theHostConfirmsAText() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        let number = try await remote.bridge.sendText(to: "+1 555", body: "Hello", sim: 2)
        #expect(number == "+1555")
        try await eventually { host.commands == [.sendText(sim: 2, to: "+1555", body: "Hello")] }
        try await eventually { await self.state(remote) == .sent }
        try await host.send(.textSent(.ok, reason: nil), reqId: host.messages[0].reqId)
        try await eventually { await self.state(remote) == .confirmed }
        #expect(remote.texts("+1555").count == 1)
        // The stored state at the next start.
        try await remote.until { $0.history.items.count >= 2 && $0.accepted.isEmpty }
        #expect(state(remote) == .confirmed)
    }

    @Test func aTextWrittenOfflineWaitsAndIsSentOnce() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let phone = TestPhone()
        let remote = try await box.paired(with: host, user: "ada", phone: phone)
        box.network.cut()
        try await remote.bridge.sendText(to: "+1555", body: "later", sim: 1)
        try await eventually { await self.state(remote) == .waiting }
        await remote.quit()
        // The relay accepts the text, but its reply is lost: the client retries with the same id.
        box.network.mend()
        box.network.set { $0.losesReplies = "/sms" }
        let again = box.remote(phone)
        try await eventually { host.commands.count == 1 }
        #expect(state(again) == .waiting)
        box.network.set { $0.losesReplies = nil }
        again.bridge.wake()
        try await eventually { await self.state(again) == .sent }
        #expect(host.commands.count == 1)
        #expect(again.texts("+1555").count == 1)
    }

    @Test func aTextThatAnEarlierVersionStoredIsSentWithItsID() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let phone = TestPhone()
        let remote = try await box.paired(with: host, user: "ada", phone: phone)
        await remote.quit()
        let payload = #"{"host":\#(host.id),"sim":2,"to":"+1555","body":"\u00e9"}"#
        let item = OutboxItem(lane: "+1555", payload: Data(payload.utf8), createdAt: Date())
        let store = try ClientStore(folder: phone.phone().folder())
        // Refused by the relay, and in nobody's way.
        try await store.append(OutboxItem(lane: "+1", payload: Data("{".utf8), createdAt: Date()))
        try await store.append(item)
        let again = box.remote(phone)
        try await eventually { host.commands == [.sendText(sim: 2, to: "+1555", body: "\u{e9}")] }
        #expect(host.messages[0].reqId?.rawValue == item.id)
        try await eventually { await self.state(again) == .sent }
    }

    @Test func aWithdrawnTextIsNotSent() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        box.network.cut()
        try await remote.bridge.sendText(to: "+1555", body: "no", sim: 1)
        try await eventually { await self.state(remote) == .waiting }
        await remote.bridge.discard(remote.texts("+1555")[0])
        try await eventually { await remote.texts("+1555").isEmpty }
    }

    @Test func aFailedTextIsRetriedAsANewText() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        host.answer { DeviceMessage(.event(.textSent(.error, reason: "No service")), to: $0.fromDeviceId, reqId: $0.reqId) }
        let remote = try await box.paired(with: host, user: "ada")
        try await remote.bridge.sendText(to: "+1555", body: "Hello", sim: 1)
        try await eventually { await self.state(remote) == .failed(.host("No service")) }
        host.answer { DeviceMessage(.event(.textSent(.ok, reason: nil)), to: $0.fromDeviceId, reqId: $0.reqId) }
        try await remote.bridge.retry(remote.texts("+1555")[0])
        try await eventually { await self.state(remote) == .confirmed }
        #expect(remote.texts("+1555").count == 1)
        #expect(Set(host.messages.map(\.reqId)).count == 2)
    }

    @Test func refusedTextsFailWithTheRelaysReason() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        box.network.set { $0.answer = .init(403, #"{"detail":"Devices are not paired"}"#, path: "/sms") }
        try await remote.bridge.sendText(to: "+1555", body: "Hello", sim: 1)
        try await eventually { await self.state(remote) == .failed(.refused(.notPaired)) }
        box.network.set { $0.answer = nil }
        try await remote.bridge.retry(remote.texts("+1555")[0])
        try await eventually { await self.state(remote) == .sent }
    }

    @Test func relayErrorsDoNotFailTheText() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        box.network.set { $0.answer = .init(503, #"{"detail":"Too much to do"}"#, path: "/sms") }
        try await remote.bridge.sendText(to: "+1555", body: "Hello", sim: 1)
        try await eventually { box.network.calls.contains { $0.hasSuffix("/sms") } }
        box.network.set { $0.answer = nil }
        remote.bridge.wake()
        try await eventually { await self.state(remote) == .sent }
        #expect(host.commands.count == 1)
    }

    @Test func textsForAnAbsentHostWaitAtTheRelay() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        try await remote.isLeft(by: host)
        try await remote.bridge.sendText(to: "+1555", body: "Hello", sim: 1)
        try await eventually { await self.state(remote) == .queued }
        try await host.connect()
        try await eventually { host.commands.count == 1 }
    }

    /// The host has not reported an outcome yet.
    @Test func aWaitingTextIsDeliveredWhenTheHostConnects() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let clock = TestClock()
        let remote = try await box.paired(with: host, user: "ada", clock: clock)
        try await remote.isLeft(by: host)
        try await remote.bridge.sendText(to: "+1555", body: "Hello", sim: 1)
        try await eventually { await self.state(remote) == .queued }
        try await remote.until { $0.accepted.isEmpty }
        try await host.connect()
        try await remote.until(advancing: clock, by: .seconds(5)) { $0.conversation(with: "+1555")?.messages.last?.state == .sent }
    }

    @Test func aFailedHistoryFetchIsRetried() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let clock = TestClock()
        let remote = try await box.paired(with: host, user: "ada", clock: clock)
        try await remote.until { $0.history.phase == .ready }
        box.network.set { $0.answer = .init(503, #"{"detail":"Too much to do"}"#, path: "/history") }
        let calls = box.network.calls.count { $0.contains("/history") }
        try await host.send(.incomingText(sim: 1, from: "+1555", body: "Hello"))
        try await eventually { box.network.calls.count { $0.contains("/history") } > calls }
        try await remote.until { $0.history.isStale }
        box.network.set { $0.answer = nil }
        try await remote.until(advancing: clock, by: .seconds(5)) { $0.conversation(with: "+1555") != nil }
    }

    @Test func anOutdatedPageDoesNotReplaceALaterOne() {
        let list = HistoryList(device: nil)
        func page(_ numbers: Int64...) -> HistoryPage {
            let items = numbers.map {
                HistoryItem(id: .init($0), fromDeviceId: 1, toDeviceId: 2, msgType: .event, payload: .object([:]), createdAt: nil)
            }
            return HistoryPage(items: items, total: items.count, offset: 0, limit: 50)
        }
        let (first, second, third) = (list.beginFetch(), list.beginFetch(), list.beginFetch())
        list.take(newest: page(2, 1), of: second)
        list.take(newest: page(), of: first)
        #expect(list.items.map(\.id.rawValue) == [2, 1])
        list.take(newest: page(3, 2, 1), of: third)
        #expect(list.items.map(\.id.rawValue) == [3, 2, 1])
    }

    @Test func invalidTextsAreRefusedAtOnce() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        await #expect(throws: BridgeProblem.number(.invalidCharacters)) {
            try await remote.bridge.sendText(to: "BANK", body: "x", sim: 1)
        }
        await #expect(throws: BridgeProblem.textEmpty) { try await remote.bridge.sendText(to: "1", body: " \n", sim: 1) }
        await #expect(throws: BridgeProblem.textTooLong) {
            try await remote.bridge.sendText(to: "1", body: String(repeating: "é", count: 1601), sim: 1)
        }
    }

    /// The number of requests for the history of one device.
    private func pages(_ box: RelayBox) -> Int { box.network.calls.count { $0.contains("/history?device_id=") } }

    @Test func theHistoryIsFetchedInPages() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        for number in 1...70 { try await host.send(.incomingText(sim: 1, from: "+1", body: "\(number)")) }
        try await remote.until { $0.events.count == 70 }
        let list = HistoryList(device: host.id)
        await remote.bridge.refresh(list)
        #expect(list.items.count == 50 && list.hasMore)
        // More than a page of new texts moves the next pages.
        for number in 71...130 { try await host.send(.incomingText(sim: 1, from: "+1", body: "\(number)")) }
        try await remote.until { $0.events.first?.event == .incomingText(sim: 1, from: "+1", body: "130") }
        let calls = pages(box)
        async let first: Void = remote.bridge.loadMore(list)
        async let second: Void = remote.bridge.loadMore(list)
        _ = await (first, second)
        // One of the two pages held newer texts only, and was skipped.
        #expect(pages(box) == calls + 2)
        #expect(!list.hasMore)
        let bodies = list.items.compactMap {
            if case .event(.incomingText(_, _, let body)) = $0.message.content { body } else { nil }
        }
        #expect(bodies == (1...70).reversed().map { "\($0)" })
        await remote.bridge.refresh(list)
        #expect(Set(list.items.map(\.id)).count == list.items.count)
        #expect(list.items.first?.message.content == .event(.incomingText(sim: 1, from: "+1", body: "130")))
    }

    @Test func aSearchLoadsABoundedPartOfTheHistory() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        for number in 1...80 { try await host.send(.incomingText(sim: 1, from: "+1", body: "\(number)")) }
        try await remote.until { $0.events.count == 80 }
        let list = HistoryList(device: host.id)
        await remote.bridge.refresh(list)
        #expect(await !remote.bridge.loadMore(list, pages: 2, limit: 5) { false })
        #expect(list.items.count == 60)
        #expect(await remote.bridge.loadMore(list, pages: 9, limit: 5) { list.items.count >= 70 })
        #expect(list.items.count == 70 && list.hasMore)
        #expect(await remote.bridge.loadMore(list) { false })
        #expect(!list.hasMore)
    }

    @Test func aRelayThatRepeatsPagesIsBounded() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        for number in 1...3 { try await host.send(.incomingText(sim: 1, from: "+1", body: "\(number)")) }
        try await remote.until { $0.events.count == 3 }
        let list = HistoryList(device: host.id)
        await remote.bridge.refresh(list)
        let page = HistoryPage(items: list.items, total: 1_000_000, offset: 0, limit: 50)
        let body = String(decoding: try WireJSON.encode(page), as: UTF8.self)
        box.network.set { $0.answer = .init(200, body, path: "/history") }
        await remote.bridge.refresh(list)
        #expect(list.hasMore)
        let calls = pages(box)
        await remote.bridge.loadMore(list)
        #expect(list.olderProblem == .notARelay && list.items == page.items)
        #expect(pages(box) == calls + 20)
        box.network.set { $0.answer = nil }
        await remote.bridge.loadMore(list)
        #expect(list.olderProblem == nil && !list.hasMore)
    }

    @Test func aListIsBounded() {
        let list = HistoryList(device: nil)
        for number in 1...(HistoryList.maximumOlderCount + 500) where number % 50 == 0 {
            let items = ((number - 50)...number).reversed().map {
                HistoryItem(
                    id: .init(Int64($0)), fromDeviceId: 1, toDeviceId: 2, msgType: .event, payload: .object([:]), createdAt: nil)
            }
            list.take(newest: HistoryPage(items: items, total: number, offset: 0, limit: 51))
        }
        #expect(list.items.count == HistoryList.maximumOlderCount + 51)
        #expect(list.hasMore)
    }

    @Test func draftsSurviveARestart() async throws {
        let box = try await RelayBox()
        let phone = TestPhone()
        let remote = box.remote(phone)
        try await remote.until { $0.phase == .login }
        remote.bridge.draft.to = "+1"
        remote.bridge.draft.body = "half a th"
        for number in 1...60 { remote.bridge.keepReply("reply \(number)", to: "+\(number)") }
        remote.bridge.keepReply("other words", to: "+40")
        remote.bridge.keepReply("", to: "+41")
        await remote.quit()
        let again = box.remote(phone)
        try await again.until { $0.phase == .login }
        #expect(again.bridge.draft == Draft(to: "+1", body: "half a th"))
        #expect(["+10", "+11", "+40", "+41", "+60"].map(again.bridge.reply) == ["", "reply 11", "other words", "", "reply 60"])
    }
}
