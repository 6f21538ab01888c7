import AgentKit
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import TestKit
import Testing
import WireKit

/// The real program, against a stand-in for the model's API on loopback. Its path: `SWITCHBOARD_CLAUDE`.
@Suite(.enabled(if: LiveClaude.program != nil, "set SWITCHBOARD_CLAUDE to the path of the claude program"), .serialized)
struct LiveClaudeTests {
    @Test func turnsAreStreamedAndTheConversationIsResumed() async throws {
        try await LiveClaude.run { live in
            let id = UUID()
            let first = live.start(.new(id))
            try await first.start("say hello")
            try await first.wait { $0.results.count == 1 }
            #expect(first.events.texts.map(\.text) == ["Hello from the model."])
            #expect(!first.events.partials.isEmpty)
            #expect(Set(first.events.partials.map(\.id)) == Set(first.events.texts.map(\.id)))
            try await first.prompt("say it again")
            try await first.wait { $0.results.count == 2 }
            #expect(first.events.unknown == [])
            #expect(first.events.dropped == [])
            #expect(first.events.ready.last?.conversationID == id.uuidString.lowercased())
            #expect(first.events.ready.last?.permissionMode == "default")
            await first.agent.end()
            let exit = try await first.exit()
            #expect(exit.reason == .asked, "\(exit)")

            let second = live.start(.resume(id.uuidString))
            try await second.start("say hello")
            try await second.wait { $0.results.count == 1 }
            #expect(second.events.ready.last?.conversationID == id.uuidString.lowercased())
            #expect(live.requests.last?.contains("say it again") == true, "the model gets the earlier turns")
            await second.agent.end()
            _ = try await second.exit()
        }
    }

    @Test func promptsAreConfirmedAndOneThatIsKnownIsNotAnsweredAgain() async throws {
        try await LiveClaude.run { live in
            let (conversation, known, steered) = (UUID(), UUID(), UUID())
            let first = live.start(.new(conversation))
            try await first.wait { !$0.ready.isEmpty }
            try await first.agent.send(.prompt("say hello", id: known))
            try await first.wait { $0.results.count == 1 }
            #expect(first.events.receipts == [AgentReceipt(id: known)])
            // In the agent's queue until the turn before has ended.
            try await first.prompt("be slow")
            try await first.wait { $0.partials.contains { $0.piece.contains("slow") } }
            try await first.agent.send(.prompt("say more", id: steered))
            try await first.wait { $0.partials.count > 50 }
            #expect(!first.events.receipts.contains { $0.id == steered })
            try await first.agent.send(.interrupt)
            try await first.wait { $0.results.count == 3 }
            #expect(first.events.receipts.last == AgentReceipt(id: steered))
            await first.agent.end()
            _ = try await first.exit()

            let second = live.start(.resume(conversation.uuidString))
            try await second.wait { !$0.ready.isEmpty }
            let count = live.requests.count
            try await second.agent.send(.prompt("say hello", id: known, isRepeat: true))
            try await second.wait { $0.receipts == [AgentReceipt(id: known, startsTurn: false)] }
            #expect(await !second.agent.isInTurn)
            try await second.prompt("say it again")
            try await second.wait { $0.results.count == 1 }
            #expect(live.requests.count == count + 1)
            await second.agent.end()
            _ = try await second.exit()
        }
    }

    @Test func permissionsAreAskedBothWays() async throws {
        try await LiveClaude.run { live in
            let running = live.start()
            try await running.start("write the file")
            try await running.wait { $0.prompts.count == 1 }
            let refused = try #require(running.events.prompts.first)
            guard case .permission(let permission) = refused.kind else {
                Issue.record("no permission")
                return
            }
            #expect(permission.toolName == "Write")
            try await running.agent.send(.answer(refused.id, .deny(reason: "Not now")))
            try await running.wait { $0.results.count == 1 }
            #expect(running.events.toolResults.map(\.isError) == [true])
            #expect(live.requests.last?.contains("Not now") == true)
            #expect(!FileManager.default.fileExists(atPath: live.folder.file("hello.txt")))

            try await running.prompt("write the file")
            try await running.wait { $0.prompts.count == 2 }
            try await running.agent.send(.answer(try #require(running.events.prompts.last).id, .allowForSession))
            try await running.wait { $0.results.count == 2 }
            #expect(FileManager.default.fileExists(atPath: live.folder.file("hello.txt")))
            #expect(running.events.ready.last?.permissionMode == "acceptEdits")
            await running.agent.end()
            _ = try await running.exit()
        }
    }

    @Test func questionInterruptAndErrorAreHandled() async throws {
        try await LiveClaude.run { live in
            let running = live.start()
            try await running.start("ask me")
            try await running.wait { $0.prompts.count == 1 }
            let prompt = try #require(running.events.prompts.first)
            try await running.agent.send(.answer(prompt.id, .answers([AgentQuestionAnswer(labels: ["Blue"])])))
            try await running.wait { $0.results.count == 1 }
            #expect(live.requests.last?.contains("Blue") == true)

            try await running.prompt("be slow")
            try await running.wait { $0.partials.contains { $0.piece.contains("slow") } }
            try await running.agent.send(.interrupt)
            try await running.wait { $0.results.count == 2 }
            #expect(running.events.results.last?.reason == AgentResult.interrupted)
            #expect(running.events.results.last?.isError == false)

            try await running.prompt("write the file")
            try await running.wait { $0.prompts.count == 2 }
            try await running.agent.send(.interrupt)
            try await running.wait { $0.results.count == 3 && $0.withdrawn.count == 1 }

            try await running.prompt("make an error")
            try await running.wait { $0.results.count == 4 }
            #expect(running.events.results.last?.isError == true)
            await running.agent.end()
            let exit = try await running.exit()
            #expect(exit.reason == .asked)
        }
    }
}

/// A project folder, a home folder and a model for the real program.
struct LiveClaude: Sendable {
    static let program = ProcessInfo.processInfo.environment["SWITCHBOARD_CLAUDE"]

    let folder: TemporaryFolder
    private let home: TemporaryFolder
    private let port: Int
    private let received: Locked<[String]>

    /// The last message of each request to the model, and what is before it.
    var requests: [String] { received.withLock { $0 } }

    func start(_ conversation: AgentLaunch.Conversation = .new(UUID())) -> RunningAgent {
        RunningAgent(
            AgentLaunch(
                program: Self.program ?? "", folder: folder.url.resolvingSymlinksInPath().path, conversation: conversation,
                environment: [
                    "PATH": "/usr/bin:/bin", "HOME": home.path, "ANTHROPIC_BASE_URL": "http://127.0.0.1:\(port)",
                    "ANTHROPIC_API_KEY": "any", "DISABLE_TELEMETRY": "1", "DISABLE_AUTOUPDATER": "1",
                    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
                ]))
    }

    static func run(_ body: @escaping @Sendable (LiveClaude) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let received = Locked<[String]>([])
        let router = Router()
        router.post("/v1/messages") { request, _ -> Response in
            let data = try await request.body.collect(upTo: 16 * 1_048_576)
            let message = try WireJSON.decode(JSONValue.self, from: Data(data.readableBytesView))
            received.withLock { $0.append(message["messages"]?.text ?? "") }
            return Self.reply(to: message, folder: folder.url.resolvingSymlinksInPath().path)
        }
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: .quiet)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await application.run() }
            let port = await ports.first { _ in true } ?? 0
            try await body(LiveClaude(folder: folder, home: try TemporaryFolder(), port: port, received: received))
            tasks.cancelAll()
        }
    }

    // MARK: The model

    private static func reply(to request: JSONValue, folder: String) -> Response {
        // Reminders of the program may follow the prompt.
        let last = request["messages"]?.array?.last { $0["role"]?.string == "user" }?["content"]
        let blocks = last?.array ?? [.object(["type": .string("text"), "text": last ?? .null])]
        // A prompt after an interrupt shares its message with the result of the tool.
        let prompt = blocks.compactMap { $0["text"]?.string }.joined(separator: "\n")
        let hasToolResult = blocks.contains { $0["type"]?.string == "tool_result" }
        if hasToolResult, !prompt.contains("make an error") { return text("Done.") }
        if prompt.contains("write the file") {
            return tool("Write", #"{"file_path":"\#(folder)/hello.txt","content":"hi\n"}"#)
        }
        if prompt.contains("ask me") {
            return tool(
                "AskUserQuestion",
                #"{"questions":[{"question":"Which?","header":"Color","multiSelect":false,"options":[{"label":"Blue","description":"b"},{"label":"Red","description":"r"}]}]}"#
            )
        }
        if prompt.contains("be slow") { return text(String(repeating: "slow words ", count: 500), pause: .milliseconds(20)) }
        if prompt.contains("make an error") {
            return Response(
                status: .badRequest, headers: [.contentType: "application/json"],
                body: .init(
                    byteBuffer: ByteBuffer(
                        string: #"{"type":"error","error":{"type":"invalid_request_error","message":"refused"}}"#)))
        }
        return text("Hello from the model.")
    }

    private static func text(_ text: String, pause: Duration = .zero) -> Response {
        let pieces = text.split(separator: " ", omittingEmptySubsequences: false).enumerated().map { $0 == 0 ? "\($1)" : " \($1)" }
        return stream(
            #"{"type":"text","text":""}"#, pieces.map { #"{"type":"text_delta","text":\#($0.quotedJSON)}"# }, "end_turn", pause)
    }

    private static func tool(_ name: String, _ input: String) -> Response {
        stream(
            #"{"type":"tool_use","id":"toolu_\#(UUID().uuidString.prefix(8))","name":"\#(name)","input":{}}"#,
            [#"{"type":"input_json_delta","partial_json":\#(input.quotedJSON)}"#], "tool_use", .zero)
    }

    private static func stream(_ block: String, _ deltas: [String], _ reason: String, _ pause: Duration) -> Response {
        let usage = #"{"input_tokens":10,"output_tokens":5}"#
        let start = [
            #"{"type":"message_start","message":{"id":"msg_\#(UUID().uuidString)","type":"message","role":"assistant","model":"stand-in","content":[],"stop_reason":null,"stop_sequence":null,"usage":\#(usage)}}"#,
            #"{"type":"content_block_start","index":0,"content_block":\#(block)}"#,
        ]
        let end = [
            #"{"type":"content_block_stop","index":0}"#,
            #"{"type":"message_delta","delta":{"stop_reason":"\#(reason)","stop_sequence":null},"usage":{"output_tokens":5}}"#,
            #"{"type":"message_stop"}"#,
        ]
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream"],
            body: .init { writer in
                for event in start + deltas.map({ #"{"type":"content_block_delta","index":0,"delta":\#($0)}"# }) + end {
                    let type = (try? WireJSON.decode(JSONValue.self, from: Data(event.utf8)))?["type"]?.string ?? ""
                    try await writer.write(ByteBuffer(string: "event: \(type)\ndata: \(event)\n\n"))
                    if pause > .zero { try await Task.sleep(for: pause) }
                }
                try await writer.finish(nil)
            })
    }
}
