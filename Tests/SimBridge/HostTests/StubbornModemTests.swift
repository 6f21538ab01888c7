import Foundation
import SimBridgeHost
import SimBridgeWire
import TestKit
import Testing
import WireKit

/// Modems that hold broken texts, tell things late, or need to be enabled.
@Suite(.serialized) struct StubbornModemTests {
    @Test func textsThatLackPartsDoNotDelayOthers() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem()
            let clock = WallClock()
            for number in 0..<9 {
                try await modems.receive("", from: "+1", more: ["state": 2, "timestamp": clock.stamp(Double(number))])
            }
            let last = try await modems.state().texts[0][8]
            try await modems.receive("whole", from: "+2")
            let recorded = RecordedEvents()
            try await recorded.follow(modems.driver(clock: clock) { ($0.texts, $0.inspection) = (2, 1000) }) {
                try await recorded.until { $0.texts.count == 1 }
                // Those that lack parts are read in turns.
                try await modems.order("complete", ["modem": 0, "path": last, "text": "complete now"])
                try await recorded.until { $0.texts.count == 2 }
            }
            #expect(recorded.texts.map(\.body) == ["whole", "complete now"])
        }
    }

    @Test func aTextThatStaysIncompleteIsReportedAndRemoved() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem()
            let clock = WallClock()
            try await modems.receive("", from: "+491", more: ["state": 2, "timestamp": clock.stamp(5)])
            try await modems.receive("", from: "+492", more: ["state": 2, "timestamp": clock.stamp(90_000)])
            let recorded = RecordedEvents()
            try await recorded.follow(modems.driver(clock: clock) { ($0.storedMissingParts, $0.texts) = (.zero, 1) }) {
                // The one that is a day old, at once, though the first poll does not read it.
                try await recorded.until { $0.texts.count == 1 }
                try await eventually { try await modems.state().texts[0].count == 1 }
                clock.advance(3601)
                try await recorded.until { $0.texts.count == 2 }
                try await eventually { try await modems.state().texts == [[]] }
            }
            #expect(recorded.texts.map(\.from) == ["+492", "+491"])
            #expect(recorded.texts.map(\.kind) == [.incomplete, .incomplete])
            #expect(recorded.texts[1].body == "[A text from +491 arrived incomplete: parts of it are missing.]")
            #expect(recorded.texts.allSatisfy { $0.serviceCentreTime != nil })
        }
    }

    /// Networks send texts without a character, such as notices of missed calls. Source: radekp/qtmoko#72, mozilla-b2g/gaia#27232.
    @Test func anEmptyTextIsReportedAndRemoved() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem()
            let clock = WallClock()
            try await modems.receive("", from: "+491")
            try await modems.receive("", from: "")
            let recorded = RecordedEvents()
            try await recorded.follow(modems.driver(clock: clock)) {
                try await modems.receive("whole", from: "+492")
                try await recorded.until { $0.texts.count == 1 }
                // The poll that reports the whole text may note the empty ones after that.
                try await eventually {
                    clock.advance(11)
                    return recorded.texts.count == 3
                }
                try await eventually { try await modems.state().texts == [[]] }
            }
            #expect(recorded.texts.map(\.body) == ["whole", "[An empty text]", "[An empty text]"])
            #expect(recorded.texts.map(\.from) == ["+492", "+491", ""] && recorded.texts.allSatisfy { $0.kind == nil })
        }
    }

    /// The parts of a long text follow each other when a phone was off for a day.
    @Test func theRestOfAnOldTextIsAwaited() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem()
            let clock = WallClock()
            let recorded = RecordedEvents()
            try await recorded.follow(modems.driver(clock: clock) { $0.storedMissingParts = .zero }) {
                try await modems.receive("first", from: "+490")
                try await recorded.until { $0.texts.count == 1 }
                try await modems.receive("", from: "+491", more: ["state": 2, "timestamp": clock.stamp(90_000)])
                try await modems.receive("second", from: "+490")
                try await recorded.until { $0.texts.count == 2 }
                clock.advance(60)
                let path = try await modems.state().texts[0][0]
                try await modems.order("complete", ["modem": 0, "path": path, "text": "all of it"])
                try await recorded.until { $0.texts.count == 3 }
            }
            #expect(recorded.texts.map(\.body) == ["first", "second", "all of it"])
        }
    }

    @Test func aMemoryThatMayBeFullIsReportedOnce() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem()
            let clock = WallClock()
            for number in 0..<4 {
                try await modems.receive("", from: "+1", more: ["state": 2, "timestamp": clock.stamp(Double(number))])
            }
            let recorded = RecordedEvents()
            try await recorded.follow(modems.driver(clock: clock) { $0.heldTexts = 4 }) {
                try await recorded.until { !$0.warnings.isEmpty }
                try await modems.receive("a", from: "+2")
                try await recorded.until { $0.texts.count == 1 }
            }
            #expect(recorded.warnings.count == 1)
            #expect(recorded.warnings[0].contains("The memory of SIM 1 may be full"))
        }
    }

    @Test func aModemWithoutTextsDoesNotHoldUpTheNext() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.order("add_modem", ["texts": false, "voice": false, "iccid": "a", "imei": "1"])
            try await modems.order("add_modem", ["iccid": "b", "imei": "2"])
            try await modems.receive("still", from: "+1", modem: 1)
            let recorded = RecordedEvents()
            let driver = modems.driver()
            try await recorded.follow(driver) {
                try await recorded.until { $0.texts.count == 1 }
                try await modems.order("ring", ["modem": 1, "number": "+49171"])
                try await recorded.until { $0.calls.count == 1 }
                #expect(try await driver.hangUp() == 1)
            }
            #expect(recorded.texts[0].sim == 2 && recorded.calls[0].sim == 2)
        }
    }

    @Test func modemsWithoutACardLeaveTheirSlotsToOthers() async throws {
        try await ModemManagerOfTests.run { modems in
            for imei in ["1", "2"] { try await modems.order("add_modem", ["iccid": nil, "imei": imei, "state": -1]) }
            for index in 3...9 { try await modems.order("add_modem", ["iccid": nil, "imei": "\(index)", "state": -1]) }
            try await modems.order("add_modem", ["iccid": "c", "imei": "10", "operator": "Ten"])
            // Two sticks of one kind may have the same number.
            try await modems.order("add_modem", ["iccid": "d", "imei": "10", "operator": "Eleven", "device": "/sys/devices/other"])
            #expect(Set(try await modems.driver().sims().map(\.carrier)) == ["Ten", "Eleven"])
        }
    }

    @Test func callsArriveWhileTextsCannotBeStored() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem()
            try await modems.receive("no room", from: "+1")
            let recorded = RecordedEvents { if case .text = $0 { throw TelephonyError.unavailable("full") } }
            try await recorded.follow(modems.driver()) {
                try await modems.order("ring", ["modem": 0, "number": "+49171"])
                try await recorded.until { $0.calls.count == 1 }
            }
        }
    }

    @Test func theNumberOfACallerMayFollow() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem()
            let recorded = RecordedEvents()
            try await recorded.follow(modems.driver()) {
                try await modems.order("ring", ["modem": 0, "number": ""])
                try await recorded.until { $0.calls.count == 1 }
                try await modems.order("name_caller", ["modem": 0, "number": "+49171"])
                try await recorded.until { $0.calls.count == 2 }
            }
            #expect(recorded.calls.map(\.number) == ["", "+49171"])
            #expect(recorded.calls.map(\.isKnown) == [false, true])
        }
    }

    @Test func whatIsLearnedOfACardIsReported() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem(number: nil)
            let recorded = RecordedEvents()
            try await recorded.follow(modems.driver { $0.inspection = 2 }) {
                try await recorded.until { $0.all.contains(.available) || !$0.all.isEmpty }
                try await modems.order("rename", ["modem": 0, "operator": "Grace Mobile", "number": "+491"])
                try await recorded.until { $0.all.contains { if case .cards = $0 { true } else { false } } }
            }
            let cards = recorded.all.compactMap { if case .cards(let cards) = $0 { cards } else { nil } }
            #expect(cards.last == [SIMCard(slot: 1, carrier: "Grace Mobile", number: "+491")])
        }
    }

    @Test func aModemThatComesBackIsEnabled() async throws {
        try await ModemManagerOfTests.run { modems in
            let recorded = RecordedEvents()
            try await recorded.follow(modems.driver { $0.inspection = 2 }) {
                try await modems.order("add_modem", ["state": 3])
                try await modems.receive("back", from: "+1")
                try await recorded.until { $0.texts.count == 1 }
            }
            #expect(try await modems.state().enabled == 1)
        }
    }

    @Test func deliveryReportsAreReadAndRemoved() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem()
            let driver = modems.driver()
            let receipt = try await driver.sendText("x", to: "+49 170", sim: 1)
            #expect(receipt == TextReceipt(source: "8901", reference: 1, partCount: 1))
            // Delivered, still trying, given up.
            for (reference, delivery) in [(1, 0), (2, 0x20), (3, 0x41)] {
                try await modems.order(
                    "report_delivery", ["modem": 0, "number": "+49170", "reference": reference, "delivery": delivery])
            }
            let recorded = RecordedEvents()
            try await recorded.follow(driver) { try await eventually { try await modems.state().texts == [[]] } }
            let reports = recorded.all.compactMap { if case .delivery(let report) = $0 { report } else { nil } }
            #expect(
                reports
                    == [(1, .delivered), (2, .pending), (3, .failed)].map {
                        DeliveryReport(source: "8901", number: "+49170", reference: $0, outcome: $1)
                    })
        }
    }

    /// The network confirms a text after the host has given up, or after the host was started again.
    @Test(arguments: [false, true]) func aTextThatWasSentAfterAllIsReported(restarts: Bool) async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem()
            try await modems.order("behave", ["silent": true])
            let driver = modems.driver { $0.sending = .seconds(1) }
            await #expect(throws: TelephonyError.self) { try await driver.sendText("late", to: "+49170", sim: 1) }
            try await modems.order("confirm")
            let recorded = RecordedEvents()
            try await recorded.follow(restarts ? modems.driver() : driver) {
                try await recorded.until { !$0.accepted.isEmpty }
            }
            #expect(recorded.accepted.count == 1)
            #expect(recorded.accepted[0].body == "late" && recorded.accepted[0].number == "+49170")
            #expect(recorded.texts.isEmpty)
        }
    }

    @Test func aMultimediaNoticeIsDescribed() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem()
            try await modems.receive("", from: "12345", more: ["data": BinaryMessageTests.notice])
            try await modems.receive("", from: "12345", more: ["data": "0102030405"])
            try await modems.receive("--", from: "Bank")
            let recorded = RecordedEvents()
            try await recorded.follow(modems.driver()) { try await recorded.until { $0.texts.count == 3 } }
            #expect(recorded.texts.map(\.from) == ["+15550100", "12345", "Bank"])
            #expect(recorded.texts.map(\.kind) == [.multimedia, .binary, nil])
            #expect(recorded.texts[2].body == "--")
        }
    }

    @Test func theServiceCentresTimeIsRead() async throws {
        try await ModemManagerOfTests.run { modems in
            try await modems.addModem()
            let stamps = [
                "2026-11-22T03:00:00+09:30", "2026-11-22T03:00:00+09", "2026-11-22T03:00:00Z", "2000-00-00T00:00:00Z", "",
            ]
            for (index, stamp) in stamps.enumerated() {
                try await modems.receive("\(index)", from: "+1", more: ["timestamp": stamp])
            }
            let recorded = RecordedEvents()
            try await recorded.follow(modems.driver()) { try await recorded.until { $0.texts.count == 5 } }
            #expect(
                recorded.texts.map { $0.serviceCentreTime?.description } == [
                    "2026-11-21T17:30:00.000Z", "2026-11-21T18:00:00.000Z", "2026-11-22T03:00:00.000Z", nil, nil,
                ])
        }
    }
}
