import Foundation
import SimBridgeWire
import TestKit
import Testing
import WireKit

@testable import SimBridgeHost

/// The host with the real ModemManager. A short story in normal tests, the rest in `make soak`.
@Suite(.serialized, .enabled(if: ModemLab.isInstalled, "ModemManager is not installed")) struct ModemLabTests {
    private static func isReady(_ lab: ModemLab, _ count: Int = 1) async throws {
        try await eventually {
            guard let list = try? await lab.tool.json(MMReplies.Modems.self, ["--list-modems"]).paths else { return false }
            return list.count == count
        }
    }

    @Test func textsCallsAndCodesGoThroughTheRealModemManager() async throws {
        try await ModemLab.run { lab in
            // A modem is disabled when it appears: the host enables it.
            try await lab.order("add_modem", ["own": "+491510"])
            try await Self.isReady(lab)
            let recorded = RecordedEvents()
            let driver = lab.driver { $0.inspection = 20 }
            try await recorded.follow(driver) {
                try await recorded.until { $0.all.contains(.available) || !$0.all.isEmpty }
                try await lab.receive("한국어 😀", from: "Bank", ["time": "2026-11-27T10:20:30+09:00"])
                try await lab.receive("first ", from: "+491711", ["part": [1, 2], "reference": 7])
                try await lab.receive("second", from: "+491711", ["part": [2, 2], "reference": 7])
                try await recorded.until { $0.texts.count == 2 }
                try await eventually { try await lab.state()[0].held == 0 }

                let receipt = try await driver.sendText(String(repeating: "0123456789", count: 33), to: "+49 170 555", sim: 1)
                #expect(receipt == TextReceipt(source: "8944000000000000018", reference: 3, partCount: 3))
                try await lab.order("report", ["reference": 3, "number": "+49170555"])
                try await recorded.until { $0.deliveries.count == 1 }

                #expect(try await driver.dial(#require(ServiceCode("*100#")), sim: 1, reference: 1) == "You have 3.50")
                try await lab.order("ring")
                try await recorded.until { $0.calls.count == 1 }
                try await lab.order("ring", ["number": "+49171222"])
                try await recorded.until { $0.calls.count == 2 }
            }
            #expect(recorded.texts.map(\.body) == ["한국어 😀", "first second"])
            #expect(recorded.texts[0].serviceCentreTime == Timestamp("2026-11-27T01:20:30Z"))
            #expect(recorded.deliveries[0].outcome == .delivered)
            #expect(recorded.calls.map(\.number) == ["", "+49171222"])
            #expect(try await lab.state()[0].sent.map(\.part) == [[1, 3], [2, 3], [3, 3]])
        }
    }

    @Test(.enabled(if: Effort.isSoak)) func brokenTextsStopNeitherTheModemNorAnotherOne() async throws {
        try await ModemLab.run { lab in
            try await lab.order("add_modem", ["imei": "490154203237518", "iccid": "8944000000000000018", "texts": false])
            try await lab.order("add_modem", ["imei": "490154203237526", "iccid": "8944000000000000026"])
            for reference in 0..<25 {
                try await lab.receive(
                    "half", from: "+491", ["modem": 1, "part": [1, 2], "reference": reference, "announces": false])
            }
            try await lab.receive(
                "old", from: "+4999",
                ["modem": 1, "part": [1, 2], "reference": 99, "time": "2020-01-01T00:00:00+00:00", "announces": false])
            try await Self.isReady(lab, 2)
            let recorded = RecordedEvents()
            try await recorded.follow(lab.driver { $0.storedMissingParts = .seconds(1) }) {
                try await recorded.until { $0.texts.count == 1 }
                try await lab.receive("whole", from: "+492", ["modem": 1])
                try await recorded.until { $0.texts.count == 2 }
                try await lab.receive("other half", from: "+491", ["modem": 1, "part": [2, 2], "reference": 24])
                try await recorded.until { $0.texts.count == 3 }
                try await lab.order("ring", ["modem": 1, "number": "+49171"])
                try await recorded.until { $0.calls.count == 1 }
            }
            #expect(recorded.texts.map(\.kind) == [.incomplete, nil, nil])
            #expect(recorded.texts.map(\.body).dropFirst() == ["whole", "halfother half"])
            #expect(recorded.warnings.count == 1)
        }
    }

    @Test(.enabled(if: Effort.isSoak)) func aModemThatIsPluggedInAgainIsUsedAgain() async throws {
        try await ModemLab.run { lab in
            try await lab.order("add_modem")
            try await Self.isReady(lab)
            let recorded = RecordedEvents()
            try await recorded.follow(lab.driver { $0.inspection = 5 }) {
                try await lab.receive("before")
                try await recorded.until { $0.texts.count == 1 }
                // ModemManager gives the modem that comes back another path, and leaves it disabled.
                try await lab.order("unplug")
                try await lab.order("plug", ["modem": 0])
                try await lab.receive("after")
                try await recorded.until { $0.texts.count == 2 }
            }
            #expect(recorded.texts.map(\.sim) == [1, 1])
        }
    }

    @Test(.enabled(if: Effort.isSoak)) func aTextWithoutAConfirmationIsClearedUp() async throws {
        try await ModemLab.run { lab in
            try await lab.order("add_modem")
            try await Self.isReady(lab)
            try await lab.order("behave", ["silent": true])
            let recorded = RecordedEvents()
            let driver = lab.driver { $0.sending = .seconds(2) }
            try await recorded.follow(driver) {
                try await recorded.until { _ in true }
                try await eventually { (try? await driver.sims()) != nil }
                let error = await #expect(throws: TelephonyError.self) { try await driver.sendText("late", to: "+49170", sim: 1) }
                guard case .outcomeUnknown = error else { return #expect(Bool(false), "\(String(describing: error))") }
                try await lab.order("confirm")
                try await recorded.until { $0.accepted.count == 1 }
            }
            #expect(recorded.accepted[0].receipt?.reference == 1)
            #expect(try await lab.state()[0].sent.count == 1)
        }
    }

    @Test(.enabled(if: Effort.isSoak)) func codesHaveManyAnswers() async throws {
        try await ModemLab.run { lab in
            try await lab.order("add_modem")
            try await Self.isReady(lab)
            try await lab.order(
                "behave",
                [
                    "ussd": Answers([
                        "*1#": [(1, "Menu 1: a's\n2: b")], "2": [(0, "You chose b")], "*2#": [(2, "Released"), (0, "Late text")],
                        "*3#": [(4, nil)], "*4#": [], "*5#": [(0, "04110430043B0430043D0441003A00320032")],
                    ]).json
                ])
            let driver = lab.driver { $0.code = .seconds(2) }
            let recorded = RecordedEvents()
            @Sendable func dial(_ code: String) async -> String {
                do {
                    return try await driver.dial(#require(ServiceCode(code)), sim: 1, reference: 1)
                } catch {
                    return "error: \(error)"
                }
            }
            try await recorded.follow(driver) {
                try await eventually { (try? await driver.sims()) != nil }
                #expect(await dial("*1#") == "Menu 1: a's\n2: b")
                #expect(try await driver.reply("2", sim: 1) == "You chose b")
                #expect(await dial("*1#").hasPrefix("Menu"))
                // A menu that nobody has answered does not keep the next code out.
                #expect(await dial("*100#") == "You have 3.50")
                #expect(await dial("*2#") == "Late text")
                #expect(await dial("*5#") == "Баланс:22")
                #expect(await dial("*3#") == "error: The network does not know this code")
                #expect(await dial("*4#") == "error: The network did not answer the service code")
                #expect(await dial("*100#") == "You have 3.50")
                #expect(await dial("*#06#") == "490154203237518")
                await #expect(throws: TelephonyError.self) { try await driver.reply("2", sim: 1) }
                try await lab.order("tell_user", ["status": 0, "text": "Your data is used up"])
                try await recorded.until { $0.all.contains(.notice("Your data is used up", sim: 1)) }
            }
        }
    }

    @Test(.enabled(if: Effort.isSoak)) func multimediaNoticesAndDataAreDescribed() async throws {
        try await ModemLab.run { lab in
            try await lab.order("add_modem")
            try await Self.isReady(lab)
            let recorded = RecordedEvents()
            try await recorded.follow(lab.driver()) {
                try await eventually { (try? await lab.driver().sims()) != nil }
                try await lab.receive(nil, from: "12345", ["data": BinaryMessageTests.notice, "ports": [2948, 9200]])
                try await lab.receive(nil, from: "12345", ["data": "0102030405"])
                try await recorded.until { $0.texts.count == 2 }
                try await eventually { try await lab.state()[0].held == 0 }
            }
            #expect(recorded.texts.map(\.kind) == [.multimedia, .binary])
            #expect(recorded.texts[0].from == "+15550100")
        }
    }

    /// Texts as users of other programs have reported them: faucamp/python-gsmmodem#17 (septets behind a header), wdoekes/asterisk-chan-dongle#8
    /// (emoji), #13 (three parts of septets) and #41 (a reference of 16 bits, a class beside UCS-2, a name as the sender),
    /// signalapp/Signal-Android#950 (class 0), klinker-apps/pulse-sms-issues#932 (a short number).
    @Test(.enabled(if: Effort.isSoak)) func oddTextsArriveAsTheyAre() async throws {
        try await ModemLab.run { lab in
            try await lab.order("add_modem")
            try await Self.isReady(lab)
            let recorded = RecordedEvents()
            try await recorded.follow(lab.driver()) {
                try await eventually { (try? await lab.driver().sims()) != nil }
                let long = String(repeating: "1234567890", count: 13)
                let texts: [(String, String, [String: (any Sendable)?])] = [
                    ("[x] {y} €~^\\|\u{c}z", "+491711", [:]), ("😃😎 ", "+491711", [:]), ("flash", "1010", ["scheme": 0xF0]),
                    ("flash too", "+491711", ["scheme": 0x10]), ("Один", "Beeline", ["scheme": 0x19]), ("no sender", "", [:]),
                    ("Voicemail", "+491711", ["scheme": 0xD0]), ("one part", "+491711", ["part": [1, 1], "reference": 195]),
                ]
                for (index, (text, number, more)) in texts.enumerated() {
                    try await lab.receive(text, from: number, more)
                    try await recorded.until { $0.texts.count == index + 1 }
                }
                #expect(recorded.texts.map(\.body) == texts.map(\.0) && recorded.texts.map(\.from) == texts.map(\.1))
                for part in [2, 3, 1] {
                    try await lab.receive("\(part)\(long)", from: "Bank", ["part": [part, 3], "reference": 203])
                }
                try await recorded.until { $0.texts.count == texts.count + 1 }
                #expect(recorded.texts.last?.body == "1\(long)2\(long)3\(long)")
                for part in [2, 1] {
                    try await lab.receive(
                        "Слово \(part)", from: "Beeline", ["part": [part, 2], "reference": 0x63D0, "wide": true, "scheme": 0x19])
                }
                try await recorded.until { $0.texts.count == texts.count + 2 }
                #expect(recorded.texts.last?.body == "Слово 1Слово 2")
                try await eventually { try await lab.state()[0].held == 0 }
            }
        }
    }

    /// From a client's tap to the receiver's phone and back.
    @Test(.enabled(if: Effort.isSoak)) func aClientSeesThatItsLongTextWasDelivered() async throws {
        try await ModemLab.run { lab in
            try await lab.order("add_modem")
            try await Self.isReady(lab)
            let relay = try await HostTests.relay()
            let host = try await HostOfTests(relay, driver: lab.driver())
            let client = try await host.pairedClient()
            try await client.sendText(String(repeating: "가", count: 150), to: "+49170555")
            try await client.until { $0.contains { $0.content == .event(.textSent(.ok, reason: nil)) } }
            for reference in [1, 3] { try await lab.order("report", ["reference": reference, "number": "+49170555"]) }
            try await lab.receive("in between")
            try await client.until {
                $0.contains { if case .event(.incomingText(_, _, "in between")) = $0.content { true } else { false } }
            }
            #expect(!client.all.contains { $0.details.delivery != nil })
            for reference in [2, 2] { try await lab.order("report", ["reference": reference, "number": "+49170555"]) }
            try await client.until { $0.contains { $0.details.delivery == .delivered } }
            #expect(client.all.filter { $0.details.delivery != nil }.count == 1)
            #expect(client.all.filter { $0.details.delivery != nil }.allSatisfy { $0.reqId != nil && $0.details.hostTime != nil })
        }
    }
}

/// The network's answers to service codes, as JSON.
private struct Answers {
    let json: [String: [[any Sendable]]]

    init(_ answers: [String: [(Int, String?)]]) {
        json = answers.mapValues { $0.map { [$0.0, $0.1 ?? NSNull()] as [any Sendable] } }
    }
}
