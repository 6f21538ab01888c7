import Foundation
import LocalLLMService
import LocalLLMWire
import TestKit
import Testing

/// `switchboard localllm host` and `chat` as processes on a private network of ten nodes: what a signal to one of them leaves of an answer.
@Suite(.serialized) struct LocalLLMKillTests {
    private let data: TemporaryFolder
    private let phone: TemporaryFolder

    init() throws { (data, phone) = (try TemporaryFolder(), try TemporaryFolder()) }

    /// A prompt whose answer takes a while: the demo says every word twice, with a pause after each.
    private static func prompt(_ count: Int) -> String { (1...count).map { "w\($0)" }.joined(separator: " ") }

    /// The answer of the demo, after this many earlier exchanges.
    private static func answer(to prompt: String, after exchanges: Int = 0) -> String {
        let turns = (0..<exchanges).flatMap { _ in [ChatTurn(.user, ""), ChatTurn(.assistant, "")] }
        return DemoEngine.answer(to: turns + [ChatTurn(.user, prompt)])
    }

    /// The first line of the answer is there: the rest follows.
    private static func untilAnswering(_ chat: ChatProgram) async throws -> String {
        let line = try #require(try await chat.program.line())
        try #require(line.hasPrefix("This is the **demo** of LocalLLM."))
        return line + "\n"
    }

    @Test func killedHostComesBackUnderItsIDAndTheChatGoesOn() async throws {
        let network = try await PrivateNetwork(nodes: 10)
        let host = try await HostProgram(network, data)
        let chat = try await ChatProgram(host.serverID, network, phone)
        let prompt = Self.prompt(200)
        try chat.send(prompt)
        let beginning = try await Self.untilAnswering(chat)
        #expect(try await host.kill().wasSignalled)

        let second = try await HostProgram(network, data)
        #expect(second.serverID == host.serverID)
        let errors = try await chat.errors(until: "GENERATION_FAILED: The host restarted in the middle of the answer.")
        #expect(errors.contains { $0.hasPrefix("HOST_DISCONNECTED: ") }, "\(errors)")
        #expect(errors.contains("Connected again."), "\(errors)")
        try chat.send("short")
        let ending = try await chat.end()
        #expect(ending.status == 0, "\(ending)")

        // The text that came before stays, each piece of it once. Then the whole answer to the next prompt.
        let output = beginning + ending.output
        let last = Self.answer(to: "short", after: 1) + "\n"
        #expect(output.hasSuffix("\n" + last), "\(output)")
        let cut = output.dropLast(last.count + 1)
        #expect(Self.answer(to: prompt).hasPrefix(cut) && cut.count < Self.answer(to: prompt).count, "\(cut)")
        #expect(try await second.terminate().status == 0)
    }

    @Test func suspendedPhoneResumesWithEachPieceOnce() async throws {
        let network = try await PrivateNetwork(nodes: 10)
        let host = try await HostProgram(network, data)
        let chat = try await ChatProgram(host.serverID, network, phone)
        let prompt = Self.prompt(400)
        try chat.send(prompt)
        let beginning = try await Self.untilAnswering(chat)
        // The phone is locked in the middle of the answer. The host notices that it is gone, and goes on.
        chat.program.send(SIGSTOP)
        _ = try await host.until { $0.contains(" disconnected (") }
        chat.program.send(SIGCONT)
        let errors = try await chat.errors(until: "HOST_DISCONNECTED")
        #expect(!errors.contains { $0.contains("FAILED") }, "\(errors)")
        let ending = try await chat.end()
        #expect(ending.status == 0 && ending.errors.contains("Connected again."), "\(ending)")
        #expect(beginning + ending.output == Self.answer(to: prompt) + "\n")
        #expect(try await host.terminate().status == 0)
    }

    @Test func terminatedHostTellsThePhoneAndIsGone() async throws {
        let network = try await PrivateNetwork(nodes: 10)
        let host = try await HostProgram(network, data)
        let chat = try await ChatProgram(host.serverID, network, phone)
        let prompt = Self.prompt(200)
        try chat.send(prompt)
        let beginning = try await Self.untilAnswering(chat)
        let signal = ContinuousClock.now
        let terminated = try await host.terminate()
        #expect(ContinuousClock.now - signal < .seconds(10))
        #expect(terminated.status == 0 && !terminated.wasSignalled, "\(terminated)")
        #expect(terminated.output.contains("Stopped."), "\(terminated)")
        _ = try await chat.errors(until: "GENERATION_ABORTED: The answer was stopped at the host.")

        // Nobody finds the host any more.
        let other = try await ChatProgram(host.serverID, network, try TemporaryFolder()).end()
        #expect(other.status == 1 && other.errors.contains("switchboard: HOST_OFFLINE: ") && other.output.isEmpty, "\(other)")

        // A prompt of the meantime is answered when the host is back.
        try chat.send("short")
        let second = try await HostProgram(network, data)
        let ending = try await chat.end()
        #expect(ending.status == 0, "\(ending)")
        let (output, last) = (beginning + ending.output, Self.answer(to: "short", after: 1) + "\n")
        #expect(output.hasSuffix("\n" + last), "\(output)")
        #expect(Self.answer(to: prompt).hasPrefix(output.dropLast(last.count + 1)), "\(output)")
        #expect(try await second.terminate().status == 0)
    }

    @Test func newPhonesAreApprovedAtTheHostsTerminal() async throws {
        let network = try await PrivateNetwork(nodes: 10)
        let host = try await HostProgram(network, data, ["--approve-phones"])

        let stranger = try await ChatProgram(host.serverID, network, try TemporaryFolder())
        _ = try await stranger.errors(until: "APPROVAL_PENDING: ")
        try host.program.write("refuse \(try await Self.newPhone(at: host))\n")
        let refused = try await stranger.end()
        #expect(refused.status == 1 && refused.errors.contains("switchboard: APPROVAL_REFUSED: "), "\(refused)")

        let chat = try await ChatProgram(host.serverID, network, phone)
        try chat.send("first")
        _ = try await chat.errors(until: "APPROVAL_PENDING: ")
        let name = try await Self.newPhone(at: host)
        try host.program.write("approve \(name)\n")
        _ = try await chat.errors(until: "Connected to ")
        let ending = try await chat.end()
        #expect(ending.status == 0 && ending.output == Self.answer(to: "first") + "\n", "\(ending)")
        #expect(try await host.terminate().status == 0)

        // Another process of the host knows the phone.
        let second = try await HostProgram(network, data, ["--approve-phones"])
        let again = try await ChatProgram(second.serverID, network, phone)
        try again.send("second")
        let next = try await again.end()
        #expect(next.status == 0 && !next.errors.contains("APPROVAL"), "\(next)")
        #expect(next.output == Self.answer(to: "second", after: 1) + "\n")
        #expect(try await second.terminate().status == 0)
        let phones = try await Program("switchboard", ["localllm", "phones", "--data", data.path]).end()
        let approved = phones.output.split(separator: "\n").filter { $0.hasSuffix(", approved") }
        #expect(approved.count == 1 && approved[0].hasPrefix(name), "\(phones)")
    }

    /// The name of the phone that the host asks about.
    private static func newPhone(at host: HostProgram) async throws -> String {
        let line = try await host.until { $0.contains("A new phone wants to connect: ") }
        return String(try #require(line.firstMatch(of: /connect: (\w+)\./)).1)
    }
}
