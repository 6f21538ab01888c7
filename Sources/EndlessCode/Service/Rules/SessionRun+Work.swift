import EndlessCodeAgents
import EndlessCodeWire
import StorageKit
import WireKit

/// The work of a session's agent: its messages, the ends of its turns, and its activity.
extension SessionRun {
    func append(_ message: Message, at time: Timestamp) async throws {
        // A line that nobody knows begins no turn.
        var isUnknown = false
        if case .unknown = message.content { isUnknown = true }
        try await services.commit { [id, isUnknown, isWorking, namesPrompts] transaction, events in
            guard let session = try transaction.activity(of: id) else { return }
            events.append(try transaction.append(message, to: id, at: time))
            guard session.state == .active, !isUnknown else { return }
            events += try [
                transaction.setActivity(of: id, isWorking: isWorking ?? true, namesPrompts: namesPrompts, at: time)
            ].compactMap { $0 }
        }
    }

    /// Logs the end of a turn.
    func end(_ result: TurnResult, at time: Timestamp) async throws {
        (partial, runningTools) = ([:], [])
        awaitsLineSince = told.isEmpty ? nil : services.uptime()
        var result = result
        let detail = result.text ?? lastText
        var answer: Chat?
        if !result.isError, let text = result.text {
            // The agent's last text is a message already. Commands of the agent's program answer with a result alone.
            if lastText == nil, !text.allSatisfy(\.isWhitespace) {
                answer = Chat(id: SessionServices.newID(), role: .assistant, content: text, timestamp: time)
            }
            result.text = nil
        }
        let goesOn = try await services.commit {
            [id, isStopped, isWorking, namesPrompts, answer, result] transaction, events -> Bool in
            guard let session = try transaction.session(id)?.session else { return false }
            // The turn of a session that was paused or ended has its result already.
            if isStopped || session.state != .active && session.activity == .idle { return false }
            if let answer { events.append(try transaction.append(Message(.chat(answer)), to: id, at: time)) }
            let frame = try transaction.append(Message(.result(result)), to: id, at: time)
            let state =
                session.state == .active
                ? try transaction.setActivity(of: id, isWorking: isWorking ?? false, namesPrompts: namesPrompts, at: time) : nil
            let goesOn = try session.state == .active && transaction.session(id)?.session.activity != .idle
            var (ending, next) = (frame, state)
            if result.reason != AgentResult.interrupted {
                ending.change = goesOn ? nil : .ended(result, detail, in: id)
                next?.change = nil
            }
            events += [ending, next].compactMap { $0 }
            return goesOn
        }
        lastText = nil
        unreported = goesOn && result.reason != AgentResult.interrupted ? (result, detail) : nil
    }

    /// Logs words of the agent's program. They are no answer, and begin no turn.
    func append(_ notice: AgentNotice) async throws {
        let (id, time) = (id, services.now())
        let message = notice.message(id: SessionServices.newID(), at: time)
        try await services.commit { transaction, events in
            guard try transaction.session(id) != nil else { return }
            events.append(try transaction.appendOwn(Message(.notice(message)), id: message.id, to: id, at: time))
        }
    }

    /// Brings the activity in line with the agent: it waits for an answer, works, or does neither.
    func updateActivity() async throws {
        let time = services.now()
        let hasFinished = try await services.commit {
            [id, isWorking, namesPrompts, unreported] transaction, events -> Bool in
            guard let session = try transaction.session(id)?.session, session.activity == .waiting || isWorking != nil,
                session.state == .active || session.activity == .waiting,
                var frame = try transaction.setActivity(of: id, isWorking: isWorking ?? true, namesPrompts: namesPrompts, at: time)
            else { return false }
            let isIdle = try transaction.session(id)?.session.activity == .idle
            if isIdle, let unreported { frame.change = .ended(unreported.result, unreported.detail, in: id) }
            events.append(frame)
            return isIdle
        }
        if hasFinished { unreported = nil }
    }
}
