import Foundation
import SimBridgeHost
import SimBridgeWire
import SystemTypes
import TestKit
import Testing
import WireKit

/// The driver with the real `mmcli`.
@Suite(.serialized) struct ModemManagerTests {
    private static let awkward = "a \"q\" it's, text=b \\ é 😀\n  two\tparts  "

    @Test func textsAreReportedUnchangedAndDeletedFromTheModem() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem()
            try await modems.receive(Self.awkward, from: "+491701")
            try await modems.receive("--", from: "Bank")
            let recorded = RecordedEvents()
            try await recorded.follow(modems.driver()) {
                try await recorded.until { $0.texts.count == 2 }
                try await eventually { try await modems.state().texts == [[]] }
            }
            #expect(recorded.texts.map(\.body) == [Self.awkward, "--"])
            #expect(recorded.texts.map(\.from) == ["+491701", "Bank"])
            #expect(recorded.texts.map(\.sim) == [1, 1])
        }
    }

    @Test func anUnstoredTextStaysInTheModem() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem()
            try await modems.receive("keep me", from: "+1")
            let tries = Locked(0)
            let recorded = RecordedEvents { event in
                guard case .text = event else { return }
                let count = tries.withLock { tries in
                    tries += 1
                    return tries
                }
                let left = try await modems.state().texts[0].count
                #expect(left == 1)
                if count < 3 { throw TelephonyError.unavailable("the disk is full") }
            }
            try await recorded.follow(modems.driver()) {
                try await recorded.until { $0.texts.count == 1 }
                try await eventually { try await modems.state().texts == [[]] }
            }
            #expect(tries.withLock { $0 } == 3)
        }
    }

    @Test func theHostWaitsForMissingParts() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem()
            try await modems.receive("half", from: "+1", more: ["state": 2])
            let path = try await modems.state().texts[0][0]
            let recorded = RecordedEvents()
            try await recorded.follow(modems.driver()) {
                try await modems.receive("whole", from: "+2")
                try await recorded.until { $0.texts.count == 1 }
                try await modems.order("complete", ["modem": 0, "path": path, "text": "half and half"])
                try await recorded.until { $0.texts.count == 2 }
            }
            #expect(recorded.texts.map(\.body) == ["whole", "half and half"])
        }
    }

    /// Restarts of this program and of ModemManager do not duplicate a text.
    @Test func aTextInTheModemKeepsItsIdOverRestarts() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem()
            // Paths change with the restart.
            try await modems.receive("first", from: "+1")
            try await modems.order("behave", ["keeps": true])
            try await modems.receive("twin", from: "+2")
            try await modems.receive("twin", from: "+2")
            let before = RecordedEvents()
            try await before.follow(modems.driver()) {
                try await before.until { $0.all.contains { if case .held(_, let ids) = $0 { ids.count == 3 } else { false } } }
            }
            try await modems.order("restart")
            let after = RecordedEvents()
            try await after.follow(modems.driver()) { try await after.until { $0.texts.count == 3 } }
            #expect(Set(before.texts.map(\.id)).count == 3)
            #expect(before.texts.map(\.id) == after.texts.map(\.id))
        }
    }

    @Test func textsWithAnyQuotesAreSentAndDeleted() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem()
            let driver = modems.driver()
            let texts = ["plain", "it's", "\"so\"", Self.awkward, "한국어, text='x'"]
            for text in texts { try await driver.sendText(text, to: "+49 (170) 12-34", sim: 1) }
            let state = try await modems.state()
            #expect(state.sent == texts.map { .init(number: "+491701234", text: $0) })
            #expect(state.texts == [[]])
        }
    }

    @Test func onlyValidNumbersAreDialled() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem()
            let driver = modems.driver()
            for number in ["1,text=free", "", "+", "Bank", "--help", "1 2\u{0}", String(repeating: "1", count: 31)] {
                await #expect(throws: TelephonyError.invalidNumber) { try await driver.sendText("x", to: number, sim: 1) }
                await #expect(throws: TelephonyError.invalidNumber) {
                    try await driver.placeCall(to: number, sim: 1, reference: nil)
                }
            }
            #expect(try await modems.state().sent.isEmpty)
        }
    }

    @Test func aRefusalCarriesTheNetworksReason() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem()
            try await modems.order("behave", ["refuse": "no credit"])
            let driver = modems.driver()
            await #expect(throws: TelephonyError.refused("no credit")) { try await driver.sendText("x", to: "1", sim: 1) }
            await #expect(throws: TelephonyError.refused("no credit")) { try await driver.placeCall(to: "1", sim: 1, reference: 1) }
            #expect(try await modems.state().texts == [[]])
        }
    }

    @Test func aSilentNetworkLeavesTheOutcomeUnknown() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem()
            try await modems.order("behave", ["silent": true])
            let driver = modems.driver { $0.sending = .seconds(1) }
            let error = await #expect(throws: TelephonyError.self) { try await driver.sendText("x", to: "1", sim: 1) }
            guard case .outcomeUnknown = error else { return #expect(Bool(false), "\(String(describing: error))") }
            #expect(try await modems.state().sent.count == 1)
        }
    }

    @Test func modemsKeepTheirSIMNumbers() async throws {
        try await ModemManagerOfTests.run { modems in
            let slots = modems.folder.url.appending(path: "modems.json")
            try await modems.order("add_modem", ["operator": "One", "number": "+1", "iccid": "a", "imei": "11"])
            try await modems.order("add_modem", ["operator": "Two", "iccid": "b", "imei": "22"])
            #expect(
                try await modems.driver(slotFile: slots).sims() == [
                    SIMCard(slot: 1, carrier: "One", number: "+1"), SIMCard(slot: 2, carrier: "Two", number: nil),
                ])
            // The first modem disappears and returns after the second.
            try await modems.order("remove_modems")
            try await modems.order("add_modem", ["operator": "Two", "iccid": "b", "imei": "22"])
            let driver = modems.driver(slotFile: slots)
            #expect(try await driver.sims().map(\.slot) == [2])
            await #expect(throws: TelephonyError.noSuchSIM(1)) { try await driver.sendText("x", to: "1", sim: 1) }
            try await modems.order("add_modem", ["operator": "One", "iccid": "a", "imei": "11"])
            #expect(try await driver.sims().map(\.carrier) == ["One", "Two"])
        }
    }

    @Test func modemProblemsAreReported() async throws {
        try await ModemManagerOfTests.run { modems in
            func complaint(_ driver: ModemManagerDriver) async -> String {
                do {
                    return "\(try await driver.sims())"
                } catch {
                    return "\(error)"
                }
            }
            #expect(await complaint(modems.driver()).contains("There is no modem"))
            try await modems.order("add_modem", ["iccid": nil, "state": -1])
            #expect(await complaint(modems.driver()).contains("no SIM in modem 0"))
            try await modems.order("remove_modems")
            try await modems.order("add_modem", ["locked": true, "state": 2])
            #expect(await complaint(modems.driver()).contains("needs its PIN"))
            try await modems.order("remove_modems")
            try await modems.order("add_modem", ["state": 3])
            #expect(await complaint(modems.driver()).contains("--enable"))

            let nobody = MMCLI(environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(modems.folder.file("none"))"])
            #expect(await complaint(ModemManagerDriver(tool: nobody)) != "[]")
            let missing = MMCLI(mmcli: FilePath(modems.folder.file("mmcli")))
            #expect(await complaint(ModemManagerDriver(tool: missing)).contains("not installed"))
            let script = modems.folder.file("odd")
            try "#!/bin/sh\necho '{\"modem-list\":7'\n".write(toFile: script, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
            #expect(await complaint(ModemManagerDriver(tool: MMCLI(mmcli: FilePath(script)))).contains("unexpected"))
        }
    }

    @Test func modemsThatComeAndGoAreReported() async throws {
        try await ModemManagerOfTests.run { modems in
            let recorded = RecordedEvents()
            try await recorded.follow(modems.driver { $0.inspection = 2 }) {
                try await recorded.until { $0.all.count == 1 }
                try await modems.addModem()
                try await recorded.until { $0.all.contains(.available) }
                try await modems.order("remove_modems")
                try await recorded.until { $0.all.count >= 3 && $0.all.last != .available }
            }
        }
    }

    @Test func callsAreMadeFollowedAndEnded() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem()
            let recorded = RecordedEvents()
            let driver = modems.driver()
            try await recorded.follow(driver) {
                try await recorded.until { $0.all.count >= 1 }
                try await driver.placeCall(to: "+49170", sim: 1, reference: 7)
                try await recorded.until { $0.calls.last?.state == .dialing }
                try await modems.order("turn", ["modem": 0, "state": 4])
                try await recorded.until { $0.calls.last?.state == .active }
                #expect(try await driver.hangUp() == 1)
                try await recorded.until { $0.calls.last?.state == .ended }
                #expect(try await driver.hangUp() == 0)
                try await eventually { try await modems.state().calls == [[]] }
            }
            #expect(recorded.calls.map(\.state) == [.dialing, .active, .ended])
            #expect(recorded.calls.allSatisfy { $0.reference == 7 && $0.number == "+49170" && $0.direction == .outgoing })
        }
    }

    @Test func anIncomingCallIsReportedAndAnswered() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem()
            let recorded = RecordedEvents()
            let driver = modems.driver()
            try await recorded.follow(driver) {
                try await modems.order("ring", ["modem": 0, "number": "+49171"])
                try await recorded.until { $0.calls.count == 1 }
                try await driver.answer(recorded.calls[0].id)
                try await recorded.until { $0.calls.last?.state == .active }
                try await modems.order("turn", ["modem": 0, "state": 7, "reason": 4])
                try await recorded.until { $0.calls.last?.state == .ended }
            }
            #expect(recorded.calls.map(\.state) == [.ringing, .active, .ended])
            #expect(recorded.calls[0].number == "+49171")
            #expect(recorded.calls[0].direction == .incoming)
        }
    }

    @Test func aModemWithoutVoiceIsReported() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.order("add_modem", ["voice": false])
            try await modems.receive("still", from: "+1")
            let recorded = RecordedEvents()
            let driver = modems.driver()
            try await recorded.follow(driver) { try await recorded.until { $0.texts.count == 1 } }
            await #expect(throws: TelephonyError.refused("The modem of SIM 1 makes no calls")) {
                try await driver.placeCall(to: "1", sim: 1, reference: nil)
            }
        }
    }

    @Test func manyStoredTextsAreReadInPieces() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem()
            for number in 0..<12 { try await modems.receive("text \(number)", from: "+1") }
            let recorded = RecordedEvents()
            try await recorded.follow(modems.driver { $0.texts = 5 }) { try await recorded.until { $0.texts.count == 12 } }
            #expect(recorded.texts.map(\.body) == (0..<12).map { "text \($0)" })
        }
    }
}
