import CompactEncoding
import CryptoPrimitives
import DHTRPC
import Noise

/// The client's side of one connection, up to the first packet of the encrypted stream: events go in, actions come out.
///
///     relays known ──► handshake ──► path ──┬─► direct ────────────────────────┐
///                      (2 relays            ├─► wait for the server's packet ──┼─► stream ──► established
///                       at a time)          └─► local ping + hole punch ───────┤
///                                               + pairing at a blind relay ────┘
///
/// On a blind relay the hole punch continues after that, and the stream moves to the path that it finds.
///
/// The owner runs the returned actions and calls ``advance(to:)`` at ``deadline``. No action follows ``Action/fail(_:)``.
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, sections 4.6, 4.9, 4.11 and 4.13.
struct ConnectAttempt: Sendable {
    enum Action: Hashable, Sendable {
        /// A PEER_HANDSHAKE request with the peer's target, sent at most four times.
        case requestHandshake(relay: PeerAddress, value: [UInt8])
        /// A PEER_HOLEPUNCH request with the peer's target. The answer of `round` is passed back.
        case requestHolepunch(relay: PeerAddress, value: [UInt8], round: UInt64)
        /// A PING of an address on the local network.
        case ping(PeerAddress)
        /// A datagram of one zero byte.
        case probe(PeerAddress, socket: SocketID, timeToLive: Int?)
        case openSockets(Int)
        /// Requests to nodes for this side's address, answered by ``ConnectAttempt/sampled(_:addresses:now:)``.
        case sampleAddress
        /// A connection to a blind relay and the pairing there, answered by ``ConnectAttempt/relayPaired(_:now:)`` or
        /// ``ConnectAttempt/relayFailed(_:)``.
        case pair(NoisePayload.RelayThrough, isInitiator: Bool)
        /// The stream's packets go to this address from now on, and the encrypted stream begins.
        case connectStream(remoteID: UInt32, to: PeerAddress, socket: SocketID, NoiseHandshake.Result)
        /// The stream, which ran through a blind relay, goes to this address from now on.
        case changeRemote(remoteID: UInt32, to: PeerAddress, socket: SocketID)
        case fail(ConnectError)
    }

    struct Configuration: Sendable {
        var keyPair: KeyPair
        var remotePublicKey: PublicKey
        /// The id of the stream on which this side receives.
        var streamID: UInt32
        /// ``Firewall/open`` when this node knows that it is reachable, else ``Firewall/unknown``.
        var firewall = Firewall.unknown
        /// The addresses of this host's interfaces, with the port of the socket.
        var localAddresses: [PeerAddress] = []
        /// This side's public address; nil if it is unknown.
        var publicAddress: PeerAddress?
        /// True for an attempt that begins with relays of a record or of an earlier connection. These relays may be out of date.
        var hasKnownRelays = false
        /// The blind relay that this side chose, and a random token; nil for none. A relay that the server chose takes precedence.
        var relayThrough: NoisePayload.RelayThrough?
        /// False for a side that sends no probes and relies on the relay.
        var punchesHoles = true
        /// Returns true if this side may punch through random ports now; see ``RandomPunchGate``.
        var admitsRandomPunch: @Sendable () -> Bool = { true }
    }

    /// Maximum time from the handshake's answer to a path. A slow hole punch ends within this time.
    static let pathTimeout = Duration.seconds(45)
    /// Maximum time for the server to connect, if this side is reachable and waits for it.
    static let waitTimeout = Duration.seconds(10)
    /// Maximum time from the choice of a path to the header of the peer's encrypted stream.
    static let streamTimeout = Duration.seconds(15)
    /// Delay before a ready relay is used, in which a path without the relay is preferred.
    static let relayDelay = Duration.seconds(1)
    /// Maximum relays asked at a time; one more if relays were known before the search.
    static let parallelHandshakes = 2
    static let maximumRelayCount = 32
    /// The time to live of the first probe: enough to open this side's mapping, too little to reach the peer's network.
    static let shortTimeToLive = 5

    enum State {
        case handshaking
        case finding
        case streaming
        case established
        case failed
    }

    struct Punch {
        var id: UInt64
        var secret: [UInt8]
        /// The relay of the server's choice and the server's address as that relay sees it.
        var serverRelay: NoisePayload.Holepunch.Relay
        /// The relay through which the handshake went.
        var ownRelay: PeerAddress
        /// The server as ``ownRelay`` sees it.
        var serverAddress: PeerAddress
        var round: UInt64 = 0
        /// True once this side has announced its probes to the server.
        var hasAnnounced = false
        var hasRetried = false
        var retryTime: Duration?
        var puncher: HolePuncher?
        var remoteFirewall = Firewall.unknown
        var hasEnded = false
        /// The token of the server's last message.
        var remoteToken: [UInt8]?
        var remoteAddresses: [PeerAddress] = []
        /// The server's addresses on the local network, if both peers are behind the same public address. They are probed as well,
        /// since a firewall may refuse pings, and the router may drop datagrams to its own public address.
        var localAddresses: [PeerAddress] = []

        /// The addresses that the server named in messages of the handshake.
        var namedAddresses: [PeerAddress] { [serverAddress, serverRelay.peerAddress] + remoteAddresses + localAddresses }
    }

    /// The path to the peer over a blind relay.
    struct Relay {
        var path: RelayPath?
        /// Time from which the stream uses the relay; nil before the pairing and once a path is chosen.
        var useTime: Duration?
        var error: ConnectError?
        var isInUse = false
        /// True once the stream has moved from the relay to another path.
        var isLeft = false
    }

    let configuration: Configuration
    let initiator: HandshakeInitiator
    let addressToken: AddressToken
    var random: any RandomNumberGenerator & Sendable
    var state = State.handshaking

    var waitingRelays: [PeerAddress] = []
    var knownRelays: Set<PeerAddress> = []
    var activeRelays: Set<PeerAddress> = []
    var hasSearchEnded = false
    var searchError: ConnectError?
    var silentRelayCount = 0

    var result: NoiseHandshake.Result?
    var remoteStreamID: UInt32 = 0
    /// The relays that the server named, 3 at most.
    private(set) var peerRelayAddresses: [PeerAddress] = []
    /// The source of a packet that arrived before the handshake's answer; nil if none did.
    var earlySource: (address: PeerAddress, socket: SocketID)?
    var localFirewall: Firewall
    var localAddresses: [PeerAddress] = []
    var hasSampled = false
    var punch: Punch?
    /// The server's addresses on the local network that have not answered a ping yet.
    var pendingPings: Set<PeerAddress> = []
    var relay: Relay?
    var isWaitingForServer = false
    var stateDeadline: Duration?

    init(
        _ configuration: Configuration, ephemeralKey: KeyPair = .generate(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) throws(ConnectError) {
        var payload = NoisePayload()
        payload.firewall = configuration.firewall == .open ? .open : .unknown
        payload.addresses4 = (configuration.publicAddress.map { [$0] } ?? []) + configuration.localAddresses
        payload.stream = NoisePayload.Stream(id: configuration.streamID)
        payload.relayThrough = configuration.relayThrough
        do {
            initiator = try HandshakeInitiator(
                keyPair: configuration.keyPair, remotePublicKey: configuration.remotePublicKey, payload: payload,
                ephemeralKey: ephemeralKey)
        } catch { throw ConnectError(.invalidKey) }
        var random = random
        addressToken = AddressToken(secret: RandomBytes.make(32, using: &random))
        self.random = random
        self.configuration = configuration
        localFirewall = configuration.firewall
    }

    /// True while the handshake can use further relays.
    var isSearching: Bool { if case .handshaking = state { true } else { false } }
    /// True once the peer's encrypted stream has begun.
    var isEstablished: Bool { if case .established = state { true } else { false } }
    /// True when the stream's packets go through a blind relay.
    var isRelayed: Bool { relay?.isInUse ?? false }
    /// True while the stream runs through a blind relay, and a hole punch looks for another path.
    var mayMove: Bool {
        switch state {
        case .streaming, .established: isRelayed && relay?.isLeft == false && punch?.hasEnded == false
        case .handshaking, .finding, .failed: false
        }
    }
    /// True while the stream has no path yet, or may leave its blind relay.
    var seeksPath: Bool { if case .finding = state { true } else { mayMove } }
    /// True while this side sends probes to or from random ports.
    var isGuessingPorts: Bool { punch?.puncher?.isGuessingPorts ?? false }
    var hasFailed: Bool { if case .failed = state { true } else { false } }

    /// The step in progress; `nil` after the end.
    var hop: ConnectHop? {
        switch state {
        case .handshaking: activeRelays.isEmpty ? .lookup : .handshake
        case .finding: isWaitingForServer ? .stream : .holePunching
        case .streaming: .stream
        case .established, .failed: nil
        }
    }

    /// The next time at which ``advance(to:)`` has work; nil if nothing is due.
    var deadline: Duration? {
        guard !hasFailed, !isEstablished || mayMove else { return nil }
        return [isEstablished ? nil : stateDeadline, punch?.retryTime, punch?.puncher?.deadline, relay?.useTime].compactMap { $0 }
            .min()
    }

    // MARK: Handshake

    /// Adds nodes that may relay to the peer, in the order in which to try them. Known nodes are ignored.
    mutating func addRelays(_ relays: [PeerAddress]) -> [Action] {
        for relay in relays where relay.isSendable && knownRelays.count < ConnectAttempt.maximumRelayCount {
            if knownRelays.insert(relay).inserted { waitingRelays.append(relay) }
        }
        return continueHandshake()
    }

    /// Ends the search for relays.
    ///
    /// - Parameter error: The failure of the search itself; nil if it succeeded.
    mutating func relaySearchEnded(error: ConnectError? = nil) -> [Action] {
        hasSearchEnded = true
        searchError = error
        return continueHandshake()
    }

    mutating func continueHandshake() -> [Action] {
        guard case .handshaking = state else { return [] }
        var actions: [Action] = []
        let parallelCount = ConnectAttempt.parallelHandshakes + (configuration.hasKnownRelays ? 1 : 0)
        while activeRelays.count < parallelCount, !waitingRelays.isEmpty {
            let relay = waitingRelays.removeFirst()
            activeRelays.insert(relay)
            let message = HandshakeMessage(mode: .fromClient, noise: initiator.message)
            actions.append(.requestHandshake(relay: relay, value: message.encoded))
        }
        if activeRelays.isEmpty, hasSearchEnded {
            if silentRelayCount > 0 {
                return fail(ConnectError(.handshakeTimedOut, "\(silentRelayCount) relays did not bring an answer"))
            }
            return fail(searchError ?? ConnectError(.nothingAnnounced, "\(knownRelays.count) relays asked"))
        }
        return actions
    }

    /// Processes a relay's response to a handshake request.
    ///
    /// - Parameters:
    ///   - value: `nil` when the relay does not know the peer.
    ///   - ownAddress: This side's address as the relay sees it.
    mutating func handshakeAnswered(by relay: PeerAddress, value: [UInt8]?, ownAddress: PeerAddress, now: Duration) -> [Action] {
        guard activeRelays.remove(relay) != nil, case .handshaking = state else { return [] }
        guard let value, let message = try? HandshakeMessage(decoding: value), message.mode == .reply,
            let answer = initiator.open(message.noise)
        else { return continueHandshake() }
        let payload = answer.payload
        guard payload.version == NoisePayload.currentVersion else {
            return fail(ConnectError(.handshakeRefused, "version \(payload.version)", peerError: .versionMismatch))
        }
        guard payload.error == .none else { return fail(ConnectError(.handshakeRefused, peerError: payload.error)) }
        guard let stream = payload.stream else { return fail(ConnectError(.handshakeRefused, "no stream", peerError: .aborted)) }
        result = answer.result
        remoteStreamID = stream.id
        peerRelayAddresses = Array(payload.relayAddresses.filter(\.isSendable).prefix(PeerRecord.maximumRelayAddressCount))
        state = .finding
        stateDeadline = now + ConnectAttempt.pathTimeout
        if let earlySource { return connect(to: earlySource.address, socket: earlySource.socket, now: now) }
        let path = PathSelector.path(
            reply: payload, relay: relay, serverAddress: message.peerAddress, ownAddress: ownAddress,
            ownFirewall: configuration.firewall,
            localAddresses: configuration.localAddresses)
        switch path {
        case .direct(let address):
            return connect(to: address, socket: .main, now: now)
        case .wait:
            isWaitingForServer = true
            stateDeadline = now + ConnectAttempt.waitTimeout
            return []
        case .punch(let local):
            var actions: [Action] = []
            if let through = payload.relayThrough ?? configuration.relayThrough {
                self.relay = Relay()
                actions.append(.pair(through, isInitiator: payload.relayThrough == nil))
            }
            guard configuration.punchesHoles else { return actions + failIfNoPathIsLeft() }
            pendingPings = Set(local)
            actions += local.map { .ping($0) }
            return actions + beginPunch(payload, message: message, relay: relay, local: local, result: answer.result)
        }
    }

    /// Records that a relay did not answer a handshake request.
    mutating func handshakeTimedOut(at relay: PeerAddress) -> [Action] {
        guard activeRelays.remove(relay) != nil else { return [] }
        silentRelayCount += 1
        return continueHandshake()
    }

    // MARK: Local network

    mutating func pingAnswered(by address: PeerAddress, now: Duration) -> [Action] {
        guard pendingPings.contains(address), case .finding = state else { return [] }
        pendingPings = []
        return connect(to: address, socket: .main, now: now)
    }

    mutating func pingTimedOut(_ address: PeerAddress) -> [Action] {
        guard pendingPings.remove(address) != nil else { return [] }
        return failIfNoPathIsLeft()
    }

    // MARK: Stream

    /// Processes a UDX packet for this side's stream id. Its source is the server's address.
    mutating func packetReceived(from source: PeerAddress, socket: SocketID, now: Duration) -> [Action] {
        switch state {
        case .handshaking:
            // The server's first packet can overtake its handshake answer.
            if earlySource == nil { earlySource = (source, socket) }
            return []
        case .finding:
            // Packets from the relay are answered through it, under the relay's stream id.
            if relay?.path?.address == source { return useRelay(now: now) }
            return connect(to: source, socket: socket, now: now)
        case .streaming, .established, .failed:
            return source == relay?.path?.address ? [] : move(to: source, socket: socket)
        }
    }

    /// Sets the path of a stream that has no path yet, or only one over a blind relay.
    mutating func found(_ address: PeerAddress, socket: SocketID, now: Duration) -> [Action] {
        if case .finding = state { return connect(to: address, socket: socket, now: now) }
        return move(to: address, socket: socket)
    }

    private mutating func move(to address: PeerAddress, socket: SocketID) -> [Action] {
        guard mayMove, address.isSendable else { return [] }
        relay?.isLeft = true
        punch?.puncher?.stop()
        punch?.retryTime = nil
        return [.changeRemote(remoteID: remoteStreamID, to: address, socket: socket)]
    }

    /// - Parameter remoteID: The stream id for packets to a blind relay; `nil` for the server's own stream id.
    mutating func connect(to address: PeerAddress, socket: SocketID, remoteID: UInt32? = nil, now: Duration) -> [Action] {
        guard case .finding = state, let result else { return [] }
        guard address.isSendable else { return failIfNoPathIsLeft() }
        state = .streaming
        stateDeadline = now + ConnectAttempt.streamTimeout
        if remoteID == nil {
            punch?.puncher?.stop()
            punch?.retryTime = nil
        }
        relay?.useTime = nil
        return [.connectStream(remoteID: remoteID ?? remoteStreamID, to: address, socket: socket, result)]
    }

    /// Records that the peer's encrypted stream began with the right header.
    mutating func headerReceived() {
        if case .streaming = state { state = .established }
    }

    /// Fails the attempt if the stream ended before its header.
    mutating func streamClosed(_ error: ConnectError) -> [Action] {
        isEstablished ? [] : fail(error)
    }

    // MARK: Time

    /// Performs the work that is due at `now`.
    mutating func advance(to now: Duration) -> [Action] {
        guard !hasFailed, !isEstablished || mayMove else { return [] }
        if let useTime = relay?.useTime, useTime <= now {
            relay?.useTime = nil
            return useRelay(now: now)
        }
        if !isEstablished, let stateDeadline, stateDeadline <= now {
            if case .finding = state, let relay, relay.error == nil, punch?.hasEnded == false {
                // Only the hole punch is over: the pairing has a time limit of its own.
                self.stateDeadline = now + ConnectAttempt.pathTimeout
                pendingPings = []
                return endPunch()
            }
            return fail(timeoutError)
        }
        var actions: [Action] = []
        if let retryTime = punch?.retryTime, retryTime <= now {
            punch?.retryTime = nil
            punch?.round += 1
            actions.append(requestProbe())
        }
        if var puncher = punch?.puncher, let due = puncher.deadline, due <= now {
            for action in puncher.advance(to: now, random: &random) {
                switch action {
                case .probe(let address, let socket): actions.append(.probe(address, socket: socket, timeToLive: nil))
                case .openSockets(let count): actions.append(.openSockets(count))
                }
            }
            punch?.puncher = puncher
            // The last probe's answer may still be on its way: give it one more interval.
            if puncher.isFinished, mayMove { return actions + endPunch() }
            if puncher.isFinished { stateDeadline = min(stateDeadline ?? .seconds(Int64.max), now + HolePuncher.interval * 2) }
        }
        return actions
    }

    var timeoutError: ConnectError {
        if case .streaming = state {
            guard isRelayed else { return ConnectError(.streamTimedOut, "no packet of the peer's encrypted stream") }
            return ConnectError(
                .relayTimedOut, "the relay brought no packet of the peer", localFirewall: localFirewall,
                remoteFirewall: punch?.remoteFirewall)
        }
        if isWaitingForServer { return ConnectError(.streamTimedOut, "the server did not connect") }
        return pathError
    }

    mutating func fail(_ error: ConnectError) -> [Action] {
        guard !hasFailed else { return [] }
        state = .failed
        return [.fail(error)]
    }
}
