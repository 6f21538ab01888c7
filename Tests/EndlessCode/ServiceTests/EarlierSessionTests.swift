import EndlessCodeAgents
import EndlessCodeProjects
import EndlessCodeWire
import Foundation
import TestKit
import Testing
import WireKit

@testable import EndlessCodeService

/// Sessions in the agent's own files: listed, read and resumed.
@Suite struct EarlierSessionTests {
    let test: TestServer
    let earlier: Session.ID = "earlier"

    init() async throws { test = try await TestServer() }

    private func texts(_ page: EndlessCodeWire.HistoryPage) -> [String] {
        page.messages.compactMap { if case .chat(let chat) = $0.message.content { "\($0.seq) \(chat.content)" } else { nil } }
    }

    private func page(_ query: String = "") async throws -> EndlessCodeWire.HistoryPage {
        try await test.call(EndlessCodeEndpoints.history, ["id": earlier.rawValue], query: query).value(
            EndlessCodeWire.HistoryPage.self)
    }

    @Test func anEarlierSessionIsReadByItsId() async throws {
        let session = try await test.sessions.session(earlier)
        #expect(session.state == .terminated && session.messageCount == 3 && session.lastSeq == 3)
        let all = try await page()
        #expect(texts(all) == ["1 old 1", "2 old 2", "3 old 3"] && all.totalCount == 3 && !all.hasMore)
        let newest = try await page("?limit=2")
        #expect(texts(newest) == ["2 old 2", "3 old 3"] && newest.hasMore)
        #expect(texts(try await page("?limit=2&offset=2")) == ["1 old 1"])
        #expect(texts(try await page("?limit=2&before=2")) == ["1 old 1"])
        #expect(try await page("?offset=9").messages == [])
        #expect(try await test.sessions.message(2, of: earlier).seq == 2)
        #expect(try await refusal { _ = try await test.sessions.message(4, of: earlier) } == .notFound)
        #expect(try await refusal { _ = try await test.sessions.message(0, of: earlier) } == .notFound)
    }

    @Test func anEarlierSessionMustBeResumedFirst() async throws {
        #expect(try await refusal { try await test.prompt("hi", to: earlier) } == .sessionNotActive)
        #expect(try await refusal { _ = try await test.sessions.pause(earlier) } == .sessionNotActive)
        try await test.sessions.terminate(earlier)
        try await test.sessions.interrupt(earlier)
        #expect(try await test.sessions.all() == [])
        #expect(try await refusal { try await test.sessions.terminate("x") } == .sessionNotFound)
    }

    @Test func aResumedOneGoesOnWithItsConversationAndNumbers() async throws {
        let session = try await test.sessions.resume(earlier)
        #expect(session.id == earlier && session.state == .active && session.lastSeq == 4 && session.messageCount == 3)
        try await eventually { test.agents.all.count == 1 }
        let agent = test.agents.all[0]
        #expect(agent.conversation == .resume("earlier"))
        agent.ready("earlier")
        try await test.prompt("new", to: earlier)
        try await test.taken(earlier)
        _ = try await agent.commands(1)
        #expect(texts(try await page()) == ["1 old 1", "2 old 2", "3 old 3", "7 new"])
        #expect(try await page().totalCount == 4)
        let newest = try await page("?limit=1")
        #expect(texts(newest) == ["7 new"] && newest.hasMore)
        let both = try await page("?limit=2")
        #expect(texts(both) == ["3 old 3", "7 new"] && both.hasMore)
        #expect(texts(try await page("?limit=2&offset=2")) == ["1 old 1", "2 old 2"])
        #expect(texts(try await page("?limit=2&before=5")) == ["2 old 2", "3 old 3"])
        #expect(texts(try await page("?limit=1&before=2")) == ["1 old 1"])
        #expect(try await test.sessions.message(1, of: earlier).seq == 1)
        #expect(try await test.sessions.message(7, of: earlier).seq == 7)
        #expect(try await refusal { _ = try await test.sessions.message(4, of: earlier) } == .notFound)
        // Not listed twice, and resumed once.
        #expect(try await test.sessions.sessions(of: "p").map(\.id) == [earlier])
        #expect(try await test.sessions.resume(earlier).state == .active)
        #expect(test.agents.all.count == 1)
    }

    @Test func aPhoneLearnsThatTheOlderPartIsInTheHistory() async throws {
        _ = try await test.sessions.resume(earlier)
        try await test.run { [earlier] server async throws in
            try await test.phone(server, query: "?after=\(earlier):1") { phone async throws in
                _ = try await phone.sync()
                #expect(try await phone.next() == .gap(Gap(sessionId: earlier, from: 2, to: 3)))
                #expect(try await phone.next().position?.seq == 4)
            }
        }
    }

    @Test func projectsCountBothKindsOfSessions() async throws {
        var project = try await test.sessions.project("p")
        #expect(project.sessionCount == 1 && project.lastUsed == Timestamp("2020-01-01T00:00:00Z"))
        let (id, _) = try await test.session()
        _ = try await test.sessions.resume(earlier)
        project = try await test.sessions.project("p")
        #expect(project.sessionCount == 2 && project.lastUsed == test.now)
        #expect(try await test.sessions.allProjects() == [project])
        #expect(Set(try await test.sessions.sessions(of: "p").map(\.id)) == [id, earlier])
        #expect(try await refusal { _ = try await test.sessions.project("q") } == .projectNotFound)
    }

    /// The agent's real files.
    @Test func theFilesOfAnAgentAreReadThroughTheService() async throws {
        let (history, folder) = (try TemporaryFolder(), try TemporaryFolder())
        let id = "5d9c2f8a-1111-4222-8333-444455556666"
        let path = URL(filePath: folder.path).resolvingSymlinksInPath().path
        let key = String(path.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
        let records = (1...5).map { number in
            let parent = number == 1 ? "null" : "\"u\(number - 1)\""
            let (type, content) =
                number % 2 == 1 ? ("user", "\"p\(number)\"") : ("assistant", #"[{"type":"text","text":"a\#(number)"}]"#)
            return
                #"{"uuid":"u\#(number)","parentUuid":\#(parent),"type":"\#(type)","cwd":"\#(path)","timestamp":"2026-01-0\#(number)T00:00:00Z","message":{"role":"\#(type)","content":\#(content)}}"#
        }
        let files = history.url.appending(path: "projects/\(key)")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        try Data((records.joined(separator: "\n") + "\n").utf8).write(to: files.appending(path: "\(id).jsonl"))
        let catalog = ProjectCatalog(history: history.path, confirmed: { [path] }, salt: Data(repeating: 1, count: 32))
        let test = try await TestServer(projects: CatalogProjects(catalog))
        let project = try #require(try await test.sessions.allProjects().first)
        #expect(project.sessionCount == 1 && project.path == path)
        let session = try #require(try await test.sessions.sessions(of: project.id).first)
        #expect(session.id.rawValue == id && session.messageCount == 5 && session.projectId == project.id)
        let page = try await test.sessions.history(of: session.id, limit: 2, offset: 1, before: nil)
        #expect(texts(page) == ["3 p3", "4 a4"] && page.hasMore && page.totalCount == 5)
        #expect(try await test.sessions.resume(session.id).state == .active)
        #expect(try await test.record(session.id).folder == path)
        // What the agent adds to its file from now on is in our log.
        let more = #"{"uuid":"u6","parentUuid":"u5","type":"assistant","message":{"content":[{"type":"text","text":"ours"}]}}"#
        try Data((records.joined(separator: "\n") + "\n\(more)\n").utf8).write(to: files.appending(path: "\(id).jsonl"))
        #expect(texts(try await test.sessions.history(of: session.id, limit: 2, offset: 0, before: nil)) == ["4 a4", "5 p5"])
        #expect(try await test.sessions.project(project.id).sessionCount == 1)
        try await test.prompt("of this host", to: session.id)
        // The file was removed: the part that the host has logged is still there.
        try FileManager.default.removeItem(at: files.appending(path: "\(id).jsonl"))
        #expect(
            texts(try await test.sessions.history(of: session.id, limit: 9, offset: 0, before: nil)) == ["7 of this host"])
        #expect(
            try await refusal { _ = try await test.sessions.session("5d9c2f8a-1111-4222-8333-444455556667") } == .sessionNotFound)
    }
}
