import ClientKit
import Foundation
import TalkCoWire

extension ConversationViewModel {
    /// Ends the conversation. A talk leads to its review (``reviewSession``); practice leads back to the topics (``isOver``). Turns that were
    /// not answered are dropped: see ``hasUnsentTurn``.
    package func endConversation() {
        switch phase {
        case .open, .closed: break
        // Nothing was said yet, unless the conversation is restored from an earlier run of the app.
        case .idle, .failed:
            guard needsMessages else {
                phase = .over
                return
            }
        case .connecting: guard needsMessages else { return abandon() }
        case .ending, .over: return
        }
        stopEverything()
        problem = nil
        wasClosed = phase == .closed
        phase = .ending
        endSoon()
    }

    /// Closes the conversation without a review.
    func abandon() {
        stopEverything()
        if let session, phase != .over {
            // If this fails, the service closes the idle conversation.
            context.tasks.start { _ = try? await self.context.api.deleteSession(session) }
        }
        forget()
        phase = .over
    }

    private func stopEverything() {
        cancelRecording()
        stopPlaying()
        isSlow = false
        interruption?.finish()
        context.wake()
    }

    func endSoon() { context.tasks.request("end") { await self.end() } }

    private func end() async {
        guard phase == .ending, let session else { return }
        do {
            let closed = try await context.api.deleteSession(session)
            ended(closed.status)
        } catch TalkCoProblem.sessionGone {
            // An earlier call has ended it and its reply was lost, or the service does not know the session.
            await endGone(session)
        } catch is CancellationError {
            // The next run of the app repeats the call.
        } catch {
            endFailed(TalkCoProblem(error))
        }
    }

    private func endGone(_ session: Session.ID) async {
        do {
            let review = try await context.api.review(of: session)
            ended(review.status)
        } catch TalkCoProblem.sessionGone {
            ended(.ended)
        } catch is CancellationError {
        } catch {
            endFailed(TalkCoProblem(error))
        }
    }

    private func endFailed(_ problem: TalkCoProblem) {
        guard phase == .ending else { return }
        self.problem = problem
        if needsMessages {
            phase = .connecting
            resume()
        } else {
            phase = wasClosed ? .closed : .open
            deliverSoon()
        }
    }

    /// Takes over the end of a conversation by another screen, or before a restart of the app.
    func endedElsewhere(_ status: Session.Status) {
        stopEverything()
        phase = .ending
        ended(status)
    }

    private func ended(_ status: Session.Status) {
        guard phase == .ending, let session else { return }
        for turn in turns { discardTurn(turn.id) }
        if mode == .review || status == .ended {
            forget()
        } else {
            context.openSession?.phase = .review
            reviewSession = session
        }
        draft = ""
        phase = .over
    }
}
