import NetworkingKit
import TestKit
import Testing

@testable import LocalLLMService

@Suite struct ConsoleTests {
    @Test func commandsAreRead() throws {
        let commands: [(String, HostConsole.Command?)] = [
            ("", nil), ("  ", nil), ("model m:1b ", .model("m:1b")), (" NAME Ada's Mac", .name("Ada's Mac")),
            ("logs on", .logs(true)),
            ("logs off", .logs(false)), ("stop", .stop), ("start", .start), ("status", .status), ("phones", .phones),
            ("approve 0a", .approve("0a")), ("refuse 0a", .refuse("0a")), ("remove 0a", .remove("0a")), ("?", .help),
            ("exit", .quit), ("LOGS Off\r", .logs(false)), ("qr", .qr), ("help me", .help),
        ]
        for (line, command) in commands { #expect(try HostConsole.parse(line) == command) }
        for line in ["model", "logs", "logs maybe", "approve ", "dance", "stop now", "quit?", "status 1", "\u{1b}[A"] {
            #expect(throws: HostConsole.Misunderstanding.self) { try HostConsole.parse(line) }
        }
    }

    @Test func phonesAreFoundByTheBeginningOfTheirKeys() throws {
        let phones = [1, 2].map { HostUnderTest.phoneKey($0) }
        #expect(try HostConsole.phone(phones[1].short.uppercased(), of: phones) == phones[1])
        #expect(throws: HostConsole.Misunderstanding.self) { try HostConsole.phone("6", of: phones) }
        #expect(throws: HostConsole.Misunderstanding.self) { try HostConsole.phone("zz", of: phones) }
    }
}
