import Foundation
import NIOTransport
import NetworkingKit
import Pager2077Client
import Pager2077TestKit
import Pager2077Wire
import TestKit
import Testing

/// `switchboard pager2077`: what the operator of a pager does about reports.
@MainActor
@Suite struct PagerCommandTests {
    private func run(_ arguments: String...) async throws -> Program.Ending {
        try await Program("switchboard", ["pager2077"] + arguments).end()
    }

    @Test func reportsAreListedWithoutControlCharacters() async throws {
        let folder = try TemporaryFolder()
        let data = folder.file("data")
        let service = try await ServiceProcess(["pager2077", "--data", data])
        let address = URL(string: "http://127.0.0.1:\(await service.port)")!
        let remote = RemoteService(address: address, http: AsyncHTTP(), sockets: NIOSocket())
        let (ada, bob) = (
            try await Person.registered(Person(over: remote), "Ada"), try await Person.registered(Person(over: remote), "Bob")
        )
        try await Person.befriend(ada, bob)
        let (chat, looking) = try await bob.open(ada)
        try await bob.pager.send("mean\u{1b}[2J words\nand more", in: chat)
        let (own, reading) = try await ada.open(bob)
        try await ada.until { _ in own.messages.count == 1 }
        try await ada.pager.report(bob.id, message: own.messages[0].id, reason: .harassment, blocks: false)
        try await ada.pager.report(bob.id, message: nil, reason: .spam, blocks: false)
        let code = bob.code
        let list = try await run("reports", "--data", data)
        #expect(list.status == 0)
        let lines = list.output.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0].hasSuffix("\(code) \"Bob\"  spam") && lines[1].hasSuffix("\(code) \"Bob\"  harassment"))
        #expect(lines[2] == "    mean\u{fffd}[2J words and more")
        #expect(!list.output.contains(ada.code) && !list.output.contains("Ada"))

        // The service runs, and carries out what the command leaves.
        let number = String(lines[1].prefix { $0.isNumber })
        #expect(try await run("reports", "--close", number, "--data", data).output.contains("The service is running"))
        #expect(try await run("delete", code.lowercased(), "--data", data).output.contains("The service is running"))
        looking.cancel()
        reading.cancel()
        try await bob.until { $0.phase == .welcome && $0.isAccountDeleted }
        try await ada.until { $0.friends.items.isEmpty }
        let empty = try await run("reports", "--data", data)
        #expect(empty.status == 0 && empty.output.isEmpty && empty.errors == "There are no reports.\n")
        await ada.quit()
        await bob.quit()
        #expect(try await service.end() == 0)

        // And while it is stopped.
        let gone = try await run("delete", code, "--data", data)
        #expect(gone.status == 1 && gone.errors.contains("There is no account with the code \(code)"))
        #expect(try await run("delete", ada.code, "--data", data).output == "Deleted \(ada.code).\n")
    }

    @Test func mistakesAreNamed() async throws {
        let folder = try TemporaryFolder()
        let nowhere = try await run("reports", "--data", folder.file("none"))
        #expect(nowhere.status == 1 && nowhere.errors.contains("There is no pager service with the database"))
        let code = try await run("delete", "XYZ", "--data", folder.file("none"))
        #expect(code.status == 64 && code.errors.contains("\"XYZ\" is not a hex code; expected eight hexadecimal digits"))
        #expect(try await run("reports", "--data", "").errors.contains("--data has no value"))
    }
}
