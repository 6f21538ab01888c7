import EndlessCodeAgents
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import TestKit
import Testing
import WireKit

/// A stand-in for the APIs of models on loopback: Anthropic's messages and OpenAI's chat completions, both streamed.
///
/// The newest prompt with `MODEL: ` is the script: its steps, separated by ` ;; `, answer one request of the turn each; further requests get
/// *Done.*
///
/// | step | answer |
/// | --- | --- |
/// | `say TEXT`, `slow TEXT` | the text, at once or in pieces over some seconds |
/// | `tool NAME JSON` | a call of a tool |
/// | `fail STATUS TIMES TEXT` | the HTTP status, so many times; then the text |
/// | `break TIMES TEXT` | the half text, so many times, and the end of the connection; then the text |
struct ScriptedModel: Sendable {
    let port: Int
    private let received: Locked<[String]>

    /// The messages of each request.
    var requests: [String] { received.withLock { $0 } }

    static func run(_ body: @escaping @Sendable (ScriptedModel) async throws -> Void) async throws {
        let (received, attempts) = (Locked<[String]>([]), Locked<[String: Int]>([:]))
        let router = Router()
        for (path, api) in [("/v1/messages", API.anthropic), ("/v1/chat/completions", .openAI)] {
            router.post(RouterPath(path)) { request, _ -> Response in
                let data = try await request.body.collect(upTo: 16 * 1_048_576)
                let body = try WireJSON.decode(JSONValue.self, from: Data(data.readableBytesView))
                received.withLock { $0.append(body["messages"]?.text ?? "") }
                let step = Step(of: body["messages"]?.array ?? [])
                let attempt = attempts.withLock { attempts in
                    attempts[step.key, default: 0] += 1
                    return attempts[step.key] ?? 1
                }
                return step.response(attempt, api, isStreamed: body["stream"]?.bool == true)
            }
        }
        router.get("/v1/models") { _, _ in
            Response.json(#"{"object":"list","data":[{"id":"scripted-1","object":"model"}]}"#)
        }
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: .quiet)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await application.run() }
            let port = await ports.first { _ in true } ?? 0
            try await body(ScriptedModel(port: port, received: received))
            tasks.cancelAll()
        }
    }

    fileprivate enum API { case anthropic, openAI }
    private struct Broken: Error {}

    /// The answer to one request.
    private struct Step {
        var verb: String
        var argument: String
        /// The same for a request that is repeated.
        var key: String

        init(of messages: [JSONValue]) {
            func blocks(_ message: JSONValue) -> [JSONValue] {
                message["content"]?.array ?? [.object(["text": message["content"] ?? .null])]
            }
            func text(_ message: JSONValue) -> String { blocks(message).compactMap { $0["text"]?.string }.joined(separator: "\n") }
            let start = messages.lastIndex { $0["role"]?.string == "user" && text($0).contains("MODEL: ") }
            // A prompt after an interrupt shares its message with the result of a tool.
            let results = messages.dropFirst((start ?? -1) + 1).count { message in
                message["role"]?.string == "tool" || blocks(message).contains { $0["type"]?.string == "tool_result" }
            }
            // A script may have that of a sub-agent in it.
            let line = start.flatMap { text(messages[$0]).split(whereSeparator: \.isNewline).last { $0.contains("MODEL: ") } }
            let script = line.flatMap { line in line.firstRange(of: "MODEL: ").map { String(line[$0.upperBound...]) } }
            let steps = (script ?? "say Hello from the model.").components(separatedBy: " ;; ")
            let step = results < steps.count ? steps[results] : "say Done."
            verb = String(step.prefix { $0 != " " })
            argument = String(step.dropFirst(verb.count + 1))
            key = "\(messages.count) \(step)"
        }

        /// - Parameter attempt: The number of requests with this step, from 1.
        func response(_ attempt: Int, _ api: API, isStreamed: Bool) -> Response {
            let words = argument.split(separator: " ", maxSplits: verb == "fail" ? 2 : 1).map(String.init)
            switch verb {
            case "tool": return Reply(api, tool: words[0], words.count > 1 ? words[1] : "{}").response(isStreamed)
            case "slow":
                return Reply(api, String(repeating: "slow words ", count: 400) + argument).response(
                    isStreamed, pause: .milliseconds(20))
            case "fail" where attempt <= Int(words[1]) ?? 0:
                let type = ["401": "authentication_error", "429": "rate_limit_error", "529": "overloaded_error"][words[0]]
                return .json(
                    #"{"type":"error","error":{"type":"\#(type ?? "api_error")","message":"refused"}}"#,
                    .init(code: Int(words[0]) ?? 500))
            case "break" where attempt <= Int(words[0]) ?? 0:
                return Reply(api, words.last ?? "").response(isStreamed, pause: .milliseconds(20), isBroken: true)
            case "fail", "break": return Reply(api, words.count > 1 ? words[words.count - 1] : "").response(isStreamed)
            default: return Reply(api, argument).response(isStreamed)
            }
        }
    }

    /// A message of the model in the form of an API.
    private struct Reply {
        var api: API
        /// A text in its pieces; nil for a call of a tool.
        var pieces: [String]?
        var tool = (name: "", input: "")

        init(_ api: API, _ text: String) {
            self.api = api
            pieces = text.split(separator: " ", omittingEmptySubsequences: false).enumerated().map { $0 == 0 ? "\($1)" : " \($1)" }
        }

        init(_ api: API, tool name: String, _ input: String) { (self.api, tool) = (api, (name, input)) }

        private var id: String { "id_\(UUID().uuidString.prefix(8))" }

        func response(_ isStreamed: Bool, pause: Duration = .zero, isBroken: Bool = false) -> Response {
            guard isStreamed else { return .json(whole) }
            let events = events
            return Response(
                status: .ok, headers: [.contentType: "text/event-stream"],
                body: .init { writer in
                    for event in isBroken ? Array(events.prefix(events.count / 2)) : events {
                        try await writer.write(ByteBuffer(string: event + "\n\n"))
                        if pause > .zero { try await Task.sleep(for: pause) }
                    }
                    if isBroken { throw Broken() }
                    try await writer.finish(nil)
                })
        }

        private var events: [String] {
            switch api {
            case .anthropic:
                let block =
                    pieces == nil
                    ? #"{"type":"tool_use","id":"toolu_\#(id)","name":"\#(tool.name)","input":{}}"# : #"{"type":"text","text":""}"#
                let deltas =
                    pieces?.map { #"{"type":"text_delta","text":\#($0.quotedJSON)}"# }
                    ?? [#"{"type":"input_json_delta","partial_json":\#(tool.input.quotedJSON)}"#]
                return [
                    #"{"type":"message_start","message":{"id":"msg_\#(id)","type":"message","role":"assistant","model":"scripted","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":1}}}"#,
                    #"{"type":"content_block_start","index":0,"content_block":\#(block)}"#,
                ].map(Self.named)
                    + deltas.map { Self.named(#"{"type":"content_block_delta","index":0,"delta":\#($0)}"#) }
                    + [
                        #"{"type":"content_block_stop","index":0}"#,
                        #"{"type":"message_delta","delta":{"stop_reason":"\#(pieces == nil ? "tool_use" : "end_turn")","stop_sequence":null},"usage":{"output_tokens":5}}"#,
                        #"{"type":"message_stop"}"#,
                    ].map(Self.named)
            case .openAI:
                let deltas =
                    pieces?.map { #"{"content":\#($0.quotedJSON)}"# } ?? [#"{"tool_calls":[\#(call(#""index":0,"#))]}"#]
                return ([#"{"role":"assistant","content":""}"#] + deltas).map { chunk($0, "null") }
                    + [chunk("{}", #""\#(pieces == nil ? "tool_calls" : "stop")""#), "data: [DONE]"]
            }
        }

        private static func named(_ event: String) -> String {
            let type = (try? WireJSON.decode(JSONValue.self, from: Data(event.utf8)))?["type"]?.string ?? ""
            return "event: \(type)\ndata: \(event)"
        }

        private func call(_ more: String = "") -> String {
            #"{\#(more)"id":"call_\#(id)","type":"function","function":{"name":"\#(tool.name)","arguments":\#(tool.input.quotedJSON)}}"#
        }

        private func chunk(_ delta: String, _ reason: String) -> String {
            #"data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"scripted-1","choices":[{"index":0,"delta":\#(delta),"finish_reason":\#(reason)}],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}"#
        }

        /// The message as a reply that is not streamed.
        private var whole: String {
            let text = pieces.map { $0.joined().quotedJSON }
            switch api {
            case .anthropic:
                let block =
                    text.map { #"{"type":"text","text":\#($0)}"# }
                    ?? #"{"type":"tool_use","id":"toolu_\#(id)","name":"\#(tool.name)","input":\#(tool.input)}"#
                return
                    #"{"id":"msg_\#(id)","type":"message","role":"assistant","model":"scripted","content":[\#(block)],"stop_reason":"\#(text == nil ? "tool_use" : "end_turn")","stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":5}}"#
            case .openAI:
                let message = text.map { #""content":\#($0)"# } ?? #""content":null,"tool_calls":[\#(call())]"#
                return
                    #"{"id":"c","object":"chat.completion","created":1,"model":"scripted-1","choices":[{"index":0,"message":{"role":"assistant",\#(message)},"finish_reason":"\#(text == nil ? "tool_calls" : "stop")"}],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}"#
            }
        }
    }
}

extension Response {
    fileprivate static func json(_ text: String, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(status: status, headers: [.contentType: "application/json"], body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}

/// A program of others that the long tests run against, where it is installed.
enum RealProgram: String, CaseIterable, CustomTestStringConvertible {
    case claude
    case hermes = "hermes-acp"
    case agentao
    case claudeCodeACP = "claude-code-acp"

    /// The variable that names the program for short runs, too.
    private var variable: String {
        "SWITCHBOARD_" + rawValue.uppercased().replacing("-", with: "_")
    }

    /// The path of the program; nil if it is not installed, or if the tests are to be short.
    var path: String? {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment[variable] { return path }
        return Effort.isSoak ? try? AgentProgram.find(name: rawValue, environment: environment) : nil
    }

    /// The reason why tests with the program are skipped.
    var reason: String { "\(rawValue) is not in PATH, nor named by \(variable) (make soak looks into PATH)" }

    var testDescription: String { rawValue }
}
