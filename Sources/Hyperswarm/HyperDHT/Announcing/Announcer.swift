import CompactEncoding
public import CryptoPrimitives
public import DHTRPC
public import NIOCore
public import UDX

/// Upkeep of a server's announcement under its own key, for as long as the server listens.
///
/// Runs on the event loop of its node. Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.12.
public actor Announcer: EventLoopConfined {
    public nonisolated let eventLoop: any EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    private let rpc: RPCNode
    private let keyPair: KeyPair
    private let target: DHTKey
    private let origin: NIODeadline
    private var state = AnnouncerState()
    private var timer: Scheduled<Void>?
    private var walk: Task<Void, Never>?
    private var waiters: [CheckedContinuation<[AnnouncedRelay], Never>] = []
    private var onChange: (@Sendable ([AnnouncedRelay]) -> Void)?
    private var isStopped = false

    public init(rpc: RPCNode, keyPair: KeyPair) {
        self.rpc = rpc
        self.keyPair = keyPair
        eventLoop = rpc.eventLoop
        target = DHTKey(hashing: keyPair.publicKey.bytes)
        origin = rpc.eventLoop.now
    }

    /// Nodes that relay to this server now, at most 3.
    public var relays: [AnnouncedRelay] { state.relays }

    /// Sets a handler of changes, called on the event loop.
    public func setChangeHandler(_ handler: (@Sendable ([AnnouncedRelay]) -> Void)?) {
        onChange = handler
    }

    /// Starts to announce. Does not wait.
    public func start() {
        perform(state.start(now: now))
    }

    /// Waits until at least one relay stores the announcement, or until ``stop()``.
    public func announced() async -> [AnnouncedRelay] {
        if !state.relays.isEmpty || isStopped { return state.relays }
        return await withCheckedContinuation { waiters.append($0) }
    }

    /// Announces again at once, after the network changed.
    public func refresh() {
        perform(state.start(now: now))
    }

    /// Stops, and removes the announcements. Takes at most 4 s if relays answer slowly.
    public func stop() async {
        guard !isStopped else { return }
        isStopped = true
        state.stop()
        timer?.cancel()
        timer = nil
        walk?.cancel()
        walk = nil
        resumeWaiters()
        await PeerDirectory(rpc: rpc).unannounce(target, keyPair: keyPair, at: state.relays.map(\.relayAddress))
    }

    private var now: Duration { .nanoseconds((eventLoop.now - origin).nanoseconds) }

    private func perform(_ actions: [AnnouncerState.Action]) {
        for action in actions {
            switch action {
            case .findPeer:
                walk = Task { await self.findNearest() }
            case .announce(let reply):
                rpc.onEventLoop { rpc in
                    rpc.startWrite(.announce, target: target, keyPair: keyPair, to: reply) { answer in
                        self.onEventLoop { announcer in
                            announcer.perform(
                                announcer.state.finishAnnouncement(
                                    at: reply.from, peerAddress: answer.map { _ in reply.to }, now: announcer.now))
                        }
                    }
                }
            case .ping(let address):
                rpc.onEventLoop { rpc in
                    _ = rpc.startRequest(.ping, to: address, maximumSends: 3) { result in
                        self.onEventLoop { announcer in
                            var isAnswered = false
                            if case .success = result { isAnswered = true }
                            announcer.perform(
                                announcer.state.finishPing(of: address, isAnswered: isAnswered, now: announcer.now))
                        }
                    }
                }
            case .unannounce(let address):
                rpc.onEventLoop { $0.startRemoval(of: target, keyPair: keyPair, at: address) }
            case .relaysChanged(let relays):
                onChange?(relays)
                resumeWaiters()
            }
        }
        schedule()
    }

    private func findNearest() async {
        let result = try? await rpc.query(Command.findPeer.rpc, target: target)
        guard !isStopped else { return }
        perform(state.finishWalk(result?.closest ?? [], now: now))
    }

    private func resumeWaiters() {
        let waiters = self.waiters
        self.waiters = []
        for waiter in waiters { waiter.resume(returning: state.relays) }
    }

    private func schedule() {
        timer?.cancel()
        timer = nil
        guard !isStopped, let deadline = state.deadline else { return }
        let delay = max(.zero, deadline - now)
        timer = eventLoop.scheduleTask(in: .nanoseconds(delay.wholeNanoseconds)) { [weak self] in
            self?.onEventLoop { $0.perform($0.state.advance(to: $0.now)) }
        }
    }
}

extension Duration {
    /// Whole nanoseconds, at most 292 years.
    var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : product &+ attoseconds / 1_000_000_000
    }
}
