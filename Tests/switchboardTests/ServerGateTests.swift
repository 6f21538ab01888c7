import EndlessCodeClient
import EndlessCodeWire
import Foundation
import NIOTransport
import NetworkingKit
import TestKit
import Testing
import WireKit

@testable import switchboard

/// The hosts to which a box connects for browsers.
@Suite struct ServerGateTests {
    private let folder: TemporaryFolder
    private let gate: ServerGate
    private let lines = Locked<[String]>([])

    init() throws {
        folder = try TemporaryFolder()
        let lines = lines
        gate = ServerGate(
            folder: folder.url, isStandardFolder: false, transports: NIOTransports(),
            ownAddresses: { [IPAddress([192, 0, 2, 1])!] }, write: { line in lines.withLock { $0.append(line) } })
    }

    private func permission(_ address: String, named: [String] = [], caller: String = "192.0.2.9") async throws -> ServerPermission
    {
        await gate.permission(
            for: try ServerAddress(endlessCode: address), named: named.compactMap { AllowedServer($0) }, caller: caller)
    }

    @Test(arguments: [[], ["--host", "127.0.0.1"]]) func hostOfThisMachineIsReachedAtOnce(_ options: [String]) async throws {
        let folders = try CodingHost.Folders()
        let host = try await CodingHost(folders, ["--driver", "demo"] + options)
        #expect(try await permission("http://localhost:\(host.link.port)") == .allowed)
        #expect(try await permission("http://127.0.0.1:\(host.link.port)") == .allowed)
        // Below another path of the host nothing is known.
        #expect(try await permission("http://localhost:\(host.link.port)/x") == .refused)
        #expect(try await host.terminate().status == 0)
    }

    @Test func hostWithACertificateIsReachedAtOnce() async throws {
        let host = try await CodingHost(try CodingHost.Folders(), ["--driver", "demo", "--host", "0.0.0.0"])
        #expect(try await permission("https://localhost:\(host.link.port)") == .allowed)
        #expect(try await permission("http://localhost:\(host.link.port)") == .noServer)
        #expect(try await host.terminate().status == 0)
    }

    /// Services that answer `/health` as well.
    @Test(arguments: ["pager2077", "simbridge", "talkco"]) func otherServicesOfThisMachineAreNotReached(_ system: String)
        async throws
    {
        let program = try await Program(
            "switchboard", ["serve", system, "--port", "0", "--data", folder.file("data")], environment: ["HOME": folder.path])
        let first = try await program.line() ?? ""
        let port = try #require(Int(first.split(separator: ":").last ?? ""))
        #expect(try await permission("http://localhost:\(port)") == .noServer)
        program.send(SIGTERM)
        _ = try await program.end()
        // Whether nothing answers or another program does, is not told.
        #expect(try await permission("http://localhost:\(port)") == .noServer)
    }

    @Test func otherMachinesNeedTheOperator() async throws {
        for address in [
            "https://192.168.0.7:8180", "https://10.0.0.1", "https://[fd00::7]", "https://desk.local", "http://0.0.0.0:8180",
        ] {
            #expect(try await permission(address) == .refused)
        }
        #expect(lines.withLock { $0.count } == 5)
        let line = try #require(lines.withLock { $0.first })
        #expect(
            line.contains("192.0.2.9")
                && line.contains("switchboard endlesscode allow --data \(folder.path) https://192.168.0.7:8180"))
        // Once for each address, however often a browser asks.
        _ = try await permission("https://192.168.0.7:8180")
        #expect(lines.withLock { $0.count } == 5)
        for port in 1...100 { _ = try await permission("https://192.168.0.8:\(port)") }
        #expect(lines.withLock { $0.count } == 20)
        #expect(try await permission("https://192.168.0.7:8180", named: ["https://192.168.0.7:8180"]) == .allowed)
    }

    @Test func operatorAllowsAnAddressWhileTheBoxRuns() async throws {
        let address = "https://192.168.0.7:8180"
        func allow(_ arguments: String...) async throws -> Program.Ending {
            try await Program("switchboard", ["endlesscode", "allow", "--data", folder.path] + arguments).end()
        }
        #expect(try await permission(address) == .refused)
        #expect(try await allow(address).status == 0)
        #expect(try await permission(address) == .allowed)
        #expect(try await permission("https://192.168.0.7:8181") == .refused)
        #expect(try await allow().output == "\(address)\n")
        #expect(try await allow("--remove", address).status == 0)
        #expect(try await permission(address) == .refused)
        for (arguments, words) in [
            (["nonsense"], "no address"), (["--remove", address], "was not allowed"), (["--remove"], "needs an address"),
        ] {
            let ending = try await Program("switchboard", ["endlesscode", "allow", "--data", folder.path] + arguments).end()
            #expect(ending.status != 0 && ending.errors.contains(words), "\(ending.errors)")
        }
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file(ServerGate.fileName))[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func addressesWithoutAHostCannotBeTriedWithoutEnd() async throws {
        for port in 1...30 { #expect(try await permission("http://localhost:\(port)") == .noServer) }
        let host = try await CodingHost(try CodingHost.Folders(), ["--driver", "demo"])
        // This browser has to wait, another one does not; then the answer counts for both.
        #expect(try await permission("http://localhost:\(host.link.port)") == .noServer)
        #expect(try await permission("http://localhost:\(host.link.port)", caller: "192.0.2.10") == .allowed)
        #expect(try await permission("http://localhost:\(host.link.port)") == .allowed)
        #expect(try await host.terminate().status == 0)
    }

    @Test func listOfTheOwnerKeepsItsEntries() throws {
        let list = OwnerList(file: folder.url.appending(path: "list"))
        #expect(list.entries.isEmpty)
        try list.add(["/a b", "/c"])
        try list.add(["/c", "/d"])
        #expect(list.entries == ["/a b", "/c", "/d"])
        for entry in ["/a\n/b", "", "#x"] { #expect(throws: (any Error).self) { try list.add([entry]) } }
        #expect(try list.remove("/c") && !list.remove("/c") && list.entries == ["/a b", "/d"])
        try FileManager.default.removeItem(at: list.file)
        try #require(mkfifo(list.file.path, 0o600) == 0)
        #expect(list.entries.isEmpty)
        #expect(throws: (any Error).self) { try list.add(["/x"]) }
    }
}
