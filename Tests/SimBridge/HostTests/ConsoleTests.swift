import Foundation
import SimBridgeHost
import SimBridgeWire
import TestKit
import Testing

@Suite struct ConsoleTests {
    @Test func consoleCommandsAreParsed() throws {
        #expect(try HostConsole.parse("receive 1 +15550 Hello  there") == .receive(sim: 1, from: "+15550", text: "Hello  there"))
        #expect(try HostConsole.parse("ring 2 +1") == .ring(sim: 2, from: "+1"))
        #expect(try HostConsole.parse("fail slow") == .fail(.slow))
        #expect(try HostConsole.parse("fail none") == .fail(nil))
        #expect(try HostConsole.parse("  ") == nil)
        #expect(try HostConsole.parse("quit") == .quit)
    }

    @Test(arguments: ["receive", "receive 3 +1 x", "receive 1 +1", "ring one +1", "fail", "fail badly", "dance"])
    func unknownConsoleInputIsReported(line: String) {
        #expect(throws: HostConsole.Misunderstanding.self) { _ = try HostConsole.parse(line) }
    }

    @Test func pairingCodesAreShownLargeAndSmall() {
        let words = HostNotice.pairingCode(PairingCode(code: "018234", expiresInSeconds: 600)).words
        #expect(words.contains("within 10 minutes"))
        #expect(words.contains("0 1 8 2 3 4"))
        let rows = words.split(separator: "\n").filter { $0.contains("██") }
        #expect(rows.count == 5)
        #expect(Set(rows.map { $0.count <= 60 }) == [true])
    }

    @Test(arguments: [
        ("https://box.example/simbridge", "https://box.example/apps/simbridge#pair=018234"),
        ("http://localhost:8077/simbridge", "http://localhost:8077/apps/simbridge#pair=018234"),
        ("https://box.example/below/simbridge", "https://box.example/below/apps/simbridge#pair=018234"),
        ("http://localhost:8100", nil), ("https://relay.example/other", nil),
    ]) func thePairingLinkOpensTheAppOnTheRelaysBox(_ relay: String, _ link: String?) throws {
        let relay = try #require(URL(string: relay))
        let found = SimBridgeHost.Configuration(relay: relay, deviceName: "Attic").pairingLink("018234")
        #expect(found?.absoluteString == link)
    }

    @Test(arguments: [
        "http://localhost:8077", "http://127.0.0.1", "http://127.9.9.9:1/a", "https://[::1]:8077", "http://box.localhost",
        "http://0.0.0.0",
        "http://LOCALHOST.",
    ]) func addressesOfThisMachineAreKnown(_ text: String) throws {
        #expect(try #require(URL(string: text)).isOnThisMachineOnly)
    }

    @Test(arguments: ["https://box.example", "http://192.168.0.7:8077", "http://127.example.com", "http://localhost.example"])
    func otherAddressesAreNot(_ text: String) throws { #expect(try !#require(URL(string: text)).isOnThisMachineOnly) }

    @Test func controlCharactersDoNotReachTheTerminal() {
        let carrier = SIMCard(slot: 1, carrier: "\u{1b}[2JEvil\u{202e}\u{7}", number: nil)
        #expect(HostNotice.driverAvailable([carrier]).words == "SIM cards: 1: \u{FFFD}[2JEvil\u{FFFD}\u{FFFD}, number not known")
        #expect(RelayProblem(.other, "The relay says: \u{9b}31m\r").description == "The relay says: \u{FFFD}31m\u{FFFD}")
    }

    @Test func numbersAreShortenedAndTextsLeftOut() {
        #expect(HostNotice.textSent(to: "+4917012345678", sim: 1).words == "Sent a text to …5678 by SIM 1.")
        #expect(HostNotice.textReceived(from: "", sim: 2).words == "Received a text from a withheld number on SIM 2.")
        #expect(
            HostNotice.call(.init(id: "1", sim: 1, number: "", direction: .incoming, state: .ringing)).words
                == "A withheld number calls SIM 1.")
    }
}
