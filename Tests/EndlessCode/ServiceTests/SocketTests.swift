import EndlessCodeAgents
import EndlessCodeWire
import Foundation
import HTTPTypes
import ServerKit
import StorageKit
import TestKit
import Testing
import WireKit

@testable import EndlessCodeService

/// The socket and the calls, over a real port.
@Suite struct SocketTests {
    let test: TestServer

    init() async throws { test = try await TestServer() }

    // MARK: The token

    @Test func everythingButHealthNeedsTheToken() async throws {
        try await test.run { server async throws in
            #expect(try await server.http.send("GET", "/health").text == #"{"status":"ok"}"#)
            for path in ["/api/v1/stats", "/api/v1/projects", "/api/v1/sessions", "/ws"] {
                for token in ["", test.token + "x", String(test.token.dropLast()) + "~"] {
                    let reply = try await server.http.send("GET", path, headers: ["Authorization": "Bearer \(token)"])
                    #expect(reply.status == 401 && reply.text.contains("AUTH_FAILED"), "\(path)")
                }
            }
            let stats = try await server.http.send("GET", "/api/v1/stats", headers: ["Authorization": "Bearer \(test.token)"])
            #expect(
                stats.text
                    == #"{"activeConnections":0,"activeSessions":0,"isRunning":true,"pendingPrompts":0,"totalSessions":0}"#)
            await #expect(throws: WebSocketProbe.Refused.self) {
                try await WebSocketProbe.open(port: server.port, "/ws", headers: ["Authorization": "Bearer x"]) { _ in }
            }
        }
    }

    @Test func aNewTokenEndsAllSockets() async throws {
        try await test.run { server async throws in
            let old = test.token
            try await test.phone(server) { phone async throws in
                _ = try await phone.sync()
                let new = try AccessTokens.renew(folder: test.folder.url)
                #expect(try await phone.error() == .tokenExpired)
                #expect(try await phone.probe.receive().closeCode == 4001)
                #expect(test.token == new.text)
            }
            #expect(try await server.http.send("GET", "/api/v1/stats", headers: ["Authorization": "Bearer \(old)"]).status == 401)
        }
        let mode = try FileManager.default.attributesOfItem(atPath: test.folder.file(AccessTokens.fileName))[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o600)
    }

    @Test func theTokenOutlivesARestart() async throws {
        let folder = try TemporaryFolder()
        let first = try AccessTokens(folder: folder.url).current
        #expect(try AccessTokens(folder: folder.url).current == first)
        try Data("short\n".utf8).write(to: folder.url.appending(path: AccessTokens.fileName))
        #expect(throws: StartupError.self) { try AccessTokens(folder: folder.url) }
    }

    // MARK: Opening

    @Test func aPhoneGetsWhatItMissedAndThenLiveEvents() async throws {
        let (id, agent) = try await test.session()
        let (other, _) = try await test.session()
        try await test.prompt("one", to: id)
        try await test.taken(id)
        agent.send(.prompt(.permission))
        _ = try await test.prompts(1)
        try await test.prompt("elsewhere", to: other)
        try await test.taken(other)
        try await test.run { server async throws in
            try await test.phone(server, query: "?connectionId=ada&after=\(id):2,unknown:7") { phone async throws in
                let sync = try await phone.sync()
                #expect(sync.connectionId == "ada")
                #expect(Set(sync.sessions.map(\.id)) == [id, other])
                #expect(sync.prompts?.count == 1)
                // Only of sessions that the phone does not name.
                #expect(sync.recentMessages.map(\.sessionId) == [other])
                for expected in ["active working", "taken one", "ask Use Bash?", "active waiting"] {
                    #expect(try await phone.next().kind == expected)
                }
                agent.send(.text(AgentText(id: "t", text: "live")))
                let live = try await phone.next()
                #expect(live.kind == "chat assistant live" && live.position?.seq == 7)
            }
        }
    }

    @Test func aPromptThatTheServerHasIsAnsweredAndNotRepeated() async throws {
        let (id, _) = try await test.session()
        let prompt = UserMessage(
            sessionId: id, content: "one", timestamp: test.now, messageId: UserMessage.ID(UUID().uuidString))
        try await test.run { server async throws in
            try await test.phone(server, query: "?after=\(id):0") { phone async throws in
                _ = try await phone.sync()
                for _ in 1...2 { try await phone.send(.userMessage(prompt)) }
                var events: [Int64] = []
                while true {
                    let frame = try await phone.next()
                    if let seq = frame.position?.seq { events.append(seq) }
                    guard case .promptAccepted(let accepted) = frame else { continue }
                    #expect(accepted.sessionId == id && accepted.messageId == prompt.messageId)
                    let last = try await test.sessions.session(id).lastSeq
                    #expect(try #require(accepted.position) <= last)
                    break
                }
                #expect(events == Array(1...Int64(events.count)))
                try await test.taken(id)
                #expect(try await test.sessions.session(id).messageCount == 1)
            }
        }
    }

    /// The bar of the contract: nothing is missing and nothing comes twice, wherever the phone comes in.
    @Test func noEventIsLostOrDoubledAroundTheOpening() async throws {
        let (id, agent) = try await test.session()
        try await test.run { server async throws in
            let count = 400
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for number in 1...count {
                        agent.send(.text(AgentText(id: "\(number)", text: "\(number)")))
                        if number % 10 == 0 { await Task.yield() }
                    }
                }
                for _ in 1...8 {
                    group.addTask {
                        try await test.phone(server, query: "?after=\(id):0") { phone async throws in
                            let sync = try await phone.sync()
                            #expect(sync.recentMessages.isEmpty)
                            // The log has the state, and after the first text the activity.
                            for seq in 1...Int64(count + 2) { try #require(try await phone.next().position?.seq == seq) }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func aLongReplayBeginsWithAGap() async throws {
        let (id, _) = try await test.session()
        let text = String(repeating: "x", count: 900_000)
        let time = test.now
        for _ in 1...15 {
            try await test.store.write { transaction in
                _ = try transaction.append(
                    Message(.chat(Chat(id: "c", role: .assistant, content: text, timestamp: time))), to: id, at: time)
            }
        }
        try await test.run { server async throws in
            try await test.phone(server, query: "?after=\(id):1") { phone async throws in
                _ = try await phone.sync()
                #expect(try await phone.next() == .gap(Gap(sessionId: id, from: 2, to: 5)))
                for seq in Int64(6)...16 { #expect(try await phone.next().position?.seq == seq) }
            }
            // A cursor of an earlier log.
            try await test.phone(server, query: "?after=\(id):99") { phone async throws in
                _ = try await phone.sync()
                #expect(try await phone.next() == .gap(Gap(sessionId: id, from: 1, to: 5)))
            }
        }
    }

    @Test func aPhoneInTheMiddleOfATextGetsItsBeginning() async throws {
        let (id, agent) = try await test.session()
        agent.send(.partialText(AgentPartialText(id: "t", offset: 0, piece: "Grü")))
        agent.send(.partialText(AgentPartialText(id: "t", offset: 4, piece: "ße")))
        try await eventually { await test.sessions.partialFrames().first?.contains("Grüße") == true }
        try await test.run { server async throws in
            try await test.phone(server) { phone async throws in
                _ = try await phone.sync()
                func chat() async throws -> Chat {
                    guard case .output(let output) = try await phone.next(), case .chat(let chat) = output.message.content else {
                        throw Unexpected()
                    }
                    #expect((output.seq == nil) == chat.isPartial)
                    return chat
                }
                let piece = try await chat()
                #expect(piece.offset == 0 && piece.content == "Grüße")
                agent.send(.partialText(AgentPartialText(id: "t", offset: 7, piece: "!")))
                #expect(try await chat().offset == 7)
                agent.send(.text(AgentText(id: "t", text: "Grüße!")))
                let final = try await chat()
                #expect(final.id == "t" && final.offset == nil && final.content == "Grüße!")
            }
        }
        #expect(try await test.log(id).count == 3)
    }

    // MARK: Frames

    @Test func badFramesAreAnsweredAndTheSocketStaysOpen() async throws {
        let (id, _) = try await test.session()
        try await test.run { server async throws in
            try await test.phone(server) { phone async throws in
                _ = try await phone.sync()
                for text in ["", "{", #"{"type":"x"}"#, #"{"type":"user_message","sessionId":"\#(id)"}"#] {
                    try await phone.probe.send(.text(text))
                    #expect(try await phone.error() == .invalidMessage)
                }
                try await phone.probe.send(.binary([1, 2]))
                #expect(try await phone.error() == .invalidMessage)
                try await phone.send(.sessionControl(SessionControl(.pause, sessionId: "x")))
                #expect(try await phone.error() == .sessionNotFound)
                try await phone.send(.sessionControl(SessionControl(.pause, sessionId: id)))
                #expect(try await phone.next().kind == "paused idle")
                try await phone.send(.userMessage(UserMessage(sessionId: id, content: "hi", timestamp: test.now)))
                #expect(try await phone.error() == .sessionNotActive)
            }
        }
    }

    @Test func aFrameOverTheLimitClosesTheSocket() async throws {
        try await test.run { server async throws in
            try await test.phone(server) { phone async throws in
                _ = try await phone.sync()
                try await phone.probe.send(.text(String(repeating: "x", count: 1_048_577)))
                #expect(try await phone.probe.receive().closeCode == 1009)
            }
        }
    }

    @Test func anAnswerReachesEveryPhone() async throws {
        let (id, agent) = try await test.session()
        try await test.run { server async throws in
            try await test.phone(server, query: "?name=Ada&connectionId=a") { ada async throws in
                _ = try await ada.sync()
                try await test.phone(server, query: "?name=Bob&connectionId=b") { bob async throws in
                    _ = try await bob.sync()
                    agent.send(.prompt(.permission))
                    for phone in [ada, bob] { #expect(try await phone.next().kind == "ask Use Bash?") }
                    let prompt = try #require(try await test.prompts(1).first)
                    try await bob.send(
                        .promptResponse(PromptAnswer(sessionId: id, promptId: prompt.promptId, selectedOptions: ["Allow"])))
                    for phone in [ada, bob] {
                        #expect(try await phone.next().kind == "active waiting")
                        guard case .promptResolved(let resolved) = try await phone.next() else { throw Unexpected() }
                        #expect(resolved.by == "Bob" && resolved.selectedOptions == ["Allow"])
                    }
                    try await ada.send(
                        .promptResponse(PromptAnswer(sessionId: id, promptId: prompt.promptId, selectedOptions: ["Deny"])))
                    #expect(try await ada.error() == .promptClosed)
                }
            }
        }
        #expect(agent.commands == [.answer("a", .allow)])
    }

    @Test func aHundredPhonesMayConnect() async throws {
        try await test.run { server async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...Limits.socketCount {
                    group.addTask {
                        try await test.phone(server) { phone async throws in
                            _ = try await phone.sync()
                            // Until the group is cancelled.
                            _ = try? await phone.probe.receive()
                        }
                    }
                }
                try await eventually { test.server.phones.count == Limits.socketCount }
                do {
                    try await test.phone(server) { _ in }
                    Issue.record("accepted")
                } catch let refused as WebSocketProbe.Refused {
                    #expect(refused.reply.status == 503 && refused.reply.headers["retry-after"] != nil)
                }
                #expect(try await test.sessions.stats(connections: test.server.phones.count).activeConnections == 100)
                group.cancelAll()
            }
            try await eventually { test.server.phones.count == 0 }
        }
    }

    @Test func aPhoneThatDoesNotReadIsClosed() async throws {
        let (id, agent) = try await test.session()
        try await test.run { server async throws in
            try await test.phone(server) { phone async throws in
                _ = try await phone.sync()
                let text = String(repeating: "x", count: 900_000)
                for number in 1...40 { agent.send(.text(AgentText(id: "\(number)", text: text))) }
                try await eventually { test.server.phones.count == 0 }
                // The rest of what the operating system held, and then the reason.
                while true {
                    // Cut where even the close frame was not read in time.
                    guard let frame = try? await phone.probe.receive() else { return }
                    guard let code = frame.closeCode else { continue }
                    #expect(code == 4008)
                    return
                }
            }
        }
        try await eventually { try await test.sessions.session(id).messageCount == 40 }
    }

    @Test func aSilentAgentIsReportedOnce() async throws {
        let (id, agent) = try await test.session()
        try await test.prompt("hi", to: id)
        try await test.taken(id)
        try await test.run { server async throws in
            try await test.phone(server) { phone async throws in
                _ = try await phone.sync()
                // A running tool may be silent.
                agent.send(.toolUse(AgentToolUse(id: "u", name: "Bash", input: .null)))
                #expect(try await phone.next().kind == "toolUse Bash")
                test.advance(.seconds(60))
                try await test.sessions.tick()
                agent.send(.toolResult(AgentToolResult(toolUseID: "u", output: "x", isError: false)))
                #expect(try await phone.next().kind == "toolResult x")
                test.advance(.seconds(30))
                for _ in 1...2 { try await test.sessions.tick() }
                for _ in 1...2 { agent.send(.dropped(AgentDroppedLine(reason: .notJSON, beginning: "x"))) }
                #expect(try await phone.error() == .agentSilent)
                // Twice in one second is told once.
                #expect(try await phone.error() == .parseError)
                agent.finishTurn()
                #expect(try await phone.next().kind == "result success")
            }
        }
    }

    @Test func anAnsweredAgentIsNotSilent() async throws {
        let (id, agent) = try await test.session()
        try await test.prompt("hi", to: id)
        _ = try await agent.commands(1)
        agent.send(.prompt(.permission))
        let prompt = try #require(try await test.prompts(1).first)
        try await test.run { server async throws in
            try await test.phone(server) { phone async throws in
                _ = try await phone.sync()
                test.advance(.seconds(600))
                try await test.sessions.tick()
                try await phone.send(
                    .promptResponse(PromptAnswer(sessionId: id, promptId: prompt.promptId, selectedOptions: ["Allow"])))
                #expect(try await phone.next().kind == "answered")
                _ = try await agent.commands(2)
                try await test.sessions.tick()
                agent.send(.dropped(AgentDroppedLine(reason: .notJSON, beginning: "x")))
                #expect(try await phone.error() == .parseError)
                test.advance(.seconds(30))
                try await test.sessions.tick()
                #expect(try await phone.error() == .agentSilent)
            }
        }
    }

    @Test func presenceIsForgotten() async throws {
        try await test.run { server async throws in
            try await test.phone(server) { phone async throws in
                _ = try await phone.sync()
                try await phone.send(.presence(isActive: true))
                try await eventually { test.server.pushes.foreground.end(of: .owner) == test.uptime + .seconds(45) }
                // The computer's clock is set.
                for change in [Duration.seconds(86_400), .seconds(-200_000)] {
                    test.setClock(by: change)
                    #expect(test.server.pushes.foreground.end(of: .owner) == test.uptime + .seconds(45))
                }
                test.advance(.seconds(45))
                #expect(test.server.pushes.foreground.end(of: .owner) == nil)
                try await phone.send(.presence(isActive: true))
                try await eventually { test.server.pushes.foreground.end(of: .owner) != nil }
                try await phone.send(.presence(isActive: false))
                try await eventually { test.server.pushes.foreground.end(of: .owner) == nil }
            }
        }
    }

    // MARK: Calls

    @Test func sessionsAreStartedAndEndedByCalls() async throws {
        let created = try await test.server.parts.call(
            EndlessCodeEndpoints.createSession, SessionCreation(projectId: "p", requestId: "r"), token: test.token)
        #expect(created.status == 201)
        let session = try created.value(Session.self)
        let parameters = ["id": session.id.rawValue]
        #expect(try await test.call(EndlessCodeEndpoints.session, parameters).value(Session.self).id == session.id)
        #expect(try await test.call(EndlessCodeEndpoints.pauseSession, parameters).value(Session.self).state == .paused)
        #expect(try await test.call(EndlessCodeEndpoints.resumeSession, parameters).value(Session.self).state == .active)
        #expect(try await test.call(EndlessCodeEndpoints.sessions).value([Session].self).count == 1)
        #expect(try await test.call(EndlessCodeEndpoints.projects).value([Project].self).map(\.id) == ["p"])
        #expect(try await test.call(EndlessCodeEndpoints.projectSessions, ["id": "p"]).value([Session].self).count == 2)
        let ended = try await test.call(EndlessCodeEndpoints.terminateSession, parameters)
        #expect(ended.status == 204 && ended.body.isEmpty)
        #expect(try await test.call(EndlessCodeEndpoints.pauseSession, parameters).status == 409)
    }

    @Test func whatIsNotThereHasItsCode() async throws {
        func code(_ reply: ServiceReply) throws -> String {
            "\(reply.status) \(try reply.value(ErrorReply.self).error.code.rawValue)"
        }
        #expect(try code(try await test.call(EndlessCodeEndpoints.project, ["id": "q"])) == "404 PROJECT_NOT_FOUND")
        #expect(try code(try await test.call(EndlessCodeEndpoints.projectSessions, ["id": "q"])) == "404 PROJECT_NOT_FOUND")
        #expect(try code(try await test.call(EndlessCodeEndpoints.session, ["id": "../x"])) == "404 SESSION_NOT_FOUND")
        #expect(try code(try await test.call(EndlessCodeEndpoints.history, ["id": "x"])) == "404 SESSION_NOT_FOUND")
        #expect(try code(try await test.server.parts.call(.get, "/api/v1/x", token: test.token)) == "404 NOT_FOUND")
        let (id, _) = try await test.session()
        #expect(try code(try await test.call(EndlessCodeEndpoints.message, ["id": id.rawValue, "seq": "9"])) == "404 NOT_FOUND")
        for body in ["", "{", "[]", "{}", #"{"projectId":1}"#, #"{"projectId":"p","requestId":"a b"}"#] {
            let reply = try await test.server.parts.call(.post, "/api/v1/sessions", token: test.token, body: Data(body.utf8))
            #expect(try code(reply) == "400 INVALID_MESSAGE", "\(body)")
        }
    }
}
