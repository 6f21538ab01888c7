import SimBridgeWire

extension ModemManagerDriver {
    /// Reads the current calls, reports changes, and deletes ended calls from the modem.
    func pollCalls(_ modem: Modem) async throws {
        guard modem.hasVoice else { return }
        let ending = try await tool.run(["--output-json", "--modem", modem.path, "--voice-list-calls"])
        if ending.errors.contains("no voice capabilities") { return disableVoice(modem.path) }
        let paths = try tool.json(MMReplies.Calls.self, reading: ending).paths.sorted(by: Self.byNumber)
        for path in paths {
            guard let reply = try? await tool.json(MMReplies.Call.self, ["--call", path]).call.properties else { continue }
            try await report(reply, path: path, modem: modem)
        }
        unnamedCalls = unnamedCalls.filter { paths.contains($0) || calls[$0] != nil }
        // A call that the modem does not list any more has ended.
        for (path, call) in calls where call.sim == modem.slot && !paths.contains(path) {
            calls[path] = nil
            try await report(.call(ended(call, reason: nil)))
        }
        try Task.checkCancellation()
    }

    private func report(_ call: MMReplies.Call.Properties, path: String, modem: Modem) async throws {
        guard let state = Self.state(call.state) else { return }
        let before = calls[path]
        var now =
            before
            ?? TelephonyCall(
                id: path, sim: modem.slot, number: "", direction: call.direction == "incoming" ? .incoming : .outgoing, state: state
            )
        now.state = state
        now.isKnown = before != nil
        // The number of a caller may follow the first ring.
        if now.number.isEmpty, let number = MMReplies.value(call.number) { now.number = number }
        if state == .ended {
            now = ended(now, reason: call.reason)
            calls[path] = nil
            // The modem need not keep a call whose end was read.
            _ = try await tool.run(["--modem", modem.path, "--voice-delete-call=\(path)"])
            // A call that ended before it was first seen is reported only if it was incoming.
            if before == nil {
                guard now.direction == .incoming else { return }
                var rang = now
                (rang.state, rang.reason) = (.ringing, nil)
                try await report(.call(rang))
                now.isKnown = true
            }
        } else {
            // Most callers have a number by the next poll.
            if before == nil, state == .ringing, now.number.isEmpty, unnamedCalls.insert(path).inserted { return }
            calls[path] = now
            if let before, (before.state, before.number) == (now.state, now.number) { return }
        }
        try await report(.call(now))
    }

    private func ended(_ call: TelephonyCall, reason: String?) -> TelephonyCall {
        var call = call
        call.state = .ended
        call.reason =
            switch reason {
            case "refused-or-busy": "Busy or refused"
            case "error": "The call failed"
            case "terminated": "Hung up"
            default: nil
            }
        return call
    }

    /// - Returns: nil for a call that has not begun.
    private static func state(_ state: String) -> TelephonyCall.State? {
        switch state {
        case "dialing", "ringing-out": .dialing
        case "ringing-in", "waiting": .ringing
        case "active", "held": .active
        case "terminated": .ended
        default: nil
        }
    }

    package func placeCall(to number: String, sim: Int, reference: Int64?) async throws {
        let number = try PhoneNumber.dialable(number)
        let modem = try await modem(sim)
        guard modem.hasVoice else { throw TelephonyError.refused("The modem of SIM \(sim) makes no calls") }
        let path: String
        do {
            path = try await tool.path(["--modem", modem.path, "--voice-create-call=number=\(number)"])
        } catch TelephonyError.unavailable(let why) where why.contains("no voice capabilities") {
            disableVoice(modem.path)
            throw TelephonyError.refused("The modem of SIM \(sim) makes no calls")
        }
        let call = TelephonyCall(
            id: path, sim: sim, number: number, direction: .outgoing, state: .dialing, reference: reference)
        // The call is stored before it begins, so that a poll in between does not add it.
        calls[path] = call
        try await report(.call(call))
        let ending = try await start(["--call", path, "--start"], within: pace.sending)
        guard ending.code != 0 else { return }
        calls[path] = nil
        if ending.code == nil || Self.isOpen(ending) {
            throw TelephonyError.outcomeUnknown("The modem did not report whether the call began")
        }
        throw TelephonyError.refused(ending.complaint)
    }

    package func answer(_ call: TelephonyCall.ID) async throws {
        let ending = try await start(["--call", call, "--accept"], within: pace.sending)
        guard ending.code == 0 else { throw TelephonyError.refused(ending.complaint) }
    }

    package func hangUp() async throws -> Int {
        var (count, failure) = (0, (any Error)?.none)
        for modem in usableModems where modem.hasVoice {
            // The failure of one modem must not prevent the end of another modem's calls.
            do {
                let paths = try await tool.json(MMReplies.Calls.self, ["--modem", modem.path, "--voice-list-calls"]).paths
                for path in paths where try await hangUp(path) { count += 1 }
            } catch let error as TelephonyError {
                if !"\(error)".contains("no voice capabilities") { failure = error }
            }
        }
        for modem in Array(codes.values) where try await cancelCode(of: modem) { count += 1 }
        if let failure { throw failure }
        return count
    }

    package func hangUp(reference: Int64) async throws -> Int {
        var count = 0
        for (path, call) in calls where call.reference == reference { if try await hangUp(path) { count += 1 } }
        if let modem = codes[reference], try await cancelCode(of: modem) { count += 1 }
        return count
    }

    /// - Returns: True if the call still existed.
    private func hangUp(_ path: String) async throws -> Bool {
        // A call that cannot be read has ended.
        guard let state = try? await tool.json(MMReplies.Call.self, ["--call", path]).call.properties.state,
            Self.state(state).map({ $0 != .ended }) ?? false
        else { return false }
        let ending = try await start(["--call", path, "--hangup"], within: pace.sending)
        guard ending.code == 0 else { throw TelephonyError.refused(ending.complaint) }
        return true
    }
}
