import EndlessCodeProjects
import Foundation
import TestKit
import Testing
import WireKit

@Suite(.seeded) struct EarlierSessionTests {
    // MARK: Recordings

    @Test func recordedToolsAndTheirResultsAreRead() async throws {
        let history = try HistoryScratch()
        try history.write(try HistoryScratch.recording("bash-and-edit"))

        let page = try await history.messages()

        #expect(
            page.messages.map(\.content.short) == [
                "user: go on", "use toolu_1: Bash", "result toolu_1: a\nb", "use toolu_2: Read", "result toolu_2: 1\ta\n2\tb\n3\t",
                "use toolu_3: Edit",
                "result toolu_3: The file \(history.scratch.inside.path)/list.txt has been updated successfully. "
                    + "(file state is current in your context — no need to Read it back)",
                "agent: Edited.",
            ])
        #expect(page.messages.map(\.number) == Array(1...8))
        #expect((page.totalCount, page.hasMore) == (8, false))
        #expect(page.messages[0].time == Timestamp("2026-11-21T00:31:10.317Z"))
        #expect(page.messages[0].id == "3408bf66-8cda-47e4-a934-13a2a1dc318a.0")
        guard case .toolUse(_, _, let input) = page.messages[1].content else { return #expect(Bool(false)) }
        #expect(
            input
                == .object([
                    "command": .string("printf 'a\\nb\\n' > list.txt; cat list.txt"), "description": .string("make a list"),
                ]))
    }

    @Test func recordedTurnsAreRead() async throws {
        let history = try HistoryScratch()
        try history.write(try HistoryScratch.recording("two-turns"))

        #expect(try await history.texts() == ["user: go on", "agent: First.", "user: and again", "agent: Second."])
        let catalog = history.catalog()
        let project = try #require(await catalog.projects().first)
        let session = try #require(try await catalog.sessions(of: project.id).first)
        #expect((session.id, session.messageCount) == (HistoryScratch.session, 4))
        #expect(session.createdAt < session.lastActiveAt && session.createdAt.description.hasPrefix("2026-11-21T00:31:13"))
    }

    // MARK: The chain

    @Test func theConversationIsTheChainOfTheNewestLeaf() async throws {
        let history = try HistoryScratch()
        // The user went back to `a` and asked again. The lines are not in the order of time.
        try history.write([
            HistoryScratch.text("a", after: nil, seconds: 1), HistoryScratch.text("d", after: "c", "assistant", seconds: 9),
            HistoryScratch.text("b1", after: "a", "assistant", seconds: 2), HistoryScratch.text("c", after: "a", seconds: 8),
            HistoryScratch.text("b2", after: "b1", seconds: 3),
        ])

        #expect(try await history.texts() == ["user: a", "user: c", "agent: d"])
    }

    @Test func compactedConversationsGoOnBeforeTheBoundary() async throws {
        let history = try HistoryScratch()
        try history.write([
            HistoryScratch.text("a", after: nil), HistoryScratch.text("b", after: "a", "assistant"),
            #"{"parentUuid":null,"logicalParentUuid":"b","type":"system","subtype":"compact_boundary","uuid":"x"}"#,
            HistoryScratch.text("summary", after: "x", further: #""isCompactSummary":true,"#),
            HistoryScratch.text("c", after: "summary"),
        ])

        #expect(try await history.texts() == ["user: a", "agent: b", "user: c"])
    }

    /// Tool uses of one message are records of their own, and their results are branches.
    @Test func parallelToolsAreAllShown() async throws {
        let history = try HistoryScratch()
        func use(_ id: String, after parent: String) -> String {
            HistoryScratch.record(
                id, after: parent, "assistant", content: #"[{"type":"tool_use","id":"\#(id)","name":"T","input":{}}]"#
            )
            .replacing("\"msg-\(id)\"", with: "\"msg\"")
        }
        func result(_ id: String, after parent: String) -> String {
            HistoryScratch.record(
                "r\(id)", after: parent, content: #"[{"type":"tool_result","tool_use_id":"\#(id)","content":"ok"}]"#,
                further: #""toolUseResult":{},"#)
        }
        let start = HistoryScratch.text("a", after: nil)
        let expected: Set = ["user: a", "use 1: T", "use 2: T", "result 1: ok", "result 2: ok", "agent: end"]
        for parents in [("1", "r2"), ("1", "r1")] {
            try history.write([
                start, use("1", after: "a"), use("2", after: parents.0), result("1", after: "1"), result("2", after: "2"),
                HistoryScratch.text("end", after: parents.1, "assistant"),
            ])
            let texts = try await history.texts()
            #expect(Set(texts) == expected && texts.count == 6 && texts.last == "agent: end")
        }
        // An abandoned branch is no part of the message.
        try history.write([
            start, use("1", after: "a"), result("1", after: "1"), HistoryScratch.text("old", after: "r1", "assistant"),
            HistoryScratch.text("new", after: "r1", "assistant"),
        ])
        #expect(try await history.texts() == ["user: a", "use 1: T", "result 1: ok", "agent: new"])
    }

    @Test func hiddenRecordsAreLinksOfTheChainOnly() async throws {
        let history = try HistoryScratch()
        try history.write([
            HistoryScratch.text("meta", after: nil, further: #""isMeta":true,"#),
            HistoryScratch.text("a", after: "meta", further: #""isSidechain":false,"#),
            HistoryScratch.text("side", after: "a", "assistant", further: #""isSidechain":true,"#),
            HistoryScratch.record(
                "t", after: "a", "assistant", content: #"[{"type":"thinking","thinking":"hm"},{"type":"text","text":" \n"}]"#),
            #"{"type":"progress","uuid":"p","parentUuid":"t"}"#,
            #"{"type":"attachment","uuid":"q","parentUuid":"p","attachment":{"type":"queued_command","prompt":"while you work"}}"#,
            #"{"type":"attachment","uuid":"n","parentUuid":"q","attachment":{"type":"queued_command","commandMode":"task-notification","prompt":"x"}}"#,
            #"{"type":"summary","summary":"title","leafUuid":"a"}"#, HistoryScratch.text("b", after: "n", "assistant"),
        ])

        #expect(try await history.texts() == ["user: a", "user: while you work", "agent: b"])
    }

    @Test func aLostParentIsReplacedByTheRecordBefore() async throws {
        let history = try HistoryScratch()
        try history.write([
            HistoryScratch.text("a", after: "in another file"), "{\"uuid\":\"b\",\"parentUuid\":\"a\",\"mess",
            HistoryScratch.text("c", after: "b"),
        ])

        #expect(try await history.texts() == ["user: a", "user: c"])
    }

    @Test func circlesEnd() async throws {
        let history = try HistoryScratch()
        try history.write([
            HistoryScratch.text("a", after: "c"), HistoryScratch.text("b", after: "a"), HistoryScratch.text("c", after: "b"),
            HistoryScratch.text("d", after: "d"),
        ])
        // The newest record is its own parent.
        #expect(try await history.texts() == ["user: d"])
        try history.write([HistoryScratch.text("a", after: "b"), HistoryScratch.text("b", after: "a")])
        #expect(try await history.texts().count == 2)
    }

    // MARK: Content

    @Test func questionsAndOtherBlocksAreRead() async throws {
        let history = try HistoryScratch()
        let blocks = [
            #"{"type":"tool_use","id":"q","name":"AskUserQuestion","input":{"questions":[{"question":"Which?","header":"h","multiSelect":true,"options":[{"label":"A","description":"first"},{"label":"B"}]},{"question":"Why?"}]}}"#,
            #"{"type":"tool_use","id":"e","name":"AskUserQuestion","input":{}}"#, #"{"type":"image","source":{}}"#,
            #"{"type":"server_tool_use"}"#,
            #"{"type":"tool_result","tool_use_id":"1","is_error":true,"content":[{"type":"text","text":"one"},{"type":"image"},{"type":"text","text":"two"}]}"#,
            #"{"type":"tool_result","tool_use_id":"2","content":null}"#, #"{"type":"tool_use","id":"n"}"#,
            #"{"type":"text","text":"\ud83d\udc4b\ud83d é"}"#,
            "7", "null",
        ]
        try history.write([HistoryScratch.record("a", after: nil, "assistant", content: "[\(blocks.joined(separator: ","))]")])

        let messages = try await history.messages().messages
        #expect(
            messages.map(\.content.short) == [
                #"question: Which? ["A", "B"]*"#, "question: Why? []", "use e: AskUserQuestion",
                #"unknown: {"type":"image","source":{}}"#,
                "error 1: one\n[image]\ntwo", "result 2: ", #"unknown: {"type":"tool_use","id":"n"}"#, "agent: 👋\u{fffd} é",
            ])
        #expect(Set(messages.map(\.id)).count == 8 && messages[1].id == "a.1")
    }

    @Test func largeTextsAreCutAndMarked() async throws {
        let history = try HistoryScratch()
        let large = String(repeating: "가", count: HistoryMessage.maximumSize / 3 + 1)
        try history.write([
            HistoryScratch.record("a", after: nil, content: "\"\(large)\""),
            HistoryScratch.record(
                "b", after: "a", "assistant", content: #"[{"type":"tool_use","id":"1","name":"T","input":{"x":"\#(large)"}}]"#),
            HistoryScratch.record("c", after: "b", content: #"[{"type":"tool_result","tool_use_id":"1","content":"\#(large)"}]"#),
            HistoryScratch.record("d", after: "c", content: "\"\(large.dropLast(10))\""),
        ])

        let messages = try await history.messages().messages
        #expect(messages.map(\.isCut) == [true, true, true, false])
        for message in messages.dropLast() {
            #expect((HistoryMessage.previewSize - 20...HistoryMessage.previewSize + 20).contains(message.content.short.utf8.count))
        }
        #expect(!messages[0].content.short.contains("\u{fffd}"))
        #expect(messages[3].content == .text(.user, String(large.dropLast(10))))
    }

    // MARK: Pages

    @Test func pagesFromTheNewestCoverEachMessageOnce() async throws {
        let history = try HistoryScratch()
        var lines = [HistoryScratch.text("0", after: nil)]
        for number in 1..<50 {
            let blocks = (0..<number % 4).map { #"{"type":"text","text":"\#(number)-\#($0)"}"# }.joined(separator: ",")
            lines.append(HistoryScratch.record("\(number)", after: "\(number - 1)", "assistant", content: "[\(blocks)]"))
        }
        try history.write(lines)
        let catalog = history.catalog()
        let all = try await history.messages()
        #expect(all.messages.map(\.number) == Array(1...all.totalCount) && all.totalCount == 74)

        for limit in [5, 73, 74, 1_000] {
            var collected: [HistoryMessage] = []
            var page = try await history.messages(limit: limit, catalog)
            while true {
                collected = page.messages + collected
                #expect(page.totalCount == all.totalCount && page.messages.count <= limit)
                guard page.hasMore else { break }
                let byNumber = try await history.messages(limit: limit, before: collected[0].number, catalog)
                page = try await history.messages(limit: limit, offset: collected.count, catalog)
                #expect(byNumber == page)
            }
            #expect(collected == all.messages)
        }
        #expect(try await history.messages(offset: .max).messages.isEmpty)
        #expect(try await history.messages(before: .max).messages.count == 74)
        #expect(try await history.messages(before: 1).messages.isEmpty)
        for (limit, before, offset) in [(0, nil, 0), (1_001, nil, 0), (1, 0, 0), (1, nil, -1)] as [(Int, Int?, Int)] {
            await #expect(throws: ProjectError.self) { try await history.messages(limit: limit, before: before, offset: offset) }
        }
    }

    @Test func pagesOfLargeRecordsAreShort() async throws {
        let history = try HistoryScratch()
        let text = String(repeating: "x", count: 1_000_000)
        try history.write(
            (0..<12).map { HistoryScratch.record("\($0)", after: $0 == 0 ? nil : "\($0 - 1)", content: "\"\(text)\"") })

        let page = try await history.messages()
        #expect((page.messages.count, page.totalCount, page.hasMore) == (8, 12, true))
        let rest = try await history.messages(before: page.messages[0].number)
        #expect((rest.messages.map(\.number), rest.hasMore) == (Array(1...4), false))
    }

    @Test func appendedRecordsAppear() async throws {
        let history = try HistoryScratch()
        try history.write([HistoryScratch.text("a", after: nil)])
        let catalog = history.catalog()
        let project = try #require(await catalog.projects().first)
        #expect(try await catalog.messages(of: HistoryScratch.session, in: project.id).totalCount == 1)
        #expect(try await catalog.sessions(of: project.id).map(\.messageCount) == [1])

        try history.write([HistoryScratch.text("a", after: nil), HistoryScratch.text("b", after: "a")])

        #expect(try await catalog.messages(of: HistoryScratch.session, in: project.id).totalCount == 2)
        #expect(try await catalog.sessions(of: project.id).map(\.messageCount) == [2])
    }

    // MARK: Damaged files

    @Test func halfWrittenLastLinesAreIgnored() async throws {
        let history = try HistoryScratch()
        let lines = try HistoryScratch.recording("two-turns")
        let whole = Data(
            lines.map { $0.replacing("/home/dev/project", with: history.scratch.inside.path) }.joined(separator: "\n").utf8)
        let file = history.sessions.appending(path: "\(HistoryScratch.session).jsonl")
        var counts: Set<Int> = []
        for length in stride(from: whole.count, to: 2_000, by: -397) {
            try whole.prefix(length).write(to: file)
            counts.insert(try await history.messages().totalCount)
        }
        #expect(counts == [1, 2, 3, 4])
    }

    // MARK: Large and broken files

    private static let others = (0..<300).map { EarlierSession.ID(String(format: "11111111-1111-4111-8111-%012x", $0)) }

    /// A file of zeros, with records at its beginning and at its end.
    private func sparse(_ history: HistoryScratch, _ size: Int64, _ records: [String] = []) throws {
        let lines = records.map { $0.replacing("/home/dev/project", with: history.scratch.inside.path) }
        let file = history.sessions.appending(path: "\(HistoryScratch.session).jsonl")
        try Data(lines.prefix(1).map { $0 + "\n" }.joined().utf8).write(to: file)
        try #require(truncate(file.path, off_t(size)) == 0)
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(("\n" + lines.dropFirst().map { $0 + "\n" }.joined()).utf8))
        try handle.close()
    }

    @Test func sparseFileOf64GibibytesBlocksNoList() async throws {
        let history = try HistoryScratch()
        let record = HistoryScratch.text("a", after: nil, seconds: 1)
        try history.write([record], to: Self.others[0])
        try sparse(history, 64 << 30)
        let catalog = history.catalog(added: [history.scratch.inside.path])
        let project = try #require(await catalog.projects().first)
        #expect(try await within { try await catalog.sessions(of: project.id) }.map(\.id) == [Self.others[0]])
        #expect(try await within { try await catalog.messages(of: Self.others[0], in: project.id) }.messages.count == 1)
        // The file itself costs its last part.
        try await within { await catalog.settle() }
        #expect(try await within { await catalog.session(HistoryScratch.session) } == nil)
    }

    @Test func largeFileHasAnOutlineAndThenItsNewestMessages() async throws {
        let history = try HistoryScratch()
        let lines = [
            HistoryScratch.text("a", after: nil, seconds: 1), HistoryScratch.text("b", after: "a", seconds: 2),
            HistoryScratch.text("c", after: "b", seconds: 3),
        ]
        try sparse(history, 512 << 20, lines)
        let catalog = history.catalog(added: [history.scratch.inside.path])
        let project = try #require(await catalog.projects().first)
        let listed = try #require(try await within { try await catalog.sessions(of: project.id) }.first)
        #expect(listed.isOutline && listed.createdAt < listed.lastActiveAt)
        try await within { await catalog.settle() }
        let read = try #require(try await catalog.sessions(of: project.id).first)
        #expect(!read.isOutline && read.messageCount == 2 && read.lastActiveAt == listed.lastActiveAt)
        #expect(try await history.messages(catalog).messages.count == 2)
    }

    @Test func listOfManySessionsDoesNotWaitForAllOfThem() async throws {
        let history = try HistoryScratch()
        let filling = String(repeating: "x", count: 8_000)
        for id in Self.others {
            try history.write(
                [
                    HistoryScratch.record("a", after: nil, content: "\"\(filling)\"", seconds: 1),
                    HistoryScratch.record("b", after: "a", content: "\"b\"", seconds: 2),
                ], to: id)
        }
        let catalog = history.catalog(added: [history.scratch.inside.path])
        let project = try #require(await catalog.projects().first)
        let listed = try await catalog.sessions(of: project.id)
        #expect(listed.count == Self.others.count && listed.contains(where: \.isOutline) && listed.contains { !$0.isOutline })
        await catalog.settle()
        let read = try await catalog.sessions(of: project.id)
        #expect(read.allSatisfy { !$0.isOutline && $0.messageCount == 2 })
        #expect(read.map(\.createdAt) == listed.map(\.createdAt) && read.map(\.lastActiveAt) == listed.map(\.lastActiveAt))
    }

    @Test func entriesThatAreNoSessionsAreSkipped() async throws {
        let history = try HistoryScratch()
        try history.write([HistoryScratch.text("a", after: nil, seconds: 1)], to: Self.others[0])
        func path(_ index: Int) -> String { history.sessions.appending(path: "\(Self.others[index]).jsonl").path }
        try #require(mkfifo(path(1), 0o600) == 0)
        try FileManager.default.createDirectory(atPath: path(2), withIntermediateDirectories: true)
        try #require(symlink(path(3), path(3)) == 0)
        try #require(symlink(path(5), path(4)) == 0 && symlink(path(4), path(5)) == 0)
        try #require(symlink("/dev/zero", path(6)) == 0)
        try Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 37 | 0x80) }).write(to: URL(filePath: path(7)))
        try Data(String(repeating: "[", count: 3_000_000).utf8).write(to: URL(filePath: path(8)))
        let catalog = history.catalog(added: [history.scratch.inside.path])
        let project = try #require(try await within { await catalog.projects() }.first)
        #expect(try await within { try await catalog.sessions(of: project.id) }.map(\.id) == [Self.others[0]])
        try await within { await catalog.settle() }
        #expect(try await catalog.sessions(of: project.id).map(\.id) == [Self.others[0]])
    }

    @Test func fileThatShrinksAfterItsIndexGivesUnknownMessages() async throws {
        let history = try HistoryScratch()
        try history.write((0..<50).map { HistoryScratch.text("m\($0)", after: $0 == 0 ? nil : "m\($0 - 1)", seconds: $0) })
        let catalog = history.catalog(added: [history.scratch.inside.path])
        #expect(try await history.messages(catalog).messages.count == 50)
        let file = history.sessions.appending(path: "\(HistoryScratch.session).jsonl")
        for size in [2_000, 100, 0] {
            try #require(truncate(file.path, off_t(size)) == 0)
            let project = try #require(await catalog.projects().first)
            _ = try? await catalog.messages(of: HistoryScratch.session, in: project.id)
            _ = try await catalog.sessions(of: project.id)
        }
    }

    @Test func mutatedFilesAreRead() async throws {
        let history = try HistoryScratch()
        let corpus = try ["two-turns", "bash-and-edit"].map { name in
            Data(
                try HistoryScratch.recording(name).map {
                    $0.replacing("/home/dev/project", with: history.scratch.inside.path) + "\n"
                }.joined().utf8)
        }
        let file = history.sessions.appending(path: "\(HistoryScratch.session).jsonl")
        // Keeps the project known whatever becomes of the session.
        let catalog = history.catalog(added: [history.scratch.inside.path])

        try await fuzz(corpus, count: Effort.count(100, soak: 50_000)) { input in
            try input.write(to: file)
            let project = try #require(await catalog.projects().first { $0.path == history.scratch.inside.path })
            let sessions = try await catalog.sessions(of: project.id)
            guard let page = try? await catalog.messages(of: HistoryScratch.session, in: project.id) else { return }
            try #require(page.messages.map(\.number) == Array(1..<page.totalCount + 1))
            try #require(sessions.first?.messageCount ?? 0 == page.totalCount)
        }
    }

    @Test func hostileLinesAreSkipped() async throws {
        let history = try HistoryScratch()
        let deep = String(repeating: "[", count: 200_000)
        let nested = String(repeating: #"{"a":"#, count: 100) + "1" + String(repeating: "}", count: 100)
        try history.write([
            HistoryScratch.text("a", after: nil), "", "null", "[]", "7", "\"", deep, "{\"uuid\":\"x\",\"message\":\(deep)",
            "\u{0}\u{1}", #"{"uuid":7}"#,
            #"{"uuid":"y","parentUuid":"a","type":"user","message":7,"timestamp":"+999999-99-99T99:99:99Z"}"#,
            HistoryScratch.record(
                "b", after: "y", "assistant", content: #"[{"type":"tool_use","id":"1","name":"T","input":\#(nested)}]"#),
            HistoryScratch.record(
                "c", after: "b", "assistant", content: #"[{"type":"tool_use","id":"1","name":"T","input":{"n":1e999}}]"#),
        ])

        let texts = try await history.texts()
        #expect(texts.count == 3 && texts[0] == "user: a" && texts.dropFirst().allSatisfy { $0.hasPrefix("unknown: {") })
    }

    @Test func linesBeyondTheLimitAreSkippedWithBoundedMemory() async throws {
        let history = try HistoryScratch()
        let file = history.sessions.appending(path: "\(HistoryScratch.session).jsonl")
        try history.write([HistoryScratch.text("a", after: nil, seconds: 1)])
        let handle = try FileHandle(forWritingTo: file)
        // A line of 100 MB that takes no space.
        try handle.truncate(atOffset: 100_000_000)
        try handle.seekToEnd()
        let cwd = history.scratch.inside.path
        try handle.write(
            contentsOf: Data(
                "\n\(HistoryScratch.text("b", after: "lost", seconds: 2).replacing("/home/dev/project", with: cwd))\n".utf8))
        try handle.close()

        #expect(try await history.texts() == ["user: a", "user: b"])
    }
}
