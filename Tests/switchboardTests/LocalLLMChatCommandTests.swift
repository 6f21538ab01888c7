import Foundation
import TestKit
import Testing

/// `switchboard localllm chat` with a real host, on a private network of this machine.
@Suite struct LocalLLMChatCommandTests {
    @Test func everyLineOfAPipeIsAnswered() async throws {
        let (network, data, phone) = (try await PrivateNetwork(), try TemporaryFolder(), try TemporaryFolder())
        let host = try await HostProgram(network, data)
        let chat = ["localllm", "chat", "localllm://\(host.serverID)", "--data", phone.path]
        let first = try await network.pipe("one two\\n\\nthree\\n", into: chat)
        #expect(first.status == 0 && first.errors.contains("verified"), "\(first)")
        #expect(first.output.components(separatedBy: "No language model answers here").count == 3, "\(first)")
        #expect(first.output.contains("The words from last to first: two one\n"), "\(first)")
        // The second run continues the transcript of the first.
        let second = try await network.pipe("four", into: chat)
        #expect(second.status == 0 && second.output.contains("4 earlier turns"), "\(second)")
        #expect(try await host.terminate().status == 0)
    }

    @Test func failedFirstConnectionIsACodeAndAStatus() async throws {
        let (network, phone) = (try await PrivateNetwork(), try TemporaryFolder())
        for (id, code) in [("nonsense", "INVALID_SERVER_ID"), (String(repeating: "1", count: 31) + "2", "HOST_OFFLINE")] {
            let ending = try await network.pipe("p", into: ["localllm", "chat", id, "--data", phone.path])
            #expect(ending.status == 1 && ending.errors.contains("switchboard: \(code): "), "\(ending)")
            #expect(ending.output.isEmpty)
        }
    }
}
