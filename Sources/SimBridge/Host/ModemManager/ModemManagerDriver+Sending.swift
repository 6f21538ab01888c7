import Foundation
import SimBridgeWire

/// A text that this program has created in a modem.
struct OutgoingText: Sendable {
    var modem: String
    /// The time since which the outcome is unknown; nil while the text is being sent.
    var unknownSince: Date?
}

extension ModemManagerDriver {
    @discardableResult
    package func sendText(_ body: String, to number: String, sim: Int) async throws -> TextReceipt? {
        let number = try PhoneNumber.dialable(number)
        let modem = try await modem(sim)
        do {
            return try await send(body, to: number, wantsReport: true, by: modem)
        } catch TelephonyError.refused(let why) where Self.refusesReports(why) {
            return try await send(body, to: number, wantsReport: false, by: modem)
        }
    }

    /// True for the errors of networks that offer no delivery reports: facility rejected, not subscribed, not implemented.
    ///
    /// Source: 3GPP TS 27.005, section 3.2.5.
    private static func refusesReports(_ complaint: String) -> Bool {
        ["29", "50", "69"].contains { complaint.hasSuffix("message error: \($0)") }
    }

    private func send(_ body: String, to number: String, wantsReport: Bool, by modem: Modem) async throws -> TextReceipt? {
        let path = try await tool.createText(body, to: number, wantsReport: wantsReport, modem: modem.path)
        outgoing[path] = OutgoingText(modem: modem.path)
        let partCount = max(TextSegments(body).count, 1)
        do {
            try await send(path, within: pace.sending + pace.part * (partCount - 1))
        } catch TelephonyError.outcomeUnknown(let why) {
            // The modem may know more by now; otherwise its texts are read again.
            if let receipt = try await sentText(path, in: modem) {
                try await forget(path, in: modem)
                return receipt.receipt
            }
            outgoing[path]?.unknownSince = now()
            throw TelephonyError.outcomeUnknown(why)
        } catch let error as TelephonyError {
            // A text that is not deleted stays in the modem.
            try await forget(path, in: modem)
            throw error
        }
        let receipt = try await sentText(path, in: modem)?.receipt
        try await forget(path, in: modem)
        return wantsReport ? receipt : nil
    }

    private func forget(_ path: String, in modem: Modem) async throws {
        // The text is deleted first: a poll in between must not mistake it for a text of an earlier run.
        _ = try await delete(path, from: modem)
        outgoing[path] = nil
        known[path] = nil
    }

    /// - Returns: nil unless the modem knows that the text was sent.
    private func sentText(_ path: String, in modem: Modem) async throws -> AcceptedText? {
        let reply = try? await tool.json(MMReplies.Text.self, ["--sms", path])
        try Task.checkCancellation()
        guard let reply, case .sent(let text) = KnownText(reply.sms, in: modem).content else { return nil }
        return text
    }

    private func send(_ path: String, within limit: Duration) async throws {
        let ending = try await start(["--sms", path, "--send"], within: limit)
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

    /// Reports texts with an unknown outcome that their modem has sent meanwhile, of this run and of earlier runs.
    func follow(_ paths: [String], in modem: Modem) async throws {
        for (path, text) in outgoing where text.modem == modem.path {
            guard let since = text.unknownSince else { continue }
            if let sent = try await sentText(path, in: modem) {
                try await report(.accepted(sent))
                try await forget(path, in: modem)
            } else if !paths.contains(path) || Duration.seconds(now().timeIntervalSince(since)) >= pace.unknownOutcome {
                try await forget(path, in: modem)
            }
        }
        for path in paths where outgoing[path] == nil {
            guard let text = known[path], case .sent(let sent) = text.content, !text.isStored else { continue }
            try await report(.accepted(sent))
            known[path]?.isStored = true
        }
    }
}
