import SimBridgeWire
import WireKit

/// The execution of commands.
extension SimBridgeHost {
    func workAll() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in Lane.allCases { group.addTask { try await self.work(lane) } }
            // Unlike `waitForAll`, throws while the other lanes wait, so that leaving the group cancels them.
            while try await group.next() != nil {}
        }
        // Stopped or cancelled: the streams have ended.
        try Task.checkCancellation()
    }

    private func work(_ lane: Lane) async throws {
        guard let bell = laneBells[lane] else { return }
        for await _ in bell.rings {
            while !isStopping, lane != .calls || wasConnected, let entry = try await persistently({ try await journal.begin(lane) })
            {
                let event = try await carryOut(entry)
                try await persistently { try await journal.finish(entry, event) }
                reportBell.ring()
            }
            // The journal may have dropped an entry that it could not read.
            reportBell.ring()
        }
    }

    /// - Returns: The report; nil when the driver's events report the outcome.
    /// - Throws: `CancellationError`; the entry stays begun, with an unknown outcome.
    private func carryOut(_ entry: HostJournal.Entry) async throws -> PhoneEvent? {
        let command = entry.command
        let age = Duration.milliseconds(now() - entry.at)
        guard age <= command.maximumAge else {
            return refusal(command, "It waited too long on the host, which was not running or was busy")
        }
        guard !isPast(command.deadline) else { return refusal(command, "It reached the host too late") }
        do {
            switch command.name {
            case .sendText: return try await send(command)
            case .makeCall:
                guard let to = command.to, let sim = command.sim else { return refusal(command, "It names no number or no SIM") }
                try await driver.placeCall(to: to, sim: sim, reference: entry.id)
                return nil
            case .hangUp:
                guard let id = command.callReqId else {
                    let count = try await driver.hangUp()
                    return count > 0 ? nil : .callState(.ended, sim: nil, from: nil, reason: "There is no call")
                }
                let call = try await persistently { try await journal.entry(of: id) }
                let count = if let call { try await driver.hangUp(reference: call) } else { 0 }
                return count > 0 ? nil : .callState(.ended, sim: nil, from: nil, reason: "That call has ended already")
            case .getSIMs: return .simInfo(try await driver.sims())
            default: return refusal(command, "This host does not know the command \(command.name.rawValue)")
            }
        } catch let error as TelephonyError {
            return refusal(command, "\(error)")
        }
    }

    /// Deadlines of a relay that does not send its time cannot be checked.
    private func isPast(_ deadline: RelayTime?) -> Bool {
        guard let deadline, let clockOffset else { return false }
        return now() + clockOffset >= deadline.timestamp.milliseconds
    }

    private func send(_ command: Command) async throws -> PhoneEvent {
        guard let to = command.to, let body = command.body, let sim = command.sim, !body.isEmpty else {
            return refusal(command, "It names no number, no SIM or no text")
        }
        do {
            try await driver.sendText(body, to: to, sim: sim)
        } catch TelephonyError.outcomeUnknown(let why) {
            notify(.textUnknown(to: to))
            return .textSent(.unknown, reason: "It is not known whether this text was sent: \(why)")
        }
        notify(.textSent(to: to, sim: sim))
        return .textSent(.ok, reason: nil)
    }

    private func refusal(_ command: Command, _ why: String) -> PhoneEvent {
        let to = command.to ?? ""
        switch command.name {
        case .sendText:
            notify(.textFailed(to: to, why: why))
            return .textSent(.error, reason: why)
        case .makeCall:
            notify(.callFailed(to: to, why: why))
            return .callState(.error, sim: command.sim, from: to, reason: why)
        case .hangUp:
            notify(.commandRefused(name: command.name.rawValue, why: why))
            return .callState(.error, sim: command.sim, from: nil, reason: why)
        default:
            notify(.commandRefused(name: command.name.rawValue, why: why))
            return .error(why)
        }
    }
}
