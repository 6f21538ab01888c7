import Foundation
package import SimBridgeWire

/// Service codes. Source: mmcli(1), "USSD options"; 3GPP TS 22.090.
extension ModemManagerDriver {
    package func dial(_ code: ServiceCode, sim: Int, reference: Int64?) async throws -> String {
        let modem = try await modem(sim)
        if code.asksForIdentity { return modem.identity }
        // The network accepts no further code while a menu or an earlier code is unanswered.
        let state = try await codeState(of: modem)
        if notices[modem.path] == nil { notices[modem.path] = state }
        if state.status != "idle" { _ = try await cancelCode(of: modem.path) }
        return try await exchange("--3gpp-ussd-initiate=\(code.text)", modem, reference)
    }

    package func reply(_ text: String, sim: Int) async throws -> String {
        let modem = try await modem(sim)
        guard try await codeState(of: modem).status == "user-response" else {
            throw TelephonyError.refused("The network waits for no answer; dial the service code again")
        }
        return try await exchange("--3gpp-ussd-respond=\(text)", modem, nil)
    }

    /// Sends a service code or an answer to the network, and returns the network's message.
    private func exchange(_ option: String, _ modem: Modem, _ reference: Int64?) async throws -> String {
        if let reference { codes[reference] = modem.path }
        defer { if let reference { codes[reference] = nil } }
        let ending: MMCLI.Ending
        do {
            ending = try await start(["--modem", modem.path, option], within: pace.code)
        } catch let error as TelephonyError {
            _ = try await cancelCode(of: modem.path)
            throw error
        }
        // The reply contains the answer. A notice that repeats the answer does not count.
        if ending.code == 0, let answer = Self.answer(in: ending.output) { return answer }
        if ending.code == nil || Self.isOpen(ending) {
            _ = try await cancelCode(of: modem.path)
            throw TelephonyError.outcomeUnknown("The network did not answer the service code")
        }
        // Some networks end the exchange first, and send the text afterwards.
        if ending.errors.contains("terminated by network"), let late = try await newNotice(of: modem) { return late }
        if ending.errors.contains("Cannot decode USSD response") { return "The network has carried out the code." }
        throw TelephonyError.refused(
            ending.errors.contains("NotSupported") ? "The network does not know this code" : ending.complaint)
    }

    /// Returns the text in quotes after `new reply from network: `; nil if there is none.
    private static func answer(in output: String) -> String? {
        guard let begin = output.range(of: "network: '"), let end = output.range(of: "'", options: .backwards),
            begin.upperBound <= end.lowerBound
        else { return nil }
        return NetworkText.decoded(String(output[begin.upperBound..<end.lowerBound]))
    }

    private func codeState(of modem: Modem) async throws -> MMReplies.ServiceCodeState {
        try await tool.json(MMReplies.ServiceCodes.self, ["--modem", modem.path, "--3gpp-ussd-status"]).modem.network.ussd
    }

    /// - Returns: True if there was a service code to cancel.
    func cancelCode(of modem: String) async throws -> Bool {
        try await tool.run(["--modem", modem, "--3gpp-ussd-cancel"]).code == 0
    }

    /// Reports what the network has sent by itself since the last poll.
    func pollNotices(_ modem: Modem) async throws {
        // A modem without service codes has no notices. While this program waits for an answer, the message is the answer.
        guard !codes.values.contains(modem.path), let text = try await newNotice(of: modem) else { return }
        try await report(.notice(text, sim: modem.slot))
    }

    /// Returns the network's message if it has changed since the last poll; nil at the first poll, when its age is unknown.
    private func newNotice(of modem: Modem) async throws -> String? {
        guard let state = try? await codeState(of: modem) else { return nil }
        guard let before = notices.updateValue(state, forKey: modem.path) else { return nil }
        if state.notification != before.notification, let text = MMReplies.value(state.notification) {
            return NetworkText.decoded(text)
        }
        if state.request != before.request, state.status == "user-response", let text = MMReplies.value(state.request) {
            return NetworkText.decoded(text)
        }
        return nil
    }
}
