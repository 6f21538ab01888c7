import EndlessCodeAgents
import EndlessCodeWire
import Foundation
import Logging
import StorageKit
import WireKit

/// One session while its agent may run: starts the agent, hands answers to it, and logs what it does. Prompts are in
/// `SessionRun+Queue.swift`, the activity and the end of turns in `SessionRun+Work.swift`.
///
/// ```
///   idle ──▶ running ──▶ idle               the agent ended by itself between turns; the next prompt starts it again
///               │ stop
///               ├─▶ ending ──▶ idle         or running again, where it was started meanwhile
///               │ crash
///               ▼
///            waiting 0.5, 1, 2 s ──▶ running   on the same conversation
///               │ after three restarts
///               ▼
///             idle, state crashed
/// ```
actor SessionRun {
    /// The delays before the restarts of a crashed agent.
    static let restartDelays: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2)]
    /// The lifetime of an agent after which its restarts are counted anew.
    static let stableLifetime = Duration.seconds(60)
    /// The time without a line after which an agent is reported as silent.
    static let silenceLimit = Duration.seconds(30)
    /// The time between two attempts to log an event.
    static let storageRetryDelay = Duration.seconds(1)
    /// The time in which an agent names the first prompt that it is told. One that does not is told all prompts at once.
    static let namingLimit = Duration.seconds(3)
    /// The least time between two reports of dropped lines.
    static let droppedInterval = Duration.seconds(1)
    /// The number of running tools, and of texts being written, that are kept of an agent.
    private static let maximumTools = 10_000
    private static let maximumPartialTexts = 100

    /// A request of the agent that waits for answers.
    private struct Pending {
        var prompt: AgentPrompt
        /// The question that is open. An agent may use the id of a withdrawn request again.
        var question: PromptRequest.ID?
        /// The answers to its questions so far.
        var answers: [AgentQuestionAnswer] = []
    }

    /// A text that the agent is writing.
    struct PartialText {
        var text = ""
        var parent: String?
        var timestamp: Timestamp
    }

    let id: Session.ID
    private let folder: String
    let services: SessionServices
    /// The conversation to resume; nil before the agent has reported it.
    private var conversation: String?
    /// The agent could not resume a conversation that ended before its first answer: it writes a prompt down a moment after it has taken it up.
    private var isConversationLost = false
    var agent: (any SessionAgent)?
    private var task: Task<Void, Never>?
    /// The agent was asked to end.
    var isStopped = false
    /// Another agent is wanted once the stopped one has ended.
    private var startsAgain = false
    /// No agent is started any more.
    private var isClosed = false
    /// The agent has answered its start, and takes prompts.
    var isReady = false
    /// The agent of this run has answered its start.
    private var hasAnswered = false
    /// The number of agents that were started.
    var runCount = 0
    /// The prompts that this agent was told and has not taken up, and the number up to which it was told the queue.
    var told: Set<UUID> = []
    var toldThrough: Int64 = 0
    /// The agent names the prompts that it takes up; nil as long as that is unknown.
    var namesPrompts: Bool?
    var firstTellingAt: ContinuousClock.Instant?
    /// The queue may have a prompt that this agent was not told.
    var hasNews = false
    var isFlushing = false
    /// Prompts of this process that the agent has not taken up, by their ids, so that the log need not be read for them.
    var prompts: [String: Chat] = [:]
    /// Prompts that are being stored. The end of an agent is not the end of their turn.
    var announced = 0
    private var pending: [String: Pending] = [:]
    var partial: [String: PartialText] = [:]
    var runningTools: Set<String> = []
    /// True while the agent works; nil for one that does not tell, which works from its first message to its result.
    var isWorking: Bool?
    /// The mode in which the agent starts; nil before it has told one.
    private var usualMode: String?
    /// The agent's last text of the running turn.
    var lastText: String?
    /// The result of a turn after which the agent went on: phones are notified once it has finished.
    var unreported: (result: TurnResult, detail: String?)?
    /// The time of the last report of a dropped line, and the number of lines that were dropped since.
    private var droppedReport: ContinuousClock.Instant?
    private var dropped = 0
    /// The time of the last line after a prompt; nil when the agent owes none, or was reported.
    var awaitsLineSince: ContinuousClock.Instant?

    init(_ record: SessionRecord, _ services: SessionServices) {
        (id, folder, conversation) = (record.session.id, record.folder, record.conversation)
        self.services = services
    }

    /// True while the agent runs or waits for its restart, unless it was asked to end.
    var isRunning: Bool { task != nil && (!isStopped || startsAgain) }
    /// True while nothing of an agent is left.
    var hasEnded: Bool { task == nil }

    // MARK: Running

    /// Starts the agent, unless it runs. One that is ending is followed by another.
    func start() {
        guard !isClosed else { return }
        guard task == nil else {
            if isStopped { startsAgain = true }
            return
        }
        isStopped = false
        task = Task { await run() }
    }

    private func run() async {
        var restarts = 0
        while !isStopped {
            guard let exit = await runOnce(isRestart: restarts > 0), !isStopped else { break }
            guard exit.hasCrashed else {
                // A prompt may have come while the agent ended, or while the queue is looked at.
                hasNews = false
                if await !hasQueue(), !hasNews { break }
                continue
            }
            if exit.lifetime >= Self.stableLifetime { restarts = 0 }
            guard restarts < Self.restartDelays.count else { break }
            let delay = Self.restartDelays[restarts]
            restarts += 1
            // Cancelled by `stop`.
            guard (try? await services.clock.sleep(for: delay)) != nil else { break }
        }
        task = nil
        if startsAgain {
            startsAgain = false
            start()
        }
    }

    /// - Parameter isRestart: The agent follows one that has crashed.
    /// - Returns: Nil if the agent could not be started.
    private func runOnce(isRestart: Bool) async -> AgentExit? {
        do {
            let id = id
            let (answers, takenPrompt) = try await services.store.read { (try $0.hasAnswers(id), try $0.hasTakenPrompt(id)) }
            // An agent keeps no conversation in which it did nothing.
            if isConversationLost || !answers && !takenPrompt { conversation = nil }
            let mayBeLost = conversation != nil && !answers
            let agent = try services.launcher.make(folder, conversation.map { .resume($0) } ?? .new(UUID()))
            runCount += 1
            (self.agent, isReady, hasAnswered, isWorking) = (agent, false, false, nil)
            defer {
                (self.agent, isReady) = (nil, false)
                (told, toldThrough, namesPrompts, firstTellingAt) = ([], 0, nil, nil)
            }
            var exit = try await agent.run { [weak self] event in await self?.received(event) }
            if exit.reason == .conversationNotFound {
                isConversationLost = true
                try await append(AgentNotice(.forgotten))
            }
            // An end before the first answer is one during a turn, if a prompt waits for the agent, or has waited for the one before.
            if mayBeLost, !hasAnswered { isConversationLost = true }
            if exit.reason == .betweenTurns, !hasAnswered {
                let hasQueue = await hasQueue()
                if isRestart || hasQueue || announced > 0 { exit.reason = .crash }
            }
            await ended(exit)
            return exit
        } catch {
            await failed(error)
            return nil
        }
    }

    /// Interrupts a running turn, and asks the agent to end. It is not started again by itself.
    ///
    /// - Parameter timeout: The time between the steps of its end. A later call with a shorter one hastens the end.
    func stop(timeout: Duration = Agent.endTimeout) async {
        startsAgain = false
        if !isStopped {
            isStopped = true
            if isReady { try? await agent?.send(.interrupt) }
            task?.cancel()
        }
        await agent?.end(timeout: timeout)
    }

    /// Ends the agent for good, and waits for its end.
    func close(timeout: Duration) async {
        isClosed = true
        await stop(timeout: timeout)
        await task?.value
    }

    // MARK: Commands

    /// Ends the turn.
    func interrupt() async throws {
        // An agent that has ended has no turn.
        try? await agent?.send(.interrupt)
        guard !isReady else { return try await updateActivity() }
        // The agent has not begun the turn.
        let (id, time) = (id, services.now())
        try await services.commit { transaction, events in
            let givenUp = try transaction.giveUpQueue(of: id, at: time)
            guard !givenUp.isEmpty, let session = try transaction.session(id)?.session else { return }
            events += givenUp
            events += try transaction.endTurn(of: session, reason: AgentResult.interrupted, at: time)
            events += try [transaction.setState(session.state, .idle, of: id, at: time)].compactMap { $0 }
        }
    }

    /// Hands a stored answer to the agent, or asks the next question of the same request.
    func answered(_ record: PromptRecord, _ answer: PromptAnswer) async throws {
        guard var waiting = pending[record.agentPrompt], waiting.question == record.request.promptId else { return }
        switch waiting.prompt.kind {
        case .permission(let permission):
            pending[record.agentPrompt] = nil
            await send(permission.answer(answer), to: record.agentPrompt)
        case .questions(let questions):
            waiting.answers.append(answer.answerToQuestion)
            pending[record.agentPrompt] = waiting
            if waiting.answers.count < questions.count {
                try await ask(waiting.prompt, question: waiting.answers.count)
            } else {
                pending[record.agentPrompt] = nil
                await send(.answers(waiting.answers), to: record.agentPrompt)
            }
        }
        try await updateActivity()
    }

    /// Refuses a request of the agent, because nobody answered in time or the answer could not be recorded.
    func deny(_ record: PromptRecord, reason: String) async throws {
        guard pending[record.agentPrompt]?.question == record.request.promptId else { return }
        pending[record.agentPrompt] = nil
        await send(.deny(reason: reason), to: record.agentPrompt)
        try await updateActivity()
    }

    private func send(_ answer: AgentAnswer, to prompt: String) async {
        // The agent owed no line while it waited.
        if awaitsLineSince != nil { awaitsLineSince = services.uptime() }
        do {
            do {
                try await agent?.send(.answer(prompt, answer))
            } catch AgentError.invalidAnswer {
                // The agent would wait for ever.
                try await agent?.send(.answer(prompt, .deny(reason: "The answer does not fit the request.")))
            }
        } catch {
            // The agent withdrew its request, or ended.
            services.logger.info("An answer came too late", metadata: ["endlesscode.session.id": "\(id)", "error": "\(error)"])
        }
    }

    /// Reports an agent that owes a line for too long, once, and goes on with the queue.
    func tick() async {
        let time = services.uptime()
        if namesPrompts == nil, let first = firstTellingAt, first + Self.namingLimit <= time { namesPrompts = false }
        if hasNews { await flush() }
        guard let since = awaitsLineSince, since + Self.silenceLimit <= time, runningTools.isEmpty, pending.isEmpty else { return }
        awaitsLineSince = nil
        report(.agentSilent, "The agent has been silent for 30 seconds.")
    }

    /// The texts that the agent is writing, each as one piece from its beginning.
    var partialFrames: [String] {
        partial.map { id, text in
            frame(Chat(id: id, role: .assistant, content: text.text, timestamp: text.timestamp, offset: 0), text.parent).text
        }
    }

    // MARK: Events

    private func received(_ event: AgentEvent) async {
        if awaitsLineSince != nil { awaitsLineSince = services.uptime() }
        while true {
            do {
                return try await log(event)
            } catch {
                services.logger.error(
                    "Could not log an event of an agent", metadata: ["endlesscode.session.id": "\(id)", "error": "\(error)"])
                // The event is not lost: the agent waits until the disk has room again.
                let mayPass = error is StorageError && !isStopped
                if mayPass, (try? await services.clock.sleep(for: Self.storageRetryDelay)) != nil { continue }
                if case .prompt(let prompt) = event.content, pending.removeValue(forKey: prompt.id) != nil {
                    await send(.deny(reason: "The request could not be recorded."), to: prompt.id)
                }
                return
            }
        }
    }

    private func log(_ event: AgentEvent) async throws {
        let (id, time) = (id, services.now())
        switch event.content {
        case .ready(let ready):
            conversation = ready.conversationID ?? conversation
            usualMode = usualMode ?? ready.permissionMode
            // A grant ends with its agent, and another one tells its mode with its first turn.
            let permissionMode = ready.permissionMode ?? (hasAnswered ? nil : usualMode)
            try await services.commit { [conversation] transaction, events in
                let before = try transaction.session(id)?.session
                try transaction.setConversation(conversation, permissionMode: permissionMode, of: id)
                guard let session = before else { return }
                if let mode = permissionMode, mode != session.permissionMode ?? "default" {
                    events.append(
                        try transaction.logState(session.state, session.activity, of: id, permissionMode: mode, at: time))
                }
                // After a crash the session is active again once the agent answers.
                guard session.state == .crashed else { return }
                events += try [transaction.setState(.active, session.activity, of: id, at: time)].compactMap { $0 }
            }
            (isReady, hasAnswered, isConversationLost) = (true, true, false)
            await flush()
        case .partialText(let piece): write(piece, parent: event.parentToolUseID, at: time)
        case .textAbandoned(let text):
            write(AgentPartialText(id: text, offset: 0, piece: ""), parent: event.parentToolUseID, at: time)
            partial[text] = nil
        case .workChanged(let works):
            isWorking = works
            try await updateActivity()
        case .notice(let notice):
            // It is silent until the next attempt.
            if case .retry(let retry) = notice.kind, awaitsLineSince != nil { awaitsLineSince = services.uptime() + retry.delay }
            try await append(notice)
        case .prompt(let prompt):
            pending[prompt.id] = Pending(prompt: prompt)
            try await ask(prompt, question: 0)
        case .promptWithdrawn(let prompt):
            pending[prompt] = nil
            try await withdraw { $0.agentPrompt == prompt }
        case .promptTaken(let receipt): try await take(receipt, at: time)
        case .promptDropped(let prompt):
            try await giveUp(prompt)
            told.remove(prompt)
            await flush()
        case .dropped(let line): reportDropped(line)
        case .activity: break
        case .text, .toolUse, .toolResult, .result, .unknown:
            if case .text(let text) = event.content { partial[text.id] = nil }
            if case .toolUse(let use) = event.content, runningTools.count < Self.maximumTools { runningTools.insert(use.id) }
            if case .toolResult(let result) = event.content { runningTools.remove(result.toolUseID) }
            if case .text(let text) = event.content, event.parentToolUseID == nil { lastText = text.text }
            guard let message = event.message(id: SessionServices.newID(), at: time) else { return }
            if case .result(let result) = message.content {
                try await end(result, at: time)
            } else {
                try await append(message, at: time)
            }
        }
    }

    private func write(_ piece: AgentPartialText, parent: String?, at time: Timestamp) {
        // The turn of a session that was paused or ended has its result, after which phones expect no more of its text.
        guard !isStopped else { return }
        if piece.offset == 0, partial[piece.id] != nil || partial.count < Self.maximumPartialTexts {
            partial[piece.id] = PartialText(parent: parent, timestamp: time)
        }
        let length = partial[piece.id]?.text.utf8.count
        if length == piece.offset, piece.offset + piece.piece.utf8.count <= Limits.messageSize {
            partial[piece.id]?.text += piece.piece
        } else {
            // Phones that come later wait for the final text: one of another length is of no use for them.
            partial[piece.id] = nil
        }
        services.broadcast(
            frame(Chat(id: piece.id, role: .assistant, content: piece.piece, timestamp: time, offset: piece.offset), parent),
            about: id)
    }

    /// Tells phones that a line was dropped, once a second.
    private func reportDropped(_ line: AgentDroppedLine) {
        let time = services.uptime()
        if let last = droppedReport, time < last + Self.droppedInterval {
            dropped += 1
            return
        }
        let more = dropped > 0 ? " \(dropped) before it were dropped too." : ""
        (droppedReport, dropped) = (time, 0)
        report(.parseError, "A line of the agent was dropped: it \(line.reason.words).\(more)")
    }

    private func frame(_ chat: Chat, _ parent: String?) -> ServerFrame {
        .output(
            Output(sessionId: id, seq: nil, message: Message(.chat(chat), parentToolUseId: parent), timestamp: chat.timestamp))
    }

    // MARK: Questions

    private func ask(_ prompt: AgentPrompt, question index: Int) async throws {
        let (id, time, timeout) = (id, services.now(), services.promptTimeout)
        let promptId = PromptRequest.ID(SessionServices.newID())
        pending[prompt.id]?.question = promptId
        try await services.commit { transaction, events in
            // The agent of a session that was paused is ending, and withdraws its request.
            guard let session = try transaction.session(id)?.session, session.state == .active else { return }
            switch prompt.kind {
            case .permission(let permission):
                events.append(
                    try transaction.ask(
                        permission.wire, id: promptId, in: id, agentPrompt: prompt.id, input: permission.inputText,
                        timeout: timeout,
                        at: time
                    ) {
                        $0.kind = .permission
                        ($0.toolName, $0.toolInput, $0.toolUseId) = (permission.toolName, permission.input, prompt.toolUseID)
                        ($0.toolKind, $0.toolContent) = (permission.kind, permission.content.wire)
                    })
            case .questions(let questions):
                let question = questions[index].wire
                events.append(
                    try transaction.append(
                        Message(
                            .askUser(
                                AskUser(
                                    id: promptId.rawValue, toolUseId: prompt.toolUseID ?? "", question: question, timestamp: time))),
                        to: id, at: time))
                events.append(
                    try transaction.ask(
                        question, id: promptId, in: id, agentPrompt: prompt.id, input: nil, timeout: timeout, at: time
                    ) { $0.kind = .question })
            }
            events += try [transaction.setState(.active, .waiting, of: id, at: time)].compactMap { $0 }
        }
    }

    /// Withdraws open questions of the session.
    func withdraw(_ isMeant: @escaping @Sendable (PromptRecord) -> Bool = { _ in true }) async throws {
        let (id, time) = (id, services.now())
        let withdrawn = try await services.commit { transaction, events -> [PromptRecord] in
            let records = try transaction.openPrompts(of: id).filter(isMeant)
            for record in records {
                events += try [transaction.resolve(record, .withdrawn, at: time)].compactMap { $0 }
            }
            return records
        }
        for record in withdrawn { services.record(record, .withdrawn, at: time) }
        try await updateActivity()
    }

    // MARK: Ending

    private func ended(_ exit: AgentExit) async {
        let hasCrashed = exit.hasCrashed
        await logEnd(hasCrashed ? .crashed : nil, error: hasCrashed ? exit.words : nil)
        if hasCrashed { report(.agentCrashed, exit.words) }
    }

    private func failed(_ error: any Error) async {
        let (code, words): (ErrorCode, String) =
            switch error {
            case AgentError.programNotFound(let name): (.agentNotFound, "The agent's program was not found: \(name).")
            case AgentError.folderNotFound: (.agentCrashed, "The project's folder does not exist any more.")
            case AgentError.startFailed(let reason): (.agentCrashed, reason)
            default: (.agentCrashed, "The agent could not be started: \(error).")
            }
        await logEnd(.crashed, error: words)
        report(code, words)
    }

    /// Ends the turn, and withdraws what waits for an answer.
    private func logEnd(_ state: Session.State?, error: String?) async {
        let (id, time) = (id, services.now())
        pending = [:]
        (partial, runningTools, awaitsLineSince, lastText, unreported) = ([:], [], nil, nil, nil)
        do {
            try await withdraw()
            isWorking = nil
            try await services.commit { [announced] transaction, events in
                // The agent ended between turns, and is started again for a prompt.
                let isExpected = try state == nil && (announced > 0 || transaction.queuedPrompt(of: id) != nil)
                guard let session = try transaction.session(id)?.session, !isExpected else { return }
                events += try transaction.endTurn(
                    of: session, reason: state == .crashed ? "crashed" : AgentResult.interrupted, at: time)
                // A session that a user paused or ended stays so.
                let next = session.state == .active || session.state == .crashed ? state ?? session.state : session.state
                events += try [transaction.setState(next, .idle, of: id, error: error, at: time)].compactMap { $0 }
            }
        } catch {
            services.logger.error(
                "Could not log the end of an agent", metadata: ["endlesscode.session.id": "\(id)", "error": "\(error)"])
        }
    }

    func report(_ code: ErrorCode, _ message: String) {
        services.broadcast(.error(SocketError(code, message, sessionId: id)), about: id)
    }
}
