import Foundation
package import LocalLLMWire
package import NetworkingKit
import WireKit

// Admission of new phones. The Server ID is announced to the network, so it alone must not give access to the model.
//
//     stream ─▶ known, or the first phone of all ──────────────────────────────▶ one of five places
//        └────▶ new ─▶ waits for the user: terminal, known phone ─▶ approved ──▶
//                 │      up to 5 phones, 120 s                   ─▶ refused, closed
//                 └──▶ sends an invitation, waiting or not ─────────────────────▶
extension ModelHost {
    /// Maximum phones that wait for the user's decision.
    static let maximumApprovals = 5
    /// Maximum phones that may still send an invitation while ``maximumApprovals`` others wait. A new one replaces the oldest, so
    /// that silent connections do not block others.
    static let maximumArrivals = 32
    /// Maximum time for such a phone to send its invitation.
    static let arrivalTimeout = Duration.seconds(5)

    /// A new phone, with its latest connection.
    struct Arrival {
        var id: Int
        /// True if the user is asked about the phone.
        var isAsked: Bool
        var decision: AsyncStream<Decision>.Continuation
    }

    /// The end of a new phone's wait.
    enum Decision: Hashable, Sendable {
        case admitted(HostNotice.Admission)
        case refused
        /// The same phone has connected again, and waits on its new connection.
        case replaced
        /// Too many phones wait.
        case crowded
        case gone
    }

    /// Admits or refuses a phone. Waits for the decision about a new phone.
    ///
    /// - Returns: True for a known phone, and the bytes that were read already; nil for a refused phone.
    func admission(of stream: any ByteStream) async throws -> (isKnown: Bool, beginning: Data)? {
        let phone = stream.remoteKey
        let policy = configuration.admission
        switch try await store.meet(phone, admitsFirst: policy == .firstPhone) {
        case .known: return (true, Data())
        case .first:
            notify(.phoneAdmitted(phone, .first))
            return (true, Data())
        case .stranger:
            if policy == .open { return (false, Data()) }
            return try await decision(about: stream).map { (true, $0) }
        }
    }

    /// Waits for the decision about a new phone, and makes an admitted one known.
    ///
    /// - Returns: The bytes that the phone has sent meanwhile; nil when it was not admitted.
    private func decision(about stream: any ByteStream) async throws -> Data? {
        let phone = stream.remoteKey
        let (decisions, continuation) = AsyncStream.makeStream(of: Decision.self, bufferingPolicy: .bufferingOldest(1))
        let (id, isAsked) = enter(phone, continuation)
        defer {
            if arrivals[phone]?.id == id { arrivals[phone] = nil }
            wakeSessions()
        }
        let beginning = Locked(Data())
        let end = await withTaskGroup(of: Decision?.self) { group in
            group.addTask {
                for await decision in decisions { return decision }
                return .gone
            }
            group.addTask { [clock] in
                try? await clock.sleep(for: isAsked ? Limits.approvalTimeout : Self.arrivalTimeout)
                return isAsked ? .refused : .crowded
            }
            group.addTask {
                let pending = Message.error(nil, ErrorReport(.approvalPending, "Approve this phone on the computer."))
                if isAsked, await !self.send(pending, on: stream) { return .gone }
                return await self.listen(to: stream, into: beginning)
            }
            defer { group.cancelAll() }
            for await case let end? in group { return end }
            return .gone
        }
        try Task.checkCancellation()
        switch end {
        case .admitted(let reason):
            try await store.approve(phone)
            // A connection that the phone has opened meanwhile is admitted as well.
            if let other = arrivals[phone], other.id != id { other.decision.yield(end) }
            notify(.phoneAdmitted(phone, reason))
            return beginning.withLock { $0 }
        case .refused:
            notify(.approvalRefused(phone))
            await dismiss(stream, .approvalRefused, "This phone was not approved on the computer.")
        case .crowded:
            await dismiss(
                stream, .modelBusy, "Too many phones wait for an approval. Scan the QR code of the host, or try again later.")
        case .gone:
            if isAsked, arrivals[phone]?.id == id { notify(.approvalAbandoned(phone)) }
            stream.close()
        case .replaced: stream.close()
        }
        return nil
    }

    /// Adds a new phone, and asks the user about it while there is room. A phone that reconnects keeps its place.
    private func enter(_ phone: PeerKey, _ decision: AsyncStream<Decision>.Continuation) -> (id: Int, isAsked: Bool) {
        let earlier = arrivals.removeValue(forKey: phone)
        earlier?.decision.yield(.replaced)
        let asked = arrivals.values.count(where: \.isAsked)
        let isAsked = earlier?.isAsked == true || asked < Self.maximumApprovals
        if !isAsked, arrivals.count - asked >= Self.maximumArrivals,
            let oldest = arrivals.filter({ !$0.value.isAsked }).min(by: { $0.value.id < $1.value.id })
        {
            oldest.value.decision.yield(.crowded)
            arrivals[oldest.key] = nil
        }
        lastSession += 1
        arrivals[phone] = Arrival(id: lastSession, isAsked: isAsked, decision: decision)
        if isAsked, earlier?.isAsked != true { notify(.approvalRequested(phone)) }
        wakeSessions()
        return (lastSession, isAsked)
    }

    /// Reads the bytes that a phone sends before its admission, up to the size of a line: only a read detects a stream's end.
    ///
    /// - Returns: The admission by an invitation, of which the first counts; `gone` at the stream's end; nil at the maximum size.
    private nonisolated func listen(to stream: any ByteStream, into beginning: Locked<Data>) async -> Decision? {
        var framing = NewlineFraming(maximumFrameSize: Limits.lineSize, maximumUnframedSize: Limits.unframedSize)
        var mayInvite = true
        while beginning.withLock({ $0.count < Limits.lineSize }) {
            // Fails also when the task was cancelled; the result is then ignored.
            guard let bytes = try? await stream.read() else { return .gone }
            beginning.withLock { $0 += bytes }
            guard mayInvite, let frames = try? framing.receive(bytes) else { continue }
            for case .complete(let line) in frames where mayInvite {
                guard case .invitation(let invitation)? = try? Message(line: line) else { continue }
                if await use(invitation) { return .admitted(.invitation) }
                mayInvite = false
                let refusal = ErrorReport(.invitationInvalid, "The invitation was used already, or is too old.")
                guard await send(.error(nil, refusal), on: stream) else { return .gone }
            }
        }
        return nil
    }

    // MARK: Decisions

    /// Creates an invitation for one new phone; nil if the host admits every phone.
    package func invite() -> Invitation? { configuration.admission == .open ? nil : invitations.make(now: elapsed()) }

    private func use(_ invitation: Invitation) -> Bool { invitations.use(invitation, now: elapsed()) }

    /// The phones that wait for the user's decision, in the order in which they came.
    package var waitingPhones: [PeerKey] { arrivals.filter(\.value.isAsked).sorted { $0.value.id < $1.value.id }.map(\.key) }

    /// Decides about a phone that waits. The first decision counts.
    ///
    /// - Parameter decider: The known phone that decides; nil for the terminal.
    package func decide(_ phone: PeerKey, isApproved: Bool, by decider: PeerKey? = nil) {
        arrivals[phone]?.decision.yield(isApproved ? .admitted(decider.map { .phone($0) } ?? .terminal) : .refused)
    }

    /// Ends a connection with an error.
    func dismiss(_ stream: any ByteStream, _ code: ErrorCode, _ message: String) async {
        // Does not wait for a phone that does not read the error.
        _ = try? await withTimeout(Self.flushTimeout, clock: clock) {
            await self.send(.error(nil, ErrorReport(code, message)), on: stream)
        }
        stream.finish()
    }

    // MARK: Capacity

    /// Minimum idle time after which a phone may be disconnected to make room for another one.
    static let idleLimit = Duration.seconds(60)

    /// Makes room for one more phone, if necessary by disconnecting another one: a known phone replaces an unknown one, and any
    /// phone replaces an idle one of its own kind. The phone that has been idle for longest is disconnected.
    ///
    /// - Returns: False if there is no room.
    func makePlace(isKnown: Bool) -> Bool {
        guard clientCount >= Limits.clientCount else { return true }
        let now = elapsed()
        let candidates = Dictionary(grouping: sessions, by: \.value.phone).filter { _, own in
            if own.contains(where: \.value.isKnown) != isKnown { return isKnown }
            return own.allSatisfy { $0.value.follows.isEmpty && now - $0.value.lastActivity >= Self.idleLimit }
        }
        // Unknown phones first, then those without an answer to receive, then the idlest, then the earliest.
        func rank(_ own: [(key: Int, value: HostSession)]) -> (Int, Int, Duration, Int) {
            (
                own.contains(where: \.value.isKnown) ? 1 : 0, own.contains { !$0.value.follows.isEmpty } ? 1 : 0,
                own.map(\.value.lastActivity).max() ?? .zero, own.map(\.key).min() ?? 0
            )
        }
        guard let phone = candidates.min(by: { rank($0.value) < rank($1.value) })?.key else { return false }
        notify(.phoneDisplaced(phone))
        for (id, session) in sessions where session.phone == phone {
            session.stream.close()
            remove(id)
        }
        return true
    }
}
