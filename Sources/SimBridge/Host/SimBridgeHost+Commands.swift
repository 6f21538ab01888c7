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
        // Stopped or cancelled: the bells are finished.
        try Task.checkCancellation()
    }

    private func work(_ lane: Lane) async throws {
        guard let bell = laneBells[lane] else { return }
        while await bell.wait() {
            while !isStopping, ![.calls, .codes].contains(lane) || wasConnected,
                let entry = try await persistently({ try await journal.begin(lane) })
            {
                let outcome = try await carryOut(entry)
                try await persistently {
                    try await journal.finish(entry, outcome.event, details: outcome.details, receipt: outcome.receipt)
                }
                reportBell.ring()
            }
            // The journal may have dropped an entry that it could not read.
            reportBell.ring()
        }
    }

    private struct Outcome {
        /// The report of the outcome; nil if the driver's events report it.
        var event: PhoneEvent?
        var details = EventDetails()
        var receipt: TextReceipt?
    }

    /// - Throws: `CancellationError`; the entry stays begun, with an unknown outcome.
    private func carryOut(_ entry: HostJournal.Entry) async throws -> Outcome {
        let command = entry.command
        let age = Duration.milliseconds(now() - entry.at)
        guard age <= command.maximumAge else {
            return Outcome(event: refusal(command, "It waited too long on the host, which was not running or was busy"))
        }
        guard !isPast(command.deadline) else { return Outcome(event: refusal(command, "It reached the host too late")) }
        do {
            switch command.name {
            case .sendText: return try await send(command)
            case .makeCall:
                guard let to = command.to, let sim = command.sim else {
                    return Outcome(event: refusal(command, "It names no number or no SIM"))
                }
                if let code = command.serviceCode { return try await dial(code, sim, entry) }
                try await driver.placeCall(to: to, sim: sim, reference: entry.id)
                return Outcome()
            case .hangUp:
                guard let id = command.callReqId else {
                    let count = try await driver.hangUp()
                    return Outcome(event: count > 0 ? nil : .callState(.ended, sim: nil, from: nil, reason: "There is no call"))
                }
                let call = try await persistently { try await journal.entry(of: id) }
                let count = if let call { try await driver.hangUp(reference: call) } else { 0 }
                return Outcome(
                    event: count > 0 ? nil : .callState(.ended, sim: nil, from: nil, reason: "That call has ended already"))
            case .getSIMs: return Outcome(event: .simInfo(try await driver.sims()))
            default: return Outcome(event: refusal(command, "This host does not know the command \(command.name.rawValue)"))
            }
        } catch let error as TelephonyError {
            return Outcome(event: refusal(command, "\(error)"))
        }
    }

    /// Sends a service code, and reports the network's answer as a message from the code.
    private func dial(_ code: ServiceCode, _ sim: Int, _ entry: HostJournal.Entry) async throws -> Outcome {
        guard !code.containsPIN else {
            let why = "The PIN of a SIM card is changed on the host itself: mmcli -i any --pin=… --change-pin=…"
            return Outcome(event: refusal(entry.command, why))
        }
        guard !code.changesSettings || entry.command.isConfirmed else {
            let why = "\(code.text) changes settings of the SIM card, such as call forwarding. Confirm it to carry it out."
            return Outcome(event: refusal(entry.command, why), details: EventDetails(needsConfirmation: true))
        }
        var call = TelephonyCall(
            id: "code-\(entry.id)", sim: sim, number: code.text, direction: .outgoing, state: .dialing, reference: entry.id)
        _ = try await persistently { try await journal.store(call) }
        notify(.call(call))
        reportBell.ring()
        let answer = try await driver.dial(code, sim: sim, reference: entry.id)
        call.state = .active
        _ = try await persistently { try await journal.store(call) }
        try await reportMessage(answer, from: code.text, sim: sim)
        return Outcome(event: .callState(.ended, sim: sim, from: code.text, reason: nil))
    }

    /// True if a deadline has passed. False if the relay does not send its time, which the check needs.
    private func isPast(_ deadline: RelayTime?) -> Bool {
        guard let deadline, let clockOffset else { return false }
        return now() + clockOffset >= deadline.timestamp.milliseconds
    }

    private func send(_ command: Command) async throws -> Outcome {
        guard let to = command.to, let body = command.body, let sim = command.sim, !body.isEmpty else {
            return Outcome(event: refusal(command, "It names no number, no SIM or no text"))
        }
        let receipt: TextReceipt?
        do {
            if let code = command.serviceCode {
                // A text to a service code answers the network's question.
                try await reportMessage(try await driver.reply(body, sim: sim), from: code.text, sim: sim)
                receipt = nil
            } else {
                receipt = try await driver.sendText(body, to: to, sim: sim)
            }
        } catch TelephonyError.outcomeUnknown(let why) {
            notify(.textUnknown(to: to))
            return Outcome(event: .textSent(.unknown, reason: "It is not known whether this text was sent: \(why)"))
        }
        notify(.textSent(to: to, sim: sim))
        return Outcome(event: .textSent(.ok, reason: nil), receipt: receipt)
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
