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
            // A stream of which one direction has ended is of no use.
            await group.next()
            group.cancelAll()
        }
        remove(id)
    }

    // MARK: Beginning and end

    /// - Returns: The session's number, and the bytes that were read already; nil for a phone that was sent away.
    private func admit(_ stream: any ByteStream) async -> (id: Int, beginning: Data)? {
        let phone = stream.remoteKey
        var beginning = Data()
        do {
            let isApproved = try await store.meet(phone)
            if configuration.approvesPhones, !isApproved {
                guard let bytes = try await approve(stream) else { return nil }
                beginning = bytes
            }
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
        guard !earlier.isEmpty || clientCount < Limits.clientCount else {
            notify(.phoneRefused(phone))
            await dismiss(stream, .modelBusy, "The host has \(Limits.clientCount) clients already. Try again later.")
            return nil
        }
        if earlier.count >= Self.maximumConnections, let oldest = earlier.min(by: { $0.key < $1.key }) {
            oldest.value.stream.close()
            remove(oldest.key)
        }
        lastSession += 1
        sessions[lastSession] = HostSession(stream)
        sessions[lastSession]?.wake()
        return (lastSession, beginning)
    }

    /// Ends a connection with an error.
    private func dismiss(_ stream: any ByteStream, _ code: ErrorCode, _ message: String) async {
        // A phone that does not even read this is not waited for.
        _ = try? await withTimeout(Self.flushTimeout, clock: clock) {
            await self.send(.error(nil, ErrorReport(code, message)), on: stream)
        }
        stream.finish()
    }

    private func remove(_ id: Int) {
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

    // MARK: Approval

    /// The end of a wait for the user's decision.
    private enum Approval: Sendable {
        case decided(Bool)
        /// The same phone has connected again, and waits there.
        case replaced
        case gone
    }

    /// Asks the user about a phone.
    ///
    /// - Returns: The bytes that the phone has sent meanwhile; nil when it was not approved.
    private func approve(_ stream: any ByteStream) async throws -> Data? {
        let phone = stream.remoteKey
        let earlier = approvals[phone]
        guard earlier != nil || approvals.count < Self.maximumApprovals else {
            await dismiss(stream, .modelBusy, "Too many phones wait for an approval. Try again later.")
            return nil
        }
        let (decisions, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        // A phone that comes back takes the place of its earlier connection.
        earlier?.decision.finish()
        lastSession += 1
        let id = lastSession
        approvals[phone] = (id, continuation)
        defer { if approvals[phone]?.id == id { approvals[phone] = nil } }
        if earlier == nil { notify(.approvalRequested(phone)) }
        let beginning = Locked(Data())
        let end = await withTaskGroup(of: Approval?.self) { group in
            group.addTask {
                for await isApproved in decisions { return .decided(isApproved) }
                return .replaced
            }
            group.addTask { [clock] in
                try? await clock.sleep(for: Limits.approvalTimeout)
                return .decided(false)
            }
            group.addTask {
                guard await self.send(.error(nil, ErrorReport(.approvalPending, "Approve this phone on the computer.")), on: stream)
                else { return .gone }
                return await Self.readAhead(of: stream, into: beginning) ? nil : .gone
            }
            defer { group.cancelAll() }
            for await case let end? in group { return end }
            return .gone
        }
        try Task.checkCancellation()
        switch end {
        case .decided(true):
            try await store.approve(phone)
            return beginning.withLock { $0 }
        case .decided(false):
            notify(.approvalRefused(phone))
            await dismiss(stream, .approvalRefused, "This phone was not approved on the computer.")
        case .gone:
            if approvals[phone]?.id == id { notify(.approvalAbandoned(phone)) }
            stream.close()
        case .replaced: stream.close()
        }
        return nil
    }

    /// Reads what a phone sends before it is admitted, up to the size of a line: only a reader notices the end of a stream.
    ///
    /// - Returns: False when the stream has ended.
    private nonisolated static func readAhead(of stream: any ByteStream, into beginning: Locked<Data>) async -> Bool {
        while beginning.withLock({ $0.count < Limits.lineSize }) {
            // Also when the task was cancelled; then nobody is interested in the result.
            guard let bytes = try? await stream.read() else { return false }
            beginning.withLock { $0 += bytes }
        }
        return true
    }

    /// The phones that wait for an approval.
    package var waitingPhones: [PeerKey] { Array(approvals.keys) }

    /// Decides about a phone that waits for an approval.
    package func decide(_ phone: PeerKey, isApproved: Bool) { approvals[phone]?.decision.yield(isApproved) }

    /// Removes a known phone with its answers, and closes its connection.
    ///
    /// - Returns: False when the phone is not known.
    package func remove(_ phone: PeerKey) async throws -> Bool {
        if let current, current.key.phone == phone {
            end(current, .failed(ErrorReport(.generationAborted, "The phone was removed.")))
        }
        for session in sessions.values where session.phone == phone { session.stream.close() }
        return try await store.remove(phone)
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
    private nonisolated func send(_ message: Message, on stream: any ByteStream) async -> Bool {
        do {
            try await stream.write(message.line + [0x0a])
            return true
        } catch {
            return false
        }
    }

    private func isIdle(_ id: Int) -> Bool { sessions[id]?.isIdle ?? true }

    /// The next message for a phone.
    private func next(of id: Int) async -> HostSession.Next {
        guard let session = sessions[id] else { return .close }
        let next = session.next(info: info)
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
                        _ = await Bell().wait()
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
        case .error: break
        case .serverInfo, .chatChunk, .chatProgress, .chatEnd:
            session.reply(.error(message.requestID, ErrorReport(.badMessage, "Only a host sends this message.")))
        }
        return true
    }
}
