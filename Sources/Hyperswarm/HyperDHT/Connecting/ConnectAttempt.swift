import CompactEncoding
import CryptoPrimitives
import DHTRPC
import Noise

/// The client's side of one connection, from the handshake to the first packet of the encrypted stream: events go in, actions come out.
///
///     relays known ──► handshake ──► path ──┬─► direct ────────────────────────┐
///                      (2 relays            ├─► wait for the server's packet ──┼─► stream ──► established
///                       at a time)          └─► local ping + hole punch ───────┤
///                                               + pairing at a blind relay ────┘
///
/// The owner runs the returned actions and calls ``advance(to:)`` at ``deadline``. After ``Action/fail(_:)`` nothing follows.
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
        /// Questions to nodes about this side's address, answered by ``ConnectAttempt/sampled(_:addresses:)``.
        case sampleAddress
        /// A connection to a blind relay and the pairing there, answered by ``ConnectAttempt/relayPaired(_:now:)`` or
        /// ``ConnectAttempt/relayFailed(_:)``.
        case pair(NoisePayload.RelayThrough, isInitiator: Bool)
        /// The stream's packets go to this address from now on, and the encrypted stream begins.
        case connectStream(remoteID: UInt32, to: PeerAddress, socket: SocketID, NoiseHandshake.Result)
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
        /// This side's public address, when it is known.
        var publicAddress: PeerAddress?
        /// True for an attempt that begins with relays of a record or of an earlier connection. They may be out of date.
        var hasKnownRelays = false
        /// The blind relay of this side's choice, and a random token. The server's choice comes first.
        var relayThrough: NoisePayload.RelayThrough?
        /// False for a side that sends no probes and relies on the relay.
        var punchesHoles = true
        /// Asks for permission to punch through random ports; see ``RandomPunchGate``.
        var admitsRandomPunch: @Sendable () -> Bool = { true }
    }

    /// The time from the handshake's answer to a path, in which a slow hole punch ends as well.
    static let pathTimeout = Duration.seconds(45)
    /// The time in which a server that must connect by itself has to do so.
    static let waitTimeout = Duration.seconds(10)
    /// The time from the choice of a path to the header of the peer's encrypted stream.
    static let streamTimeout = Duration.seconds(15)
    /// The time for which a path without the relay is preferred after the relay is ready.
    static let relayDelay = Duration.seconds(1)
    /// The number of relays asked at a time; one more if relays were known before the search.
    static let parallelHandshakes = 2
    static let maximumRelayCount = 32
    /// The time to live of the first probe: enough to open this side's mapping, too little to reach the peer's network.
    static let shortTimeToLive = 5

    private enum State {
        case handshaking
        case finding
        case streaming
        case established
        case failed
    }

    private struct Punch {
        var id: UInt64
        var secret: [UInt8]
        /// The relay of the server's choice and the server's address as that relay sees it.
        var serverRelay: NoisePayload.Holepunch.Relay
        /// The relay through which the handshake went.
        var ownRelay: PeerAddress
        /// The server as ``ownRelay`` sees it.
        var serverAddress: PeerAddress
        var round: UInt64 = 0
        /// True once the server was told that this side punches.
        var hasAnnounced = false
        var hasRetried = false
        var retryTime: Duration?
        var puncher: HolePuncher?
        var remoteFirewall = Firewall.unknown
        var hasEnded = false
        /// The token of the server's last message.
        var remoteToken: [UInt8]?
        var remoteAddresses: [PeerAddress] = []
    }

    /// The way to the peer over a blind relay.
    private struct Relay {
        var path: RelayPath?
        /// The time at which the relay is used.
        var useTime: Duration?
        var error: ConnectError?
        var isInUse = false
    }

    private let configuration: Configuration
    private let initiator: HandshakeInitiator
    private let addressToken: AddressToken
    private var random: any RandomNumberGenerator & Sendable
    private var state = State.handshaking

    private var waitingRelays: [PeerAddress] = []
    private var knownRelays: Set<PeerAddress> = []
    private var activeRelays: Set<PeerAddress> = []
    private var hasSearchEnded = false
    private var searchError: ConnectError?
    private var silentRelayCount = 0

    private var result: NoiseHandshake.Result?
    private var remoteStreamID: UInt32 = 0
    /// The relays that the server named, 3 at most.
    private(set) var peerRelayAddresses: [PeerAddress] = []
    /// The source of a packet that came before the handshake's answer.
    private var earlySource: (address: PeerAddress, socket: SocketID)?
    private var localFirewall: Firewall
    private var localAddresses: [PeerAddress] = []
    private var hasSampled = false
    private var punch: Punch?
    private var pendingPing: PeerAddress?
    private var relay: Relay?
    private var isWaitingForServer = false
    private var stateDeadline: Duration?

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

    /// True while further relays are of use.
    var isSearching: Bool { if case .handshaking = state { true } else { false } }
    /// True once the peer's encrypted stream has begun.
    var isEstablished: Bool { if case .established = state { true } else { false } }
    /// True when the stream's packets go through a blind relay.
    var isRelayed: Bool { relay?.isInUse ?? false }
    /// True while this side sends probes to or from random ports.
    var isGuessingPorts: Bool { punch?.puncher?.isGuessingPorts ?? false }
    /// True after a failure.
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

    /// The time at which ``advance(to:)`` has something to do.
    var deadline: Duration? {
        guard !hasFailed, !isEstablished else { return nil }
        return [stateDeadline, punch?.retryTime, punch?.puncher?.deadline, relay?.useTime].compactMap { $0 }.min()
    }

    // MARK: - Handshake

    /// Adds nodes that may relay to the peer, in the order in which to try them. Known ones are ignored.
    mutating func addRelays(_ relays: [PeerAddress]) -> [Action] {
        for relay in relays where relay.isSendable && knownRelays.count < ConnectAttempt.maximumRelayCount {
            if knownRelays.insert(relay).inserted { waitingRelays.append(relay) }
        }
        return continueHandshake()
    }

    /// Ends the search for relays.
    ///
    /// - Parameter error: The reason for which the search itself failed, if it did.
    mutating func relaySearchEnded(error: ConnectError? = nil) -> [Action] {
        hasSearchEnded = true
        searchError = error
        return continueHandshake()
    }

    private mutating func continueHandshake() -> [Action] {
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

    /// Takes a relay's response to a handshake request.
    ///
    /// - Parameters:
    ///   - value: `nil` when the relay does not know the peer.
    ///   - ownAddress: This side as the relay sees it.
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
            pendingPing = local
            if let local { actions.append(.ping(local)) }
            return actions + beginPunch(payload, message: message, relay: relay, result: answer.result)
        }
    }

    /// A handshake request that was not answered.
    mutating func handshakeTimedOut(at relay: PeerAddress) -> [Action] {
        guard activeRelays.remove(relay) != nil else { return [] }
        silentRelayCount += 1
        return continueHandshake()
    }

    // MARK: - Local network

    mutating func pingAnswered(by address: PeerAddress, now: Duration) -> [Action] {
        guard pendingPing == address, case .finding = state else { return [] }
        pendingPing = nil
        return connect(to: address, socket: .main, now: now)
    }

    mutating func pingTimedOut(_ address: PeerAddress) -> [Action] {
        guard pendingPing == address else { return [] }
        pendingPing = nil
        return failIfNoPathIsLeft()
    }

    // MARK: - Hole punch

    private mutating func beginPunch(
        _ payload: NoisePayload, message: HandshakeMessage, relay: PeerAddress, result: NoiseHandshake.Result
    ) -> [Action] {
        guard let holepunch = payload.holepunch, let serverAddress = message.peerAddress,
            let serverRelay = holepunch.relays.first(where: { $0.relayAddress == relay }) ?? holepunch.relays.first
        else { return failIfNoPathIsLeft() }
        punch = Punch(
            id: holepunch.id, secret: BLAKE2b.hash(Namespace.peerHolepunch, key: result.hash), serverRelay: serverRelay,
            ownRelay: relay,
            serverAddress: serverAddress)
        var actions: [Action] = []
        if serverAddress.isSendable {
            actions.append(.probe(serverAddress, socket: .main, timeToLive: ConnectAttempt.shortTimeToLive))
        }
        if !hasSampled { actions.append(.sampleAddress) }
        return actions + [requestProbe()]
    }

    /// Asks for the server's kind of network.
    private mutating func requestProbe() -> Action {
        guard let punch else { return .fail(ConnectError(.holePunchFailed)) }
        var payload = HolepunchPayload()
        payload.round = punch.round
        payload.firewall = localFirewall
        payload.addresses = localAddresses.isEmpty ? nil : localAddresses
        payload.remoteAddress = punch.serverAddress
        return request(payload, punch: punch, relay: punch.serverRelay.relayAddress, peerAddress: punch.serverRelay.peerAddress)
    }

    private mutating func request(_ payload: HolepunchPayload, punch: Punch, relay: PeerAddress, peerAddress: PeerAddress) -> Action
    {
        let nonce = RandomBytes.make(SecretBox.nonceSize, using: &random)
        let message = HolepunchMessage(
            mode: .fromClient, id: punch.id, payload: payload.sealed(key: punch.secret, nonce: nonce), peerAddress: peerAddress)
        return .requestHolepunch(relay: relay, value: message.encoded, round: payload.round)
    }

    /// Takes what nodes say about this side's address.
    mutating func sampled(_ firewall: Firewall, addresses: [PeerAddress], now: Duration) -> [Action] {
        hasSampled = true
        if configuration.firewall != .open { localFirewall = firewall }
        localAddresses = addresses
        guard let punch, !punch.hasAnnounced, !punch.hasEnded, punch.remoteFirewall != .unknown, case .finding = state else {
            return []
        }
        return beginPunching(now: now)
    }

    /// Takes the response to a hole punch request.
    mutating func holepunchAnswered(value: [UInt8]?, round: UInt64, now: Duration) -> [Action] {
        guard case .finding = state, var punch, !punch.hasEnded, round == punch.round else { return [] }
        guard let value, let message = try? HolepunchMessage(decoding: value), message.mode == .reply,
            let payload = try? HolepunchPayload(opening: message.payload, key: punch.secret)
        else { return endPunch() }
        guard payload.error == .none else {
            self.punch?.remoteFirewall = payload.firewall
            return endPunch()
        }
        punch.remoteFirewall = payload.firewall
        punch.remoteToken = payload.token ?? punch.remoteToken
        punch.remoteAddresses = payload.addresses ?? []
        self.punch = punch
        if punch.hasAnnounced {
            return payload.isPunching ? startPuncher(payload, now: now) : endPunch()
        }
        if punch.remoteFirewall == .unknown {
            guard !punch.hasRetried else { return abortPunch() }
            self.punch?.hasRetried = true
            self.punch?.retryTime = now + .seconds(1)
            return []
        }
        return beginPunching(now: now)
    }

    mutating func holepunchTimedOut(round: UInt64) -> [Action] {
        guard punch?.round == round, punch?.puncher == nil else { return [] }
        return endPunch()
    }

    /// Tells the server that this side begins to send probes, once both kinds of network are known.
    private mutating func beginPunching(now: Duration) -> [Action] {
        guard var punch else { return [] }
        if localFirewall == .unknown {
            // The samples are still on their way. The path's deadline ends the wait.
            guard hasSampled else { return [] }
            return abortPunch()
        }
        guard HolePuncher.plan(local: localFirewall, remote: punch.remoteFirewall) != nil else { return abortPunch() }
        punch.round += 1
        punch.hasAnnounced = true
        punch.retryTime = nil
        self.punch = punch
        var payload = HolepunchPayload()
        payload.round = punch.round
        payload.isPunching = true
        payload.firewall = localFirewall
        payload.addresses = localAddresses
        payload.token = addressToken.token(for: punch.serverAddress)
        payload.remoteToken = punch.remoteToken
        return [request(payload, punch: punch, relay: punch.ownRelay, peerAddress: punch.serverAddress)]
    }

    private mutating func startPuncher(_ payload: HolepunchPayload, now: Duration) -> [Action] {
        guard let punch, punch.puncher == nil,
            let plan = HolePuncher.plan(local: localFirewall, remote: punch.remoteFirewall)
        else { return [] }
        if plan != .addresses, !configuration.admitsRandomPunch() { return abortPunch(.tryLater) }
        // The token went to the server's address through our relay: an echo proves that the server receives there.
        let isVerified = addressToken.isValid(payload.remoteToken, for: punch.serverAddress)
        var addresses = punch.remoteAddresses
        if !addresses.contains(punch.serverAddress) { addresses.append(punch.serverAddress) }
        self.punch?.puncher = HolePuncher(
            plan: plan, addresses: addresses, verifiedHost: isVerified ? punch.serverAddress.octets : nil, now: now)
        return advance(to: now)
    }

    /// Sockets that were opened for ``Action/openSockets(_:)``.
    mutating func add(_ sockets: [SocketID]) {
        punch?.puncher?.add(sockets)
    }

    /// True for an address that the server named in messages of the handshake.
    func isNamed(_ address: PeerAddress) -> Bool {
        guard let punch else { return false }
        return address == punch.serverAddress || address == punch.serverRelay.peerAddress || punch.remoteAddresses.contains(address)
    }

    /// True while the server's probes may come from any port of its host.
    var expectsAnyPort: Bool { punch?.remoteFirewall == .random }

    /// A datagram of one byte. Its source is an address at which the server is reached.
    mutating func probeReceived(from source: PeerAddress, socket: SocketID, now: Duration) -> [Action] {
        guard case .finding = state, let punch, source.isSendable else { return [] }
        // Anyone can send one byte: only hosts that the server named in messages of the handshake count.
        let hosts = [punch.serverAddress.octets, punch.serverRelay.peerAddress.octets] + punch.remoteAddresses.map(\.octets)
        guard hosts.contains(source.octets) else { return [] }
        return connect(to: source, socket: socket, now: now)
    }

    /// Tells the server that no plan exists and gives the hole punch up.
    private mutating func abortPunch(_ error: PeerError = .aborted) -> [Action] {
        guard let punch else { return [] }
        var payload = HolepunchPayload()
        payload.error = error
        payload.round = punch.round + 1
        payload.firewall = localFirewall
        let action = request(payload, punch: punch, relay: punch.ownRelay, peerAddress: punch.serverAddress)
        return [action] + endPunch()
    }

    private mutating func endPunch() -> [Action] {
        punch?.hasEnded = true
        punch?.retryTime = nil
        punch?.puncher?.stop()
        return failIfNoPathIsLeft()
    }

    private mutating func failIfNoPathIsLeft() -> [Action] {
        guard case .finding = state, pendingPing == nil, punch?.hasEnded ?? true else { return [] }
        if let relay, relay.error == nil {
            // Nothing is left to wait for but the relay.
            if relay.path != nil { self.relay?.useTime = .zero }
            return []
        }
        return fail(pathError)
    }

    private var pathError: ConnectError {
        var error = relay?.error ?? ConnectError(.holePunchFailed)
        error.localFirewall = localFirewall
        error.remoteFirewall = punch?.remoteFirewall ?? .unknown
        return error
    }

    // MARK: - Relay

    /// The blind relay paired this side's stream with the server's.
    mutating func relayPaired(_ path: RelayPath, now: Duration) -> [Action] {
        guard case .finding = state, relay != nil else { return [] }
        relay?.path = path
        relay?.useTime = now + ConnectAttempt.relayDelay
        return failIfNoPathIsLeft()
    }

    /// The way over the blind relay is closed, before or after the pairing.
    mutating func relayFailed(_ error: ConnectError) -> [Action] {
        guard relay != nil, relay?.error == nil else { return [] }
        relay?.error = error
        relay?.path = nil
        relay?.useTime = nil
        if case .streaming = state, isRelayed { return fail(pathError) }
        return failIfNoPathIsLeft()
    }

    private mutating func useRelay(now: Duration) -> [Action] {
        guard let path = relay?.path, case .finding = state else { return [] }
        relay?.isInUse = true
        return connect(to: path.address, socket: path.socket, remoteID: path.streamID, now: now)
    }

    // MARK: - Stream

    /// A UDX packet for this side's stream id. The source is the server's address.
    mutating func packetReceived(from source: PeerAddress, socket: SocketID, now: Duration) -> [Action] {
        switch state {
        case .handshaking:
            // The server's first packet can overtake its handshake answer.
            if earlySource == nil { earlySource = (source, socket) }
            return []
        case .finding:
            // What comes from the relay has to go back there under the relay's stream id.
            if relay?.path?.address == source { return useRelay(now: now) }
            return connect(to: source, socket: socket, now: now)
        case .streaming, .established, .failed:
            return []
        }
    }

    private mutating func connect(to address: PeerAddress, socket: SocketID, remoteID: UInt32? = nil, now: Duration) -> [Action] {
        guard case .finding = state, let result else { return [] }
        guard address.isSendable else { return failIfNoPathIsLeft() }
        state = .streaming
        stateDeadline = now + ConnectAttempt.streamTimeout
        punch?.puncher?.stop()
        punch?.retryTime = nil
        relay?.useTime = nil
        return [.connectStream(remoteID: remoteID ?? remoteStreamID, to: address, socket: socket, result)]
    }

    /// The peer's encrypted stream began with the right header.
    mutating func headerReceived() {
        if case .streaming = state { state = .established }
    }

    /// The stream ended before the header came.
    mutating func streamClosed(_ error: ConnectError) -> [Action] {
        isEstablished ? [] : fail(error)
    }

    // MARK: - Time

    /// Does what is due at `now`.
    mutating func advance(to now: Duration) -> [Action] {
        guard !hasFailed, !isEstablished else { return [] }
        if let useTime = relay?.useTime, useTime <= now {
            relay?.useTime = nil
            return useRelay(now: now)
        }
        if let stateDeadline, stateDeadline <= now {
            if case .finding = state, let relay, relay.error == nil, punch?.hasEnded == false {
                // Only the hole punch is over: the pairing has a time limit of its own.
                self.stateDeadline = now + ConnectAttempt.pathTimeout
                pendingPing = nil
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
            if puncher.isFinished { stateDeadline = min(stateDeadline ?? .seconds(Int64.max), now + HolePuncher.interval * 2) }
        }
        return actions
    }

    private var timeoutError: ConnectError {
        if case .streaming = state {
            guard isRelayed else { return ConnectError(.streamTimedOut, "no packet of the peer's encrypted stream") }
            return ConnectError(
                .relayTimedOut, "the relay brought no packet of the peer", localFirewall: localFirewall,
                remoteFirewall: punch?.remoteFirewall)
        }
        if isWaitingForServer { return ConnectError(.streamTimedOut, "the server did not connect") }
        return pathError
    }

    private mutating func fail(_ error: ConnectError) -> [Action] {
        guard !hasFailed else { return [] }
        state = .failed
        return [.fail(error)]
    }
}
