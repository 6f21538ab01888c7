import EndlessCodeClient
import EndlessCodeTestKit
import EndlessCodeWire
import Foundation
import NetworkingKit
import PlatformKit
import TestKit
import Testing
import WireKit

/// Bytes that no server of ours sends.
@MainActor
@Suite struct HostileServerTests {
    /// A connection that delivers other texts after the first one of the server.
    private final class Injecting: SocketConnection {
        private let socket: any SocketConnection
        private let rest: Locked<[String]>
        private let hasBegun = Locked(false)

        init(_ socket: any SocketConnection, _ texts: [String]) { (self.socket, rest) = (socket, Locked(texts.reversed())) }

        func receive() async throws -> SocketMessage? {
            let text = hasBegun.withLock { $0 } ? rest.withLock { $0.popLast() } : nil
            if let text { return .text(text) }
            let message = try await socket.receive()
            hasBegun.withLock { $0 = true }
            return message
        }
        func send(_ message: SocketMessage) async throws { try await socket.send(message) }
        func ping() async throws { try await socket.ping() }
        func close(_ end: SocketEnd) { socket.close(end) }
        var end: SocketEnd? { socket.end }
    }

    private static let time = "2026-11-20T12:00:00.000Z"

    private static func output(_ session: String, _ seq: String, _ message: String) -> String {
        #"{"type":"cli_output","sessionId":"\#(session)","seq":\#(seq),"message":\#(message),"timestamp":"\#(time)"}"#
    }

    private static func chat(_ id: String, _ content: String, _ more: String = "") -> String {
        #"{"messageType":"chat","chat":{"id":"\#(id)","role":"assistant","content":"\#(content)","timestamp":"\#(time)"\#(more)}}"#
    }

    /// Connects again, and receives `texts` after `sync`, but on this connection only.
    private func inject(_ texts: [String], _ box: AgentBox, _ phone: AgentPhone) async throws {
        let left = Locked<[String]?>(texts)
        box.network.set { state in
            state.wrap = { socket in
                let texts = left.withLock { left in
                    defer { left = nil }
                    return left
                }
                return texts.map { Injecting(socket, $0) } ?? socket
            }
        }
        let count = box.network.opened.count
        box.network.cutLines()
        phone.client.reconnect()
        try await phone.until { $0.status == .connected && box.network.opened.count > count }
    }

    @Test func framesOfEveryBadFormAreSurvived() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        try await phone.turn("list", in: conversation)
        let outline = conversation.outline
        let id = conversation.id.rawValue
        let big = String(repeating: "[", count: 100_000)
        var texts = ["", "null", "[]", "{", "\u{0}", big, #"{"type":1}"#, #"{"type":"cli_output"}"#, #"{"type":"of the future"}"#]
        texts += ["-1", "0", "1", "1.5", "9223372036854775808", "\"1\"", "null"].map { Self.output(id, $0, Self.chat("x", "bad")) }
        texts += ["../../etc", "", "a b", String(repeating: "x", count: 10_000)].map { Self.output($0, "1", Self.chat("x", "bad")) }
        texts += [#"{"messageType":"chat"}"#, #"{"messageType":"tool_use","toolUse":{}}"#, "[]"].map { Self.output(id, "2", $0) }
        texts += [",\"partial\":true", ",\"partial\":true,\"offset\":-1", ",\"partial\":true,\"offset\":9223372036854775807"].map {
            #"{"type":"cli_output","sessionId":"\#(id)","message":\#(Self.chat("p", "piece", $0)),"timestamp":"\#(Self.time)"}"#
        }
        texts += [#"{"type":"gap","sessionId":"\#(id)","from":-5,"to":-9}"#, #"{"type":"gap","sessionId":"x y","from":1,"to":2}"#]
        texts += [#"{"type":"session_state","sessionId":"\#(id)","seq":1,"state":"asleep"}"#]
        texts += [#"{"type":"prompt_resolved","sessionId":"\#(id)","seq":1,"promptId":"../x","outcome":"answered"}"#]
        texts += [#"{"type":"error","code":"NEW","message":"\#(String(repeating: "m", count: 100_000))"}"#]
        try await inject(texts, box, phone)
        try await phone.until { $0.alert != nil }
        guard case .server(let code, let words) = phone.client.alert else { throw NotThere() }
        #expect(code.rawValue == "NEW" && words.count <= 10_000)
        try await phone.turn("list", in: conversation)
        #expect(conversation.outline == outline + outline)
        #expect(phone.client.status == .connected)
    }

    @Test func largestNumbersDoNotTrap() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        let id = conversation.id.rawValue
        let largest = "9223372036854775807"
        try await inject(
            [
                #"{"type":"sync","connectionId":"a","sessions":[{"id":"\#(id)","projectId":"p","state":"active","createdAt":"\#(Self.time)","lastActiveAt":"\#(Self.time)","messageCount":\#(largest),"lastSeq":1}],"recentMessages":[]}"#,
                Self.output(id, "2", Self.chat("a", "one")),
                #"{"type":"gap","sessionId":"\#(id)","from":3,"to":\#(largest)}"#,
                Self.output(id, largest, Self.chat("b", "two")),
                Self.output(id, "-\(largest)", Self.chat("c", "three")),
            ], box, phone)
        // The server's real numbers are smaller: the next connection begins anew.
        box.network.cutLines()
        phone.client.reconnect()
        try await phone.until { $0.status == .connected && $0.sessions[conversation.id]?.messageCount == 0 }
        try await phone.turn("list", in: conversation)
        #expect(conversation.outline.first == "user: list" && conversation.outline.last == "result: success")
    }

    @Test func missingEventIsReplayedAndOneThatNeverComesIsPassedOver() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        try await phone.turn("list", in: conversation)
        let last = try #require(phone.client.sessions[conversation.id]?.lastSeq)
        let count = box.network.opened.count
        try await inject([Self.output(conversation.id.rawValue, "\(last + 5)", Self.chat("late", "late"))], box, phone)
        // The line ends at the gap, and the next connection has no such event.
        try await phone.until { $0.status == .connected && box.network.opened.count >= count + 2 }
        #expect(!conversation.outline.contains("agent: late"))
        try await inject([Self.output(conversation.id.rawValue, "\(last + 5)", Self.chat("late", "late"))], box, phone)
        try await phone.until { _ in conversation.outline.contains("agent: late") }
    }

    @Test func eventsThatAreNotReplayedAreReadFromTheHistory() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        try await phone.turn("list", in: conversation)
        let outline = conversation.outline
        let last = try #require(phone.client.sessions[conversation.id]?.lastSeq)
        // As if the phone had been away too long.
        try await inject([#"{"type":"gap","sessionId":"\#(conversation.id)","from":\#(last + 1),"to":\#(last + 1)}"#], box, phone)
        try await phone.until { _ in conversation.outline == outline && conversation.phase == .loaded }
    }

    @Test func anotherServerAtTheAddressIsNamed() async throws {
        let box = try await AgentBox()
        for answer in [TestNetwork.Answer(404, "<html>"), .init(500, "{}"), .init(200, "hello")] {
            let phone = box.phone()
            try await phone.until { $0.isReady }
            box.network.set { $0.refusal = answer }
            try await phone.client.addServer(address: AgentBox.address.text, token: box.token.text)
            try await phone.until { $0.problem == .notAServer && $0.status == .disconnected }
            await phone.quit()
        }
    }

    /// An iPhone knows only the status of a refused WebSocket.
    @Test func refusalWithoutABodyIsThatOfTheStatus() async throws {
        let busy = ["429", "500", "503"].map { CodeProblem.server(.internalError, "The server answers with status \($0).") }
        let expected: [Int: CodeProblem] = [
            401: .tokenRefused, 403: .notAServer, 404: .notAServer, 410: .notAServer, 302: .notAServer, 429: busy[0], 500: busy[1],
            503: busy[2],
        ]
        let box = try await AgentBox()
        for (status, problem) in expected {
            let phone = box.phone()
            try await phone.until { $0.isReady }
            box.network.set { $0.refusal = TestNetwork.Answer(status, "") }
            try await phone.client.addServer(address: AgentBox.address.text, token: box.token.text)
            try await phone.until { $0.problem == problem && $0.status == .disconnected }
            #expect((phone.client.hold == .tokenRefused) == (status == 401))
            await phone.quit()
        }
    }

    @Test func repliesOfEveryBadFormAreErrors() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let tree = phone.client.files(of: box.projectID)
        for body in [
            "", "null", "[1]", "{", String(repeating: "[", count: 10_000),
            #"[{"id":"a/../b","name":"","path":"","sessionCount":0}]"#,
        ] {
            box.network.set { $0.answer = .init(200, body, path: "/projects") }
            await phone.client.refreshProjects()
            #expect(phone.client.projects.allSatisfy { $0.id == box.projectID })
            await tree.refresh()
            #expect(tree.folders[""]?.entries.isEmpty != false)
        }
        let entry = #"{"name":"a","path":"a","kind":"directory","size":0}"#
        let page =
            #"{"entries":[\#(entry),\#(entry),{"name":"b","path":"../b","kind":"file","size":-1}],"totalCount":-9223372036854775808,"hasMore":true}"#
        box.network.set { $0.answer = .init(200, page, path: "/files") }
        await tree.refresh()
        #expect(tree.folders[""]?.entries.map(\.path) == ["a"])
        await tree.toggle("a")
        await tree.loadMore(of: "")
        #expect(!tree.rows.isEmpty)
        box.network.set { $0.answer = .init(503, #"{"error":{"code":"CLI_NOT_FOUND","message":"no program"}}"#, path: "/sessions") }
        await #expect(throws: CodeProblem.server(.agentNotFound, "no program")) {
            try await phone.client.startSession(in: box.projectID)
        }
    }
}
