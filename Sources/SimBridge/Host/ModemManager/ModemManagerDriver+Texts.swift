import Foundation
import NetworkingKit
import SimBridgeWire

/// A text of a modem that was read.
struct KnownText: Sendable {
    /// nil for a text that was not received, or that lacks parts.
    var text: (number: String, body: String, timestamp: String)?
    var isComplete: Bool
    /// The text is stored, but could not be deleted from the modem.
    var isStored = false
}

extension ModemManagerDriver {
    /// Reads new texts, reports them in order, and deletes stored ones from the modem.
    func pollTexts(_ modem: Modem) async throws {
        let paths = try await tool.json(MMReplies.Texts.self, ["--modem", modem.path, "--messaging-list-sms"]).paths
            .sorted(by: Self.byNumber)
        var budget = pace.texts
        var isWhole = true
        for path in paths where known[path]?.isComplete != true {
            guard budget > 0 else {
                isWhole = false
                break
            }
            budget -= 1
            // A text that is gone or cannot be read: the next poll decides.
            guard let reply = try? await tool.json(MMReplies.Text.self, ["--sms", path]) else {
                isWhole = false
                continue
            }
            known[path] = Self.read(reply.sms)
        }
        try Task.checkCancellation()

        var copies: [String: Int] = [:]
        var still = Set<IncomingText.ID>()
        var hasNewTexts = false
        for path in paths {
            guard var known = known[path], known.isComplete, let text = known.text else { continue }
            // ModemManager numbers texts from 1 at each start, so the id is made of sender and time.
            let content = [modem.source, text.timestamp, text.number, text.body].joined(separator: "\u{1F}")
            let copy = copies[content, default: 0]
            copies[content] = copy + 1
            let id = "\(content)\u{1F}\(copy)"
            if !known.isStored {
                try await report(
                    .text(IncomingText(id: id, source: modem.source, sim: modem.slot, from: text.number, body: text.body)))
                known.isStored = true
                hasNewTexts = true
                self.known[path] = known
            }
            if try await delete(path, from: modem) {
                self.known[path] = nil
            } else {
                still.insert(id)
            }
        }
        guard isWhole, hasNewTexts || held[modem.source] != still else { return }
        held[modem.source] = still
        try await report(.held(source: modem.source, still))
    }

    private static func read(_ sms: MMReplies.Text.Body) -> KnownText {
        guard ["deliver", "cdma-deliver"].contains(sms.properties.kind) else { return KnownText(text: nil, isComplete: true) }
        switch sms.properties.state {
        case "received":
            // `--` is no text, or the text `--`.
            let data = MMReplies.value(sms.content.data)
            let body = sms.content.text == "--" ? data.map { "[A message without text: \($0)]" } ?? "--" : sms.content.text
            return KnownText(
                text: (MMReplies.value(sms.content.number) ?? "", body, sms.properties.timestamp), isComplete: true)
        // Parts are still missing.
        case "receiving", "unknown": return KnownText(text: nil, isComplete: false)
        default: return KnownText(text: nil, isComplete: true)
        }
    }

    /// - Returns: True if the modem has deleted the text.
    private func delete(_ path: String, from modem: Modem) async throws -> Bool {
        try await tool.run(["--modem", modem.path, "--messaging-delete-sms=\(path)"]).code == 0
    }

    package func sendText(_ body: String, to number: String, sim: Int) async throws {
        let number = try PhoneNumber.dialable(number)
        let modem = try await modem(sim)
        let path = try await tool.createText(body, to: number, modem: modem.path)
        known[path] = KnownText(text: nil, isComplete: true)
        do {
            try await send(path)
        } catch let error as TelephonyError {
            if case .outcomeUnknown = error {
                // The modem may have another state by now.
                let state = try? await tool.json(MMReplies.Text.self, ["--sms", path]).sms.properties.state
                guard state == "sent" else { throw error }
            } else {
                // Otherwise it stays in the modem's memory.
                _ = try await delete(path, from: modem)
                throw error
            }
        }
        _ = try await delete(path, from: modem)
    }

    private func send(_ path: String) async throws {
        let ending = try await start(["--sms", path, "--send"])
        switch ending.code {
        case 0: return
        case nil: throw TelephonyError.outcomeUnknown("mmcli ended while it sent the text")
        default:
            if Self.isOpen(ending) {
                throw TelephonyError.outcomeUnknown("The modem did not report whether the network accepted the text")
            }
            throw TelephonyError.refused(ending.complaint)
        }
    }

    /// Runs an action that cannot be undone.
    ///
    /// - Throws: ``TelephonyError/outcomeUnknown(_:)`` when it takes too long.
    func start(_ arguments: [String]) async throws -> MMCLI.Ending {
        let (tool, limit) = (tool, pace.sending)
        // Its own timeout comes first, so that it can report it.
        let seconds = max(limit.components.seconds, 1)
        do {
            return try await withTimeout(limit + .seconds(5), clock: clock) {
                try await tool.run(arguments + ["--timeout=\(seconds)"])
            }
        } catch is TransportError {
            throw TelephonyError.outcomeUnknown("The modem did not answer")
        }
    }

    /// True if the action may have succeeded although its answer was lost.
    static func isOpen(_ ending: MMCLI.Ending) -> Bool {
        ["Timeout was reached", "NoReply", "Disconnected", "connection is closed", "Message recipient disconnected"]
            .contains { ending.errors.localizedCaseInsensitiveContains($0) }
    }
}
