import Foundation
import NetworkingKit
import SimBridgeWire
import WireKit

extension ModemManagerDriver {
    /// Reads new texts, reports them in order, and deletes stored ones from the modem.
    func pollTexts(_ modem: Modem) async throws {
        guard modem.hasTexts else { return }
        let ending = try await tool.run(["--output-json", "--modem", modem.path, "--messaging-list-sms"])
        if ending.errors.contains("no messaging capabilities") { return disableTexts(modem.path) }
        let paths = try tool.json(MMReplies.Texts.self, reading: ending).paths.sorted(by: Self.byNumber)
        let stored = stored[modem.path].map { $0.intersection(paths) } ?? Set(paths)
        self.stored[modem.path] = stored
        let isWhole = try await read(paths, in: modem)
        try await follow(paths, in: modem)

        var copies: [String: Int] = [:]
        func id(_ parts: [String]) -> String {
            // ModemManager numbers texts from 1 at each start, so the id is made of sender and time.
            let content = ([modem.source] + parts).joined(separator: "\u{1F}")
            let copy = copies[content, default: 0]
            copies[content] = copy + 1
            return "\(content)\u{1F}\(copy)"
        }
        var still = Set<IncomingText.ID>()
        var open: [String: (since: Date, wasStored: Bool)] = [:]
        var staying = 0
        var hasNewTexts = false
        // Complete texts come first, so that they arrive whatever is wrong with the others.
        for path in paths {
            guard let text = known[path] else { continue }
            switch text.content {
            case .received(let number, let body, let kind):
                let id = id([text.timestamp, number, body])
                let isNew = try await store(
                    IncomingText(
                        id: id, source: modem.source, sim: modem.slot, from: number, body: body, serviceCentreTime: text.time,
                        kind: kind), at: path)
                hasNewTexts = hasNewTexts || isNew
                if try await !delete(path, from: modem, id: id) {
                    still.insert(id)
                    staying += 1
                }
            case .delivery(let report):
                if !text.isStored { try await self.report(.delivery(report)) }
                known[path]?.isStored = true
                _ = try await delete(path, from: modem, id: nil)
            case .incomplete, .unreadable, .sent, .other: break
            }
        }
        for path in paths {
            guard let text = known[path], case .incomplete(let number, let isEmpty) = text.content else { continue }
            let id = id([text.timestamp, number, "incomplete"])
            let first = incomplete[id] ?? (since: now(), wasStored: stored.contains(path))
            guard isOverdue(text, first, isEmpty: isEmpty) else {
                open[id] = first
                staying += 1
                continue
            }
            let sender = number.isEmpty ? "an unknown number" : number
            let isNew = try await store(
                IncomingText(
                    id: id, source: modem.source, sim: modem.slot, from: number,
                    body: isEmpty ? "[An empty text]" : "[A text from \(sender) arrived incomplete: parts of it are missing.]",
                    serviceCentreTime: text.time, kind: isEmpty ? nil : .incomplete), at: path)
            hasNewTexts = hasNewTexts || isNew
            if try await !delete(path, from: modem, id: id) { still.insert(id) }
        }
        incomplete = incomplete.filter { !$0.key.hasPrefix(modem.source + "\u{1F}") }.merging(open) { $1 }
        try await reportMemory(staying, of: modem)
        still.formUnion(undeletable[modem.source] ?? [])
        guard isWhole, hasNewTexts || held[modem.source] != still else { return }
        held[modem.source] = still
        try await report(.held(source: modem.source, still))
    }

    /// Reads texts of a modem: new texts, then texts that may have changed, in the order of their last reads.
    ///
    /// - Returns: True if all texts were read.
    private func read(_ paths: [String], in modem: Modem) async throws -> Bool {
        // A path that is gone may come back with another text.
        known = known.filter { $1.modem != modem.path || paths.contains($0) }
        let new = paths.filter { known[$0] == nil }
        let open = paths.filter { known[$0]?.isOpen == true }
            .sorted { (known[$0]?.readCount ?? 0, $0) < (known[$1]?.readCount ?? 0, $1) }
        for path in (new + open).prefix(max(pace.texts, 1)) {
            // A text that cannot be read waits behind the others.
            let reply = try? await tool.json(MMReplies.Text.self, ["--sms", path])
            try Task.checkCancellation()
            var text = reply.map { KnownText($0.sms, in: modem) } ?? KnownText(content: .unreadable)
            if case .received(let number, "--", nil) = text.content { text.content = try await dashes(path, number) }
            readCount += 1
            text.readCount = readCount
            text.modem = modem.path
            text.isStored = known[path]?.isStored ?? false
            known[path] = text
        }
        return paths.allSatisfy { path in
            if let known = known[path], case .unreadable = known.content { false } else { known[path] != nil }
        }
    }

    /// Returns the content of a text that mmcli shows as `--`: these two characters, or a text that is empty at least so far.
    private func dashes(_ path: String, _ number: String) async throws -> KnownText.Content {
        let body = try await tool.body(of: path)
        return body.isEmpty ? .incomplete(number: number, isEmpty: true) : .received(number: number, body: body, kind: nil)
    }

    /// - Returns: True if the text was not stored before.
    private func store(_ text: IncomingText, at path: String) async throws -> Bool {
        guard known[path]?.isStored != true else { return false }
        try await report(.text(text))
        known[path]?.isStored = true
        return true
    }

    /// True if the missing parts of a text will not come any more.
    private func isOverdue(_ text: KnownText, _ first: (since: Date, wasStored: Bool), isEmpty: Bool) -> Bool {
        let age = Duration.seconds(now().timeIntervalSince(first.since))
        if age >= (isEmpty ? pace.emptyText : pace.missingParts) { return true }
        guard let time = text.time, now().timeIntervalSince(time.date) >= 86_400 else { return false }
        return age >= (first.wasStored ? pace.storedMissingParts : pace.oldMissingParts)
    }

    /// - Returns: True if the modem has deleted the text.
    private func delete(_ path: String, from modem: Modem, id: IncomingText.ID?) async throws -> Bool {
        guard try await delete(path, from: modem) else {
            // ModemManager may forget the text now, and list it again after its next start.
            if let id { undeletable[modem.source, default: []].insert(id) }
            return false
        }
        known[path] = nil
        return true
    }

    func delete(_ path: String, from modem: Modem) async throws -> Bool {
        try await tool.run(["--modem", modem.path, "--messaging-delete-sms=\(path)"]).code == 0
    }

    /// Reports once that a modem's memory, whose size ModemManager does not report, may be full and keep texts at the network.
    private func reportMemory(_ count: Int, of modem: Modem) async throws {
        if count < pace.heldTexts / 2 { fullModems.remove(modem.source) }
        guard count >= pace.heldTexts, fullModems.insert(modem.source).inserted else { return }
        try await report(
            .warning(
                "The memory of SIM \(modem.slot) may be full: \(count) texts in it lack parts or cannot be removed. Further texts wait at the network."
            ))
    }
}
