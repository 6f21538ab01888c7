package import Logging
import NetworkingKit
import ServiceLifecycle
import StorageKit
import WireKit

/// The sender of an outbox's entries: at most ``PushLimits/concurrent`` at once, and ``PushLimits/perSecond`` in any second.
///
/// A graceful shutdown waits for the requests under way. A request whose process was killed is repeated at the next start, with the
/// same identifier and in the same form, by which the push service or the device recognizes it.
///
/// An entry that a push service may have accepted in one form is sent in another form only if the reply to a repeated request shows
/// that the entry was not accepted: the address was dead before the first request. Otherwise the entry fails as
/// ``PushReason/unknownResult``: it is not shown twice, and its sender learns that it may not have been shown at all.
package struct PushDelivery: Service {
    private let outbox: PushOutbox
    private let senders: [PushChannel: any PushSender]
    private let logger: Logger
    private let clock: any Clock<Duration>
    private let random: @Sendable () -> Double
    /// Returns the time since this value was created.
    private let elapsed: @Sendable () -> Duration
    private let state: Locked<State>

    private struct State {
        var pace: PushPace
        var active = 0
        var isStopping = false
        var depthRecordedAt: Duration?
    }

    /// The pause after a failure of the database.
    private static let pauseAfterFailure = Duration.seconds(5)
    /// Maximum pause, because the wall clock may be set.
    private static let longestPause = Duration.seconds(60)

    /// - Parameters:
    ///   - senders: At most one sender for each channel. Routes of other channels are skipped.
    ///   - random: Returns a number from 0 to 1, for the jitter of pauses.
    package init(
        of outbox: PushOutbox, senders: [any PushSender], logger: Logger,
        clock: some Clock<Duration> = ContinuousClock(), random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.outbox = outbox
        self.senders = Dictionary(senders.map { ($0.channel, $0) }, uniquingKeysWith: { $1 })
        self.logger = logger
        self.clock = clock
        self.random = random
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        state = Locked(State(pace: PushPace(perSecond: outbox.limits.perSecond)))
    }

    /// Sends until the calling task is cancelled or a graceful shutdown begins. Runs once at a time.
    package func run() async throws {
        state.withLock { $0.isStopping = false }
        await withGracefulShutdownHandler {
            await recover()
            await withDiscardingTaskGroup { group in
                while !Task.isCancelled, !state.withLock({ $0.isStopping }) {
                    let next = await nextClaims()
                    for claim in next.claims {
                        group.addTask {
                            await deliver(claim)
                            makeRoom()
                        }
                    }
                    if case .untilChange(let limit) = next.pause { await wait(for: limit) }
                }
            }
        } onGracefulShutdown: {
            state.withLock { $0.isStopping = true }
            outbox.bell.ring()
        }
    }

    /// Releases the entries that a killed process was sending. If this fails, the entries wait for the end of their leases.
    private func recover() async {
        do {
            try await outbox.recover()
        } catch {
            logger.error("Could not read the outbox of notifications", metadata: ["error": "\(error)"])
        }
    }

    /// Ends a request. Wakes the loop only if all requests were in use.
    private func makeRoom() {
        let wasFull = state.withLock { state in
            defer { state.active -= 1 }
            return state.active == outbox.limits.concurrent
        }
        if wasFull { outbox.bell.ring() }
    }

    private enum Pause {
        /// More entries may be due.
        case none
        /// The pause lasts until the outbox changes, at most for the limit; nil for no limit.
        case untilChange(atMost: Duration?)
    }

    /// Claims the entries that may be sent now.
    ///
    /// - Returns: The claims, and the pause before the next ones.
    private func nextClaims() async -> (claims: [PushClaim], pause: Pause) {
        let (granted, pause) = state.withLock { state in
            let free = outbox.limits.concurrent - state.active
            return free > 0 ? state.pace.take(free, at: elapsed()) : (0, nil)
        }
        guard granted > 0 else { return ([], .untilChange(atMost: pause)) }
        do {
            let pretended = Set(senders.values.filter(\.isPretended).map(\.channel))
            let found = try await outbox.claim(granted, by: Set(senders.keys), pretended: pretended)
            state.withLock { state in
                state.pace.release(granted - found.claims.count)
                state.active += found.claims.count
            }
            for push in found.pretended {
                guard let sender = senders[push.route.channel] else { continue }
                outbox.metrics.record(await sender.send(push.entry, by: push.route), by: push.route.channel)
            }
            // The last record before a pause stays for a long time.
            await recordDepth(isLast: found.claims.isEmpty)
            if found.claims.count == granted { return (found.claims, .none) }
            return (found.claims, .untilChange(atMost: found.next.map { $0.duration(since: outbox.now()) }))
        } catch {
            state.withLock { $0.pace.release(granted) }
            logger.error("Could not read the outbox of notifications", metadata: ["error": "\(error)"])
            try? await clock.sleep(for: Self.pauseAfterFailure)
            return ([], .none)
        }
    }

    /// Waits for a change of the outbox, but at most for `pause`.
    @inline(never)
    private func wait(for pause: Duration?) async {
        guard let pause else {
            await outbox.bell.wait()
            return
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await outbox.bell.wait() }
            group.addTask { try? await clock.sleep(for: min(pause, Self.longestPause)) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Records the counts of entries, at most once per second while there are entries to send.
    private func recordDepth(isLast: Bool) async {
        let isDue = state.withLock { state in
            if !isLast, let last = state.depthRecordedAt, elapsed() - last < .seconds(1) { return false }
            state.depthRecordedAt = elapsed()
            return true
        }
        // The claims report a failure of the database.
        if isDue, let counts = try? await outbox.depth() { outbox.metrics.record(counts) }
    }

    // MARK: One entry

    /// Sends an entry by the first of its routes that accepts it, and stores the result.
    private func deliver(_ claim: PushClaim) async {
        var verdict = PushVerdict.failed(.notConfigured, by: nil)
        // The verdict for a refusal that the operator or the push service can fix, unless a further route accepts the entry.
        var mendable: PushVerdict?
        var dead: [DeadRoute] = []
        var hasSent = false
        let claimedAt = elapsed()
        routes: for route in claim.routes {
            guard let sender = senders[route.channel] else { continue }
            if hasSent {
                // The claim covers the rate limit of the first request only.
                await waitForCapacity()
                // The lease must not run out during a request: the entry would be sent twice.
                guard elapsed() - claimedAt + outbox.limits.timeout <= outbox.limits.lease else {
                    verdict = .retry(.shortLease, by: route.channel, after: nil)
                    break
                }
                guard await proceed(claim, to: route, forgetting: dead) else { return }
                dead = []
            }
            hasSent = true
            let result = await attempt(claim.entry, by: route, with: sender)
            // The result of a cancelled request is unknown: the entry is sent again once the lease has run out.
            if Task.isCancelled, !result.isAccepted { return }
            outbox.metrics.record(result, by: route.channel)
            switch result {
            case .accepted(let receipt):
                verdict = .accepted(receipt)
                break routes
            case .retry(let reason, let pause):
                verdict = .retry(reason, by: route.channel, after: pause)
                break routes
            case .dead(let reason, let since):
                dead.append(DeadRoute(route: route, since: since))
                verdict = .failed(reason, by: route.channel)
                if let earlier = claim.earlier, earlier.form == route.form, !earlier.wasTooLate(for: since, reason) {
                    verdict = .failed(.unknownResult, by: route.channel)
                    break routes
                }
            case .refused(let reason):
                log(.warning, "A push service refused a notification", claim.entry, route, reason)
                verdict = .failed(reason, by: route.channel)
            case .misconfigured(let reason):
                log(.error, "A push service refuses the configuration", claim.entry, route, reason)
                mendable = .retry(reason, by: route.channel, after: nil)
                // The push service may have accepted the earlier attempt with another configuration.
                if claim.earlier?.form == route.form { break routes }
            }
        }
        if case .failed(let reason, _) = verdict, reason != .unknownResult, let mendable { verdict = mendable }
        await complete(claim, verdict, dead)
    }

    private func attempt(_ entry: PushEntry, by route: PushRoute, with sender: any PushSender) async -> PushResult {
        do {
            return try await withTimeout(outbox.limits.timeout, clock: clock) { await sender.send(entry, by: route) }
        } catch {
            return .retry(.timedOut)
        }
    }

    /// Waits until the rate limit allows one more request.
    private func waitForCapacity() async {
        while !Task.isCancelled {
            let (granted, pause) = state.withLock { $0.pace.take(1, at: elapsed()) }
            if granted > 0 { return }
            try? await clock.sleep(for: pause)
        }
    }

    /// - Returns: False if the next route must not be used: the lease ran out, the entry has ended, or the database failed.
    private func proceed(_ claim: PushClaim, to route: PushRoute, forgetting dead: [DeadRoute]) async -> Bool {
        do {
            return try await outbox.proceed(claim, to: route, forgetting: dead)
        } catch {
            logger.error(
                "Could not store the route of a notification",
                metadata: ["push.id": "\(claim.entry.identifier)", "error": "\(error)"])
            return false
        }
    }

    private func complete(_ claim: PushClaim, _ verdict: PushVerdict, _ dead: [DeadRoute]) async {
        do {
            if try await outbox.complete(claim, verdict, dead: dead, random: random()) == nil {
                logger.warning("The lease of a notification ran out", metadata: ["push.id": "\(claim.entry.identifier)"])
            }
        } catch {
            // The entry stays active, and is sent again once its lease has run out.
            logger.error(
                "Could not store the result of a notification",
                metadata: ["push.id": "\(claim.entry.identifier)", "error": "\(error)"])
        }
    }

    private func log(_ level: Logger.Level, _ message: Logger.Message, _ entry: PushEntry, _ route: PushRoute, _ reason: PushReason)
    {
        logger.log(
            level: level, message,
            metadata: ["push.id": "\(entry.identifier)", "push.channel": "\(route.channel)", "push.reason": "\(reason)"])
    }
}

extension PushResult {
    fileprivate var isAccepted: Bool { if case .accepted = self { true } else { false } }
}

extension Timestamp {
    fileprivate func duration(since other: Timestamp) -> Duration { .milliseconds(max(milliseconds - other.milliseconds, 0)) }
}
