import Foundation
import LocalLLMWire
import TestKit
import Testing

/// The command line of `switchboard swarm`, on a private network of five nodes on this machine.
@Suite struct SwarmCommandTests {
    fileprivate static let topic = String(repeating: "ab", count: 32)
    fileprivate static let seed = String(repeating: "11", count: 32)
    /// The public key of ``seed``.
    private static let key = "d04ab232742bb4ab3a1368bd4615e4e6d0224ab71a016baf8520a332c9778737"

    @Test func linesReturnByTopicAndByKeyUntilTheAnnouncerStops() async throws {
        let network = try await PrivateNetwork()
        let announcer = try await network.announcer()
        let found = try await network.run(["lookup", Self.topic])
        #expect(found.output.hasPrefix(Self.key), "\(found)")
        for target in [Self.topic, Self.key] {
            let ending = try await network.connect(target, input: "hello\\nworld\\n")
            #expect(ending.status == 0 && ending.output == "hello\nworld\n", "\(ending)")
        }
        announcer.send(SIGTERM)
        #expect(try await announcer.end(within: .seconds(30)).status == 0)
        // The announcement is removed, not only left to expire.
        let ending = try await network.run(["lookup", Self.topic, "--json"])
        #expect(ending.status == 1 && ending.errors.contains(#""code":"NOTHING_ANNOUNCED""#), "\(ending)")
        for node in network.nodes { node.send(SIGTERM) }
        for node in network.nodes { #expect(try await node.end(within: .seconds(30)).status == 0) }
    }

    @Test func aKilledAnnouncerIsFoundAfterItsRestart() async throws {
        let network = try await PrivateNetwork()
        let killed = try await network.announcer()
        killed.send(SIGKILL)
        _ = try await killed.end()
        let announcer = try await network.announcer()
        defer { announcer.send(SIGKILL) }
        // The old announcement is still there, so the first attempts may reach nobody.
        try await eventually { try await network.connect(Self.topic, input: "again\\n").output == "again\n" }
    }

    @Test func keyThatIsAlsoATopicConnectsAndEndsWithItsPeer() async throws {
        let (network, data) = (try await PrivateNetwork(), try TemporaryFolder())
        // A host announces its key, and a topic of the same bytes.
        let host = try await HostProgram(network, data)
        let target = try #require(ServerID(text: host.serverID)).bytes.map { String(format: "%02x", $0) }.joined()
        func connect() async throws -> Program {
            let arguments = ["swarm", "connect", target, "--seed", Self.seed] + network.bootstrap
            let program = try await Program("switchboard", arguments, hasInput: true)
            #expect(try await program.line()?.contains("server_info") == true)
            return program
        }
        for _ in 0..<3 {
            let program = try await connect()
            program.send(SIGTERM)
            #expect(try await program.end(within: ampleTime).status == 0)
        }
        // The input stays open, and says nothing. The end of the peer is the end of the command.
        let program = try await connect()
        #expect(try await host.terminate().status == 0)
        let ending = try await program.end(within: ampleTime)
        #expect(ending.status == 1 && ending.errors.contains("(STREAM_FAILED)"), "\(ending)")
    }

    /// Standard input stays open and silent, so that only the connection tells.
    @Test func silentInputHidesNoEndOfThePeer() async throws {
        let network = try await PrivateNetwork()
        let announcer = try await network.server()
        let first = try await network.client()
        try await announcer.report("Connected")
        first.send(SIGTERM)
        #expect(try await first.end(within: ampleTime).status == 0)
        try await announcer.report("Disconnected")
        // The read that waited for the first peer's input is the second peer's.
        let second = try await network.client()
        try await announcer.report("Connected")
        try announcer.write("one\n")
        #expect(try await second.line() == "one")
        try announcer.write("two\n")
        #expect(try await second.line() == "two")
        announcer.send(SIGTERM)
        let ending = try await second.end(within: ampleTime)
        #expect(ending.status == 1 && ending.errors.contains("(STREAM_FAILED)"), "\(ending)")
    }

    @Test func endOfThePeersSideIsReportedAndTheOtherSideGoesOn() async throws {
        let network = try await PrivateNetwork()
        let announcer = try await network.server()
        let client = try await network.client()
        try await announcer.report("Connected")
        announcer.closeInput()
        try await client.report("The peer has ended its side")
        try client.write("late\n")
        #expect(try await announcer.line() == "late")
        client.closeInput()
        #expect(try await client.end(within: ampleTime).status == 0)
        #expect(try await announcer.end(within: ampleTime).status == 0)
    }

    @Test func failuresHaveCodes() async throws {
        let network = try await PrivateNetwork()
        try await eventually { try await network.run(["lookup", Self.topic, "--json"]).errors.contains("NOTHING_ANNOUNCED") }
        let unknown = try await network.connect(Self.topic, input: "")
        #expect(unknown.status == 1 && unknown.errors.contains("(NOTHING_ANNOUNCED)"), "\(unknown)")
        #expect(unknown.errors.split(separator: "\n").count <= 6)
        // Nothing listens at the reserved port 1.
        let arguments = ["swarm", "connect", Self.topic, "--bootstrap", "127.0.0.1:1", "--json"]
        let alone = try await Program("switchboard", arguments).end()
        #expect(alone.status == 1 && alone.errors.contains(#""code":"NO_BOOTSTRAP_NODE""#), "\(alone)")
        #expect(try JSONSerialization.jsonObject(with: Data(alone.errors.utf8)) is [String: Any])
        let late = try await Program("switchboard", arguments + ["--timeout", "0.2"]).end()
        #expect(late.status == 1 && late.errors.contains(#""code":"TIMED_OUT""#), "\(late)")
        let doctor = try await network.run(["doctor"])
        #expect(doctor.status == 0 && doctor.output.contains("Address that others see: 127.0.0.1"), "\(doctor)")
        #expect(doctor.output.contains("Reachable from everywhere: yes"), "\(doctor)")
    }

    private static let mistakes: [([String], String)] = [
        (["connect", "zz"], "zz"), (["connect", topic, "--bootstrap", "nowhere"], "nowhere"),
        (["connect", topic, "--bootstrap", "localhost:0"], "localhost:0"), (["connect", topic, "--timeout", "soon"], "soon"),
        (["connect", topic, "--relay", "zz"], "zz"),
        (["announce", topic, "--seed", "11"], "11"), (["node"], "--listen"), (["node", "--listen", "localhost"], "localhost"),
        (["lookup"], "<topic>"),
    ]

    @Test(arguments: mistakes) func anInvalidArgumentIsNamedInOneLine(arguments: [String], word: String) async throws {
        let ending = try await Program("switchboard", ["swarm"] + arguments).end()
        #expect(ending.status != 0 && ending.status < 128 && ending.output.isEmpty, "\(ending)")
        #expect(ending.errors.contains(word) && ending.errors.split(separator: "\n").count == 1, "\(ending.errors)")
    }
}

extension PrivateNetwork {
    fileprivate func run(_ arguments: [String]) async throws -> Program.Ending {
        try await Program("switchboard", ["swarm"] + arguments + bootstrap).end()
    }

    /// Runs `connect` with `input` as standard input.
    fileprivate func connect(_ target: String, input: String) async throws -> Program.Ending {
        try await pipe(input, into: ["swarm", "connect", target, "--timeout", "60"])
    }

    /// A command `announce` that gives its standard input and output to one peer at a time.
    fileprivate func server() async throws -> Program {
        let program = try await Program(
            "switchboard", ["swarm", "announce", SwarmCommandTests.topic] + bootstrap, hasInput: true)
        try await program.report("Announced")
        return program
    }

    /// A command `connect` whose standard input is open.
    fileprivate func client() async throws -> Program {
        let program = try await Program(
            "switchboard", ["swarm", "connect", SwarmCommandTests.topic] + bootstrap, hasInput: true)
        try await program.report("Connected")
        return program
    }

    fileprivate func announcer() async throws -> Program {
        let program = try await Program(
            "switchboard", ["swarm", "announce", SwarmCommandTests.topic, "--echo", "--seed", SwarmCommandTests.seed] + bootstrap)
        try await eventually { try await self.run(["lookup", SwarmCommandTests.topic]).status == 0 }
        return program
    }
}

extension Program {
    private struct Ended: Error {}

    /// Skips lines of standard error up to one that contains `text`.
    fileprivate func report(_ text: String) async throws {
        while let line = try await errorLine() { if line.contains(text) { return } }
        throw Ended()
    }
}
