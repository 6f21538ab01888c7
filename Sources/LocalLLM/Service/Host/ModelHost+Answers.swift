import LocalLLMWire
import MarkdownKit
import NetworkingKit
import WireKit

extension ModelHost {
    // MARK: Requests

    /// Begins an answer, or continues a known one.
    func begin(_ key: AnswerKey, _ start: ChatStart, _ session: HostSession) async {
        func refuse(_ code: ErrorCode, _ message: String) { session.reply(.error(key.request, ErrorReport(code, message))) }

        guard Limits.accepts(prompt: start.prompt) else {
            return refuse(.badMessage, "A prompt has 1 to \(Limits.promptSize) bytes.")
        }
        guard start.messages.isEmpty || Message.size(of: start.messages) <= Limits.messagesSize else {
            return refuse(.badMessage, "Earlier turns have at most \(Limits.messagesSize) bytes.")
        }
        var stored: StoredAnswer?
        if start.accept.contains(.resume) {
            do {
                stored = try await store.find(key)
                // The answer may have ended during the search.
                if stored != nil, stored?.ending == nil, current?.key != key { stored = try await store.find(key) }
            } catch {
                notify(.trouble("The stored answers could not be read: \(error)"))
                return refuse(.generationFailed, "The host cannot read its stored answers.")
            }
        }
        // The connection may have ended meanwhile.
        guard sessions.values.contains(where: { $0 === session }) else { return }
        // Checked first: `current` stays set until the answer's end is published, which is later than its end in the store.
        if let current, current.key == key {
            guard current.isStored, start.accept.contains(.resume) else {
                return refuse(.badMessage, "A request with this id is running already.")
            }
            return session.follow(key.request, .live(current), start)
        }
        if let stored, let ending = stored.ending { return session.follow(key.request, .stored(stored.id, ending), start) }
        guard start.after == 0 else { return session.reply(.error(key.request, .notKept)) }
        guard current == nil else { return refuse(.modelBusy, "The model is answering another request. Try again in a moment.") }
        guard isServing else { return refuse(.generationAborted, "The host is stopping.") }
        let answer = LiveAnswer(key, start)
        current = answer
        session.follow(key.request, .live(answer), start)
        wakeSessions()
        beginGeneration()
    }

    /// Stops the answer that is being generated. The first reason counts.
    func end(_ answer: LiveAnswer, _ ending: Ending) {
        guard answer.stopped == nil else { return }
        answer.stopped = ending
        answer.stopBell.ring()
    }

    // MARK: Generation

    /// Generates answers, one after another, until the task is cancelled.
    func generateAll() async {
        for await _ in requests {
            guard let answer = current, answer.ending == nil else { continue }
            await generate(answer)
        }
    }

    private func generate(_ answer: LiveAnswer) async {
        var ending: Ending
        // The failure without the words of the engine's server.
        var logged: ErrorReport?
        do {
            ending = .finished(try await run(answer), omitted: answer.omitted)
        } catch let error as EngineError {
            // An engine that has sent text has found its server and its model.
            var (report, own) = (error.report, error.loggedReport)
            if answer.hasText { (report.code, own.code) = (.generationFailed, .generationFailed) }
            (ending, logged) = (.failed(report), own)
        } catch is CancellationError where Task.isCancelled {
            // The process ends. The next one finds the answer unfinished.
            return
        } catch is CancellationError {
            ending = .failed(ErrorReport(.generationFailed, "The engine broke off."))
        } catch {
            notify(.trouble("An answer could not be stored: \(error)"))
            ending = .failed(ErrorReport(.generationFailed, "The host cannot store the answer."))
        }
        if let stopped = answer.stopped {
            (ending, logged) = (stopped, nil)
            if case .finished(let reason, _) = stopped { ending = .finished(reason, omitted: answer.omitted) }
        }
        await finish(answer, ending, logged: logged)
    }

    /// - Parameter logged: The failure for the log; nil for that of `ending`.
    private func finish(_ answer: LiveAnswer, _ ending: Ending, logged: ErrorReport?) async {
        if let id = answer.storeID {
            do {
                // An answer with an unwritten end is finished as failed at the next start.
                try await ending.isRefusal ? store.forget(id) : store.finish(id, ending)
                if !ending.isRefusal { for session in sessions.values { session.release(answer, id, ending) } }
            } catch {
                notify(.trouble("The end of an answer could not be stored: \(error)"))
            }
        }
        answer.ending = ending
        if current === answer { current = nil }
        switch ending {
        case .finished(let reason, let omitted):
            if omitted > 0 { notify(.turnsOmitted(omitted)) }
            notify(.generationFinished(reason, size: answer.size))
            let isFollowed = sessions.values.contains { $0.phone == answer.key.phone && $0.isFollowing(answer.key.request) }
            if answer.isStored, reason != .abort, !isFollowed { notify(.answerUnseen(answer.key.phone)) }
        case .failed(let report): notify(.generationFailed(logged ?? report))
        }
        // The server may have ended, or have another model.
        if case .failed = ending { modelBell.ring() }
        wakeSessions()
        idleBell.ring()
    }

    /// The end of one task of a generation.
    private enum Part: Sendable {
        case engine(Result<FinishReason, any Error>)
        /// All text of the engine is stored and published.
        case storing
        case progress
    }

    /// Runs the engine until the answer ends or is stopped, and stores its text.
    private func run(_ answer: LiveAnswer) async throws -> FinishReason {
        let (textBell, stopBell) = (answer.textBell, answer.stopBell)
        return try await withThrowingTaskGroup(of: Part.self) { group in
            group.addTask {
                do {
                    return .engine(.success(try await self.runEngine()))
                } catch is AnswerFull {
                    return .engine(.success(.length))
                } catch {
                    return .engine(.failure(error))
                }
            }
            group.addTask {
                while await textBell.wait() {
                    if try await self.storeText() { return .storing }
                }
                // The host ends before the last text is stored. The answer must not count as complete.
                throw CancellationError()
            }
            group.addTask { [clock] in
                while (try? await clock.sleep(for: Limits.progressInterval)) != nil {
                    guard await self.repeatProgress() else { break }
                }
                return .progress
            }
            group.addTask {
                _ = await stopBell.wait()
                throw CancellationError()
            }
            defer { group.cancelAll() }
            var result: Result<FinishReason, any Error>?
            while let part = try await group.next() {
                switch part {
                case .engine(let end):
                    // The text before an error stays.
                    result = end
                    answer.isSaid = true
                    textBell.ring()
                case .storing: if let result { return try result.get() }
                case .progress: break
                }
            }
            throw CancellationError()
        }
    }

    /// Runs the engine for the request of ``current``.
    private func runEngine() async throws -> FinishReason {
        guard let answer = current else { throw CancellationError() }
        let model = try await model(for: answer.start)
        guard answer.stopped == nil else { throw CancellationError() }
        if answer.isStored { answer.storeID = try await store.begin(answer.key) }
        notify(.generationStarted(answer.key.phone, model: model))
        // Clients of earlier versions send the thoughts of earlier answers as well.
        var turns = answer.start.messages
        for index in turns.indices where turns[index].role == .assistant {
            turns[index].content = ThoughtFilter.answer(in: turns[index].content)
        }
        let request = EngineRequest(model: model, turns: turns + [ChatTurn(.user, answer.start.prompt)])
        return try await engine.generate(request) { try await self.receive($0) }
    }

    /// Processes an event of the engine.
    func receive(_ event: EngineEvent) async throws {
        guard let answer = current, answer.stopped == nil else { throw CancellationError() }
        switch event {
        case .progress(let progress):
            answer.report(progress)
            wakeSessions()
        case .omitted(let turns): answer.omitted = turns
        case .text(let text):
            let isComplete = answer.receive(text)
            answer.textBell.ring()
            guard isComplete else { throw AnswerFull() }
            while answer.isFull { guard await answer.roomBell.wait() else { throw CancellationError() } }
        }
    }

    /// Stores the new text of the engine, and then publishes it to phones. Called by one task.
    ///
    /// - Returns: True when the answer is complete.
    private func storeText() async throws -> Bool {
        guard let answer = current else { return true }
        let pieces = answer.takeUnstored()
        if !pieces.isEmpty {
            answer.roomBell.ring()
            if let id = answer.storeID { try await store.append(pieces, to: id) }
            answer.publish(pieces)
            for session in sessions.values where session.isFollowing(answer) { session.wake() }
        }
        // Text that arrived meanwhile has rung the bell again.
        return answer.isStoredCompletely
    }

    /// - Returns: False when there is nothing to repeat any more.
    private func repeatProgress() -> Bool {
        guard let answer = current, !answer.hasText else { return false }
        answer.repeatProgress()
        wakeSessions()
        return true
    }
}

/// Thrown to stop the engine when the answer has reached its maximum size.
private struct AnswerFull: Error {}
