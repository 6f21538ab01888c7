import EndlessCodeClient
import EndlessCodeTestKit
import EndlessCodeWire
import Foundation
import NetworkingKit
import PlatformKit
import TestKit
import Testing
import WireKit

/// Projects and sessions.
@MainActor
@Suite struct SessionTests {
    @Test func sessionsOfAProjectAreStartedPausedResumedAndEnded() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        #expect(phone.client.projects.map(\.id) == [box.projectID] && phone.client.projectsPhase == .loaded)
        #expect(phone.client.project(box.projectID)?.path == box.project.path)
        let id = try await phone.client.startSession(in: box.projectID)
        #expect(phone.client.sessions(of: box.projectID).map(\.id) == [id])
        try await phone.turn("list", in: phone.client.conversation(id))
        try await phone.client.pause(id)
        try await phone.until { $0.sessions[id]?.state == .paused }
        try await phone.client.pause(id)
        try await phone.client.resume(id)
        try await phone.until { $0.sessions[id]?.state == .active }
        try await phone.client.terminate(id)
        try await phone.until { $0.sessions[id]?.state == .terminated && $0.liveSessions.isEmpty }
        await phone.client.refreshSessions(of: box.projectID)
        #expect(phone.client.sessionsPhase(of: box.projectID) == .loaded)
        #expect(phone.client.sessions(of: box.projectID).map(\.state) == [.terminated])
        try await phone.client.resume(id)
        try await phone.turn("list", in: phone.client.conversation(id))
    }

    @Test func sessionOfAnotherPhoneAppearsByItself() async throws {
        let box = try await AgentBox()
        let (ada, bob) = (try await box.connected("Ada"), try await box.connected("Bob"))
        let id = try await ada.client.startSession(in: box.projectID)
        try await bob.until { $0.sessions(of: box.projectID).map(\.id) == [id] }
        try await ada.turn("list", in: ada.client.conversation(id))
        try await bob.until {
            $0.conversation(id).outline == ada.client.conversation(id).outline && $0.sessions[id]?.messageCount == 6
        }
    }

    /// A connection whose frames wait while the test holds them.
    private final class HeldConnection: SocketConnection {
        private let socket: any SocketConnection
        private let isHeld: Locked<Bool>

        init(_ socket: any SocketConnection, _ isHeld: Locked<Bool>) { (self.socket, self.isHeld) = (socket, isHeld) }

        func receive() async throws -> SocketMessage? {
            let message = try await socket.receive()
            try await eventually { [isHeld] in !isHeld.withLock { $0 } }
            return message
        }
        func send(_ message: SocketMessage) async throws { try await socket.send(message) }
        func ping() async throws { try await socket.ping() }
        func close(_ end: SocketEnd) { socket.close(end) }
        var end: SocketEnd? { socket.end }
    }

    @Test(arguments: [false, true])
    func questionThatIsOvertakenByACallIsShown(opens: Bool) async throws {
        let box = try await AgentBox()
        let ada = try await box.connected("Ada")
        let isHeld = Locked(false)
        box.network.set { $0.wrap = { HeldConnection($0, isHeld) } }
        let bob = try await box.connected("Bob")
        let conversation = try await ada.startSession()
        try await bob.until { $0.sessions[conversation.id] != nil }
        isHeld.withLock { $0 = true }
        try await ada.client.send("question", in: conversation)
        try await ada.until { $0.prompts.count == 1 }
        if opens {
            await bob.client.open(bob.client.conversation(conversation.id))
            #expect(bob.client.conversation(conversation.id).prompts == ["question"])
        } else {
            await bob.client.refreshSessions(of: box.projectID)
        }
        #expect(bob.client.sessions[conversation.id]?.activity == .waiting && bob.client.prompts.isEmpty)
        isHeld.withLock { $0 = false }
        try await bob.until { $0.prompts.map(\.id) == ada.client.prompts.map(\.id) }
    }

    @Test func startWhoseReplyIsLostStartsOneSession() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        box.network.set { $0.losesReplies = "/sessions" }
        await #expect(throws: CodeProblem.network) { try await phone.client.startSession(in: box.projectID) }
        box.network.set { $0.losesReplies = nil }
        await phone.client.refreshSessions(of: box.projectID)
        #expect(phone.client.sessions(of: box.projectID).count == 1)
    }

    @Test func refusalsOfAStartSayWhy() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        for _ in 0..<Limits.runningSessionCount { _ = try await phone.client.startSession(in: box.projectID) }
        await Self.expect(.sessionLimit) { try await phone.client.startSession(in: box.projectID) }
        await Self.expect(.projectNotFound) { try await phone.client.startSession(in: Project.ID("none")) }
        let other = try await AgentBox(.missing)
        let second = try await other.connected()
        await Self.expect(.agentNotFound) { try await second.client.startSession(in: other.projectID) }
    }

    private static func expect(_ code: ErrorCode, _ body: () async throws -> Session.ID) async {
        do {
            _ = try await body()
            Issue.record("not refused")
        } catch CodeProblem.server(let found, _) {
            #expect(found == code)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func earlierMessagesComePageByPage() async throws {
        let box = try await AgentBox()
        let writer = try await box.connected("Ada")
        let all = try await writer.startSession()
        for number in 1...30 { try await writer.turn("list \(number)", in: all) }
        let phone = try await box.connected("Bob")
        let conversation = phone.client.conversation(all.id)
        await phone.client.open(conversation)
        #expect(conversation.entries.last?.id == all.entries.last?.id && conversation.hasEarlier)
        let newest = conversation.entries.last
        var pages = 0
        while conversation.hasEarlier {
            let oldest = conversation.entries.first?.seq
            await phone.client.loadEarlier(conversation)
            #expect((conversation.entries.first?.seq ?? 0) < oldest ?? 0)
            pages += 1
        }
        #expect(pages == 1 && conversation.outline == all.outline && conversation.entries.last == newest)
        await phone.client.loadEarlier(conversation)
        #expect(conversation.outline == all.outline)
    }

    @Test func earlierSessionOfTheAgentIsReadAndResumed() async throws {
        let box = try await AgentBox()
        let writer = try await box.connected()
        let conversation = try await writer.startSession()
        try await writer.turn("list", in: conversation)
        await box.stop()
        // A server with a new data folder knows the conversation from the agent's own files only.
        for file in try FileManager.default.contentsOfDirectory(at: box.folder.url, includingPropertiesForKeys: nil)
        where file.lastPathComponent.hasPrefix("endlesscode.db") {
            try FileManager.default.removeItem(at: file)
        }
        try await box.start()
        let phone = try await box.connected("Other")
        await phone.client.refreshSessions(of: box.projectID)
        let earlier = try #require(phone.client.sessions(of: box.projectID).first)
        #expect(earlier.state == .terminated && earlier.id != conversation.id)
        let read = phone.client.conversation(earlier.id)
        await phone.client.open(read)
        #expect(read.phase == .loaded && read.outline.contains("user: list"))
        let before = read.outline
        try await phone.client.resume(earlier.id)
        try await phone.turn("list", in: read)
        #expect(read.outline.starts(with: before.dropLast(0)) && read.prompts == ["list", "list"])
    }

    @Test func largeMessageIsFetchedWhole() async throws {
        let box = try await AgentBox()
        // The agent reads the file, and the tool's result is cut.
        let text = String(repeating: "0123456789abcde\n", count: 90_000)
        try FileManager.default.removeItem(at: box.project.url.appending(path: "README.md"))
        try Data(text.utf8).write(to: box.project.url.appending(path: "A.txt"))
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        try await phone.turn("read", in: conversation)
        guard let entry = conversation.entries.first(where: { $0.isCut }) else { return }
        try await phone.client.loadWhole(entry, of: conversation)
        #expect(conversation.tools.first?.output?.utf8.count == 1_048_576)
        #expect(!conversation.entries.contains { $0.isCut })
    }
}
