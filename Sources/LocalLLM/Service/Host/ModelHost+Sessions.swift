import Foundation
import LocalLLMWire
package import NetworkingKit
import WireKit

extension ModelHost {
    /// Serves one connection until it ends.
    func serve(_ stream: any ByteStream) async {
        guard let (id, beginning) = await admit(stream), let session = sessions[id] else { return }
        notify(.phoneConnected(stream.remoteKey, count: clientCount))
        let (bell, roomBell) = (session.bell, session.roomBell)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.write(to: stream, of: id, bell) }
            group.addTask { await self.read(from: stream, of: id, beginning, roomBell) }
            // The end of one direction ends the session.
            await group.next()
            group.cancelAll()
        }
        remove(id)
    }

    // MARK: Lifecycle

    /// - Returns: The session's number, and the bytes that were read already; nil for a refused phone.
    private func admit(_ stream: any ByteStream) async -> (id: Int, beginning: Data)? {
        let phone = stream.remoteKey
        let (isKnown, beginning): (Bool, Data)
        do {
            guard let admission = try await admission(of: stream) else { return nil }
            (isKnown, beginning) = admission
        } catch is CancellationError {
            return nil
        } catch {
            // Without the store no phone can be checked.
            notify(.trouble("A phone could not be admitted: \(error)"))
            return nil
        }
        guard isServing else { return nil }
        // A client may dial twice at once, and the end of a lost connection may not have been noticed yet.
        let earlier = sessions.filter { $0.value.phone == phone }
        guard !earlier.isEmpty || makePlace(isKnown: isKnown) else {
            notify(.phoneRefused(phone))
            await dismiss(stream, .modelBusy, "The host has \(Limits.clientCount) clients already. Try again later.")
            return nil
        }
        if earlier.count >= Self.maximumConnections, let oldest = earlier.min(by: { $0.key < $1.key }) {
            oldest.value.stream.close()
            remove(oldest.key)
        }
        lastSession += 1
        sessions[lastSession] = HostSession(stream, isKnown: isKnown, now: elapsed())
        sessions[lastSession]?.wake()
        modelBell.ring()
        return (lastSession, beginning)
    }

    func remove(_ id: Int) {
        // The oldest connection of several may be gone already.
        guard let session = sessions.removeValue(forKey: id) else { return }
        notify(.phoneDisconnected(session.phone, count: clientCount))
        let others = sessions.values.filter { $0.phone == session.phone }.flatMap(\.unsentAnswers)
        if session.unsentAnswers.contains(where: { !others.contains($0) }) { notify(.answerUnseen(session.phone)) }
        if let current, !current.isStored, !sessions.values.contains(where: { $0.isFollowing(current) }) {
            end(current, .finished(.abort))
        }
        idleBell.ring()
    }

    /// Removes a known phone with its answers, and closes its connection.
    ///
    /// - Returns: False when the phone is not known.
    package func remove(_ phone: PeerKey) async throws -> Bool {
        if let current, current.key.phone == phone {
            end(current, .failed(ErrorReport(.generationAborted, "The phone was removed.")))
        }
        let isRemoved = try await store.remove(phone)
        for session in sessions.values where session.phone == phone { session.stream.close() }
        return isRemoved
    }

    // MARK: Writing

    private func write(to stream: any ByteStream, of id: Int, _ bell: Bell) async {
        while await bell.wait() {
            while true {
                switch await next(of: id) {
                case .message(let message):
                    sessions[id]?.willWrite()
                    guard await send(message, on: stream) else { return }
                    sessions[id]?.didWrite()
                case .close:
                    stream.finish()
                    return
                case .nothing, .stored:
                    break
                }
                if isIdle(id) { break }
            }
        }
    }

    /// - Returns: False when the stream has ended.
    @discardableResult
    nonisolated func send(_ message: Message, on stream: any ByteStream) async -> Bool {
        do {
            try await stream.write(message.line + [0x0a])
            return true
        } catch {
            return false
        }
    }

    private func isIdle(_ id: Int) -> Bool { sessions[id]?.isIdle ?? true }

    /// Returns the next message for a phone.
    private func next(of id: Int) async -> HostSession.Next {
        guard let session = sessions[id] else { return .close }
        let next = session.next(info: info(for: session))
        guard case .stored(let request, let answer, let ending, let after) = next else {
            if session.isIdle { idleBell.ring() }
            return next
        }
        do {
            let piece = try await store.piece(of: answer, after: after)
            return session.message(piece, of: request, ending).map(HostSession.Next.message) ?? .nothing
        } catch {
            notify(.trouble("A stored answer could not be read: \(error)"))
            return session.message(nil, of: request, ending).map(HostSession.Next.message) ?? .nothing
        }
    }

    // MARK: Reading

    /// - Parameter beginning: Bytes that were read from the stream already.
    private func read(from stream: any ByteStream, of id: Int, _ beginning: Data, _ roomBell: Bell) async {
        var framing = NewlineFraming(maximumFrameSize: Limits.lineSizeWithMessages, maximumUnframedSize: Limits.unframedSize)
        do {
            var next: Data? = beginning
            while let chunk = next {
                for frame in try framing.receive(chunk) {
                    while isFull(id) { guard await roomBell.wait() else { return } }
                    guard await receive(frame, from: id) else {
                        // The writer ends the connection after the reply.
                        await waitForCancellation()
                        return
                    }
                }
                next = try await stream.read()
            }
        } catch {
            // The stream has ended, or the phone does not speak this protocol.
        }
    }

    private func isFull(_ id: Int) -> Bool { sessions[id]?.isFull ?? false }

    /// - Returns: False when no further messages are read.
    private func receive(_ frame: NewlineFraming.Frame, from id: Int) async -> Bool {
        guard let session = sessions[id] else { return false }
        session.lastActivity = elapsed()
        guard case .complete(let line) = frame else {
            session.reply(.error(nil, ErrorReport(.badMessage, "The line is longer than \(Limits.lineSizeWithMessages) bytes.")))
            return true
        }
        let message: Message
        do {
            message = try Message(line: line)
        } catch {
            if let reply = error.reply { session.reply(reply) }
            guard error.code == .unsupportedVersion else { return true }
            session.close(droppingAnswers: true)
            return false
        }
        switch message {
        case .chatStart(let request, let start): await begin(AnswerKey(phone: session.phone, request: request), start, session)
        case .abort(let request):
            if let current, current.key == AnswerKey(phone: session.phone, request: request) { end(current, .finished(.abort)) }
        // An invitation that was not needed is not consumed.
        case .error, .invitation: break
        case .approval(let decision):
            guard session.isKnown else {
                session.reply(.error(nil, ErrorReport(.badMessage, "Only a known phone decides about another one.")))
                break
            }
            // A phone that does not wait any more needs no decision.
            guard let phone = waitingPhones.first(where: { $0.description == decision.phone }) else { break }
            decide(phone, isApproved: decision.isApproved, by: session.phone)
        case .serverInfo, .chatChunk, .chatProgress, .chatEnd:
            session.reply(.error(message.requestID, ErrorReport(.badMessage, "Only a host sends this message.")))
        }
        return true
    }
}
