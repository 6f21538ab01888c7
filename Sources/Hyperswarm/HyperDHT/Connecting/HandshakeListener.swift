import CompactEncoding
import CryptoPrimitives
import DHTRPC
import Noise

/// The server's side of the connections to one key pair, up to the first packet of each encrypted stream: events in, actions out.
///
///     handshake ──► session ──┬─► the client is reachable: connect to it ──────┬─► its header: established
///                             └─► wait for its packet, punch if it asks ───────┘
///                                 dropped after 10 s                              dropped after 15 s
///
/// A session whose stream runs through a blind relay stays after that, since the client may still find a path of its own.
///
/// Malformed and unexpected messages get no reply. Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`,
/// sections 4.10 and 4.11.
struct HandshakeListener: Sendable {
    enum Action: Hashable, Sendable {
        /// The response to a request that came straight from the client.
        case reply(IncomingRequest, value: [UInt8])
        /// A request that carries the answer back to a relay, which does not respond.
        case send(RPCRequest, socket: SocketID)
        /// A stream that receives on `streamID` and does not know the client's address yet.
        case openStream(streamID: UInt32, NoiseHandshake.Result)
        /// The stream's packets go to this address from now on, and the encrypted stream begins.
        case connectStream(streamID: UInt32, remoteID: UInt32, to: PeerAddress, socket: SocketID)
        /// A stream whose client never arrived, or never sent the header of the encrypted stream.
        case dropStream(streamID: UInt32)
        /// A datagram of one zero byte.
        case probe(PeerAddress, socket: SocketID)
        /// Sockets for one session, passed to ``HandshakeListener/add(_:streamID:)``.
        case openSockets(streamID: UInt32, count: Int)
        /// Questions to nodes about this side's address; the answers change ``HandshakeListener/environment``.
        case sampleAddress
        /// A connection to a blind relay and the pairing there; on success answered by
        /// ``HandshakeListener/relayPaired(streamID:_:now:)``.
        case pair(streamID: UInt32, NoisePayload.RelayThrough, isInitiator: Bool)
        /// A stream that ran through a blind relay goes to this address from now on.
        case changeRemote(streamID: UInt32, remoteID: UInt32, to: PeerAddress, socket: SocketID)
        /// An established stream that stays on the blind relay: its client has stopped looking for another path.
        case stayOnRelay(streamID: UInt32)
    }

    /// The facts about this host that its answers contain. The owner updates them.
    struct Environment: Hashable, Sendable {
        /// ``Firewall/open`` when this node knows that it is reachable, else ``Firewall/unknown``.
        var firewall = Firewall.unknown
        /// The kind of network and the addresses that a ``NATClassifier`` found.
        var sampledFirewall = Firewall.unknown
        var sampledAddresses: [PeerAddress] = []
        /// The addresses of this host's interfaces, with the port of the socket.
        var localAddresses: [PeerAddress] = []
        /// The nodes at which this server announced itself, and its address as they see it.
        var relays: [NoisePayload.Holepunch.Relay] = []
        /// The blind relay that answers name; nil for none.
        var relayThrough: PublicKey?
        /// False for a side that sends no probes and relies on the relay.
        var punchesHoles = true
    }

    struct Limits: Sendable {
        /// Maximum sessions that wait for their client; further handshakes are ignored.
        var maximumSessionCount = 128
        /// Maximum answers kept for repeated messages; further handshakes are ignored.
        var maximumAnswerCount = 4096
        /// Maximum new handshakes of one host: a burst, then a rate. Each handshake costs three multiplications on the curve.
        var burst = 512
        var ratePerSecond = 256
        /// Maximum sessions that wait at a blind relay chosen by their client; further clients need another path.
        var maximumRelayCount = 16
        /// Maximum time for a client to arrive.
        var sessionTimeout = Duration.seconds(10)
        /// Additional time for a client that arrives over a blind relay.
        var relayTimeout = NodeConfiguration.defaultRelayTimeout
        /// Maximum time from arrival to the encrypted stream's header: a client that only acknowledges must not hold a stream.
        var headerTimeout = ConnectAttempt.streamTimeout
        /// Maximum time after a hole punch message for a client on a blind relay to find another path: a run of guessed ports, and
        /// the pause before a client tries again.
        var moveTimeout = Duration.seconds(60)
    }

    private struct Session {
        var holepunchID: UInt64
        var remoteStreamID: UInt32
        var secret: [UInt8]
        /// The hosts from which the client may come, as ``PeerAddress/octets``.
        var clientHosts: Set<UInt32>
        /// The client's addresses on the local network, if both peers are behind the same public address.
        var localAddresses: [PeerAddress]
        var addressToken: AddressToken
        /// Time at which the session is dropped unless the client has arrived, and later unless its header has.
        var expires: Duration
        var isConnected = false
        /// True once the header of the client's encrypted stream arrived through the blind relay.
        var isEstablished = false
        /// True while the pairing at a relay chosen by the client is in progress.
        var awaitsRelay = false
        /// The blind relay's address while the stream runs through it; nil otherwise.
        var relayAddress: PeerAddress?
        var round: UInt64?
        var hasAborted = false
        var puncher: HolePuncher?

        /// True once the stream's packets go straight to the client.
        var hasOwnPath: Bool { isConnected && relayAddress == nil }
    }

    private struct CachedAnswer {
        var noise: [UInt8]
        var expires: Duration
    }

    private let keyPair: KeyPair
    private let limits: Limits
    /// Returns true for the public key of a client to admit. A refused client learns only that it was refused.
    private let admits: @Sendable (PublicKey) -> Bool
    /// Returns true if a stream may punch through random ports now; see ``RandomPunchGate``.
    private let admitsRandomPunch: @Sendable (UInt32) -> Bool
    var environment = Environment()
    private var random: any RandomNumberGenerator & Sendable
    private var limiter: RateLimiter
    /// Answers by the exact bytes of the client's Noise message, which arrives through several relays.
    private var answers: [[UInt8]: CachedAnswer] = [:]
    /// The time of the next search for expired answers; nil without answers.
    private var answersDeadline: Duration?
    private var sessions: [UInt32: Session] = [:]
    private var streamIDs: [UInt64: UInt32] = [:]
    private var lastHolepunchID: UInt64 = 0

    init(
        keyPair: KeyPair, limits: Limits = Limits(), random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        admitsRandomPunch: @escaping @Sendable (UInt32) -> Bool = { _ in true },
        admits: @escaping @Sendable (PublicKey) -> Bool = { _ in true }
    ) {
        self.keyPair = keyPair
        self.limits = limits
        self.random = random
        self.admits = admits
        self.admitsRandomPunch = admitsRandomPunch
        limiter = RateLimiter(burst: limits.burst, ratePerSecond: limits.ratePerSecond)
    }

    /// Count of all sessions, including established ones that may leave their blind relay.
    var sessionCount: Int { sessions.count }
    var cachedAnswerCount: Int { answers.count }

    /// True while this side sends probes to or from random ports for a stream.
    func isGuessingPorts(_ streamID: UInt32) -> Bool { sessions[streamID]?.puncher?.isGuessingPorts ?? false }

    /// True for the stream of a client that is expected, has just arrived, or may leave its blind relay.
    func hasSession(_ streamID: UInt32) -> Bool { sessions[streamID] != nil }

    /// The next time at which ``advance(to:)`` has work; nil if nothing is due.
    var deadline: Duration? {
        var deadline = answersDeadline
        for session in sessions.values {
            deadline = min(deadline ?? session.expires, session.expires)
            if let due = session.puncher?.deadline { deadline = min(deadline ?? due, due) }
        }
        return deadline
    }

    // MARK: Handshake

    /// Answers a PEER_HANDSHAKE whose target is this server.
    ///
    /// - Parameters:
    ///   - streamID: Returns an id that no stream of this process has. Called once at most.
    ///   - ephemeralKey: Returns a fresh key pair. Tests pass a recorded one.
    mutating func receiveHandshake(
        _ request: IncomingRequest, now: Duration, streamID: () -> UInt32, ephemeralKey: () -> KeyPair = { .generate() }
    ) -> [Action] {
        guard let value = request.message.value, let message = try? HandshakeMessage(decoding: value) else { return [] }
        let client: PeerAddress
        switch message.mode {
        case .fromClient: client = request.from
        case .fromRelay, .fromSecondRelay:
            guard let address = message.peerAddress, address.isSendable else { return [] }
            client = address
        case .fromServer, .reply: return []
        }
        if let answer = answers[message.noise], answer.expires > now {
            return [self.answer(request, message: message, noise: answer.noise, client: client)].compactMap { $0 }
        }
        if answers.count >= limits.maximumAnswerCount { dropExpiredAnswers(now: now) }
        guard sessions.values.count(where: { !$0.isConnected }) < limits.maximumSessionCount,
            answers.count < limits.maximumAnswerCount,
            limiter.admit(PeerAddress(octets: request.from.octets, port: 0), now: now)
        else { return [] }

        var handshake = NoiseHandshake(
            .ik, role: .responder, prologue: Namespace.peerHandshake, staticKey: keyPair, ephemeralKey: ephemeralKey())
        guard let plaintext = try? handshake.readMessage(message.noise), let remote = handshake.remoteStaticKey,
            let payload = try? NoisePayload(decoding: plaintext)
        else { return [] }
        guard admits(remote) else {
            return refuse(.aborted, handshake: handshake, request, message: message, client: client, now: now)
        }
        guard payload.version == NoisePayload.currentVersion, payload.error == .none, let stream = payload.stream else {
            let error = payload.version == NoisePayload.currentVersion ? PeerError.aborted : .versionMismatch
            return refuse(error, handshake: handshake, request, message: message, client: client, now: now)
        }
        let isDirect = message.mode == .fromClient
        let id = streamID()
        lastHolepunchID += 1
        var reply = replyPayload(streamID: id, holepunchID: lastHolepunchID)
        if let relay = environment.relayThrough, environment.firewall != .open {
            reply.relayThrough = NoisePayload.RelayThrough(publicKey: relay, token: RandomBytes.make(32, using: &random))
        }
        guard let noise = try? handshake.writeMessage(reply.encoded), let result = handshake.result else { return [] }
        keep(noise, for: message.noise, now: now)
        let local = isOwnHost(client) ? localAddresses(of: payload) : []
        sessions[id] = Session(
            holepunchID: lastHolepunchID, remoteStreamID: stream.id,
            secret: BLAKE2b.hash(Namespace.peerHolepunch, key: result.hash),
            clientHosts: Set([client.octets] + local.map(\.octets)), localAddresses: local,
            addressToken: AddressToken(secret: RandomBytes.make(32, using: &random)),
            expires: now + limits.sessionTimeout)
        streamIDs[lastHolepunchID] = id
        var actions = [Action.openStream(streamID: id, result)]
        if let action = answer(request, message: message, noise: noise, client: client) { actions.append(action) }
        if isDirect || payload.firewall == .open {
            return actions + connect(id, to: client, socket: request.socket, now: now)
        }
        actions += pair(id, own: reply.relayThrough, clients: payload.relayThrough, now: now)
        if environment.firewall != .open, environment.sampledFirewall == .unknown {
            actions.append(.sampleAddress)
        }
        return actions
    }

    private func replyPayload(streamID: UInt32, holepunchID: UInt64) -> NoisePayload {
        var payload = NoisePayload()
        payload.stream = NoisePayload.Stream(id: streamID)
        payload.firewall = environment.firewall == .open ? .open : .unknown
        let publicAddresses = environment.firewall == .open ? environment.sampledAddresses.filter { $0.port != 0 } : []
        payload.addresses4 = publicAddresses + environment.localAddresses.filter { !publicAddresses.contains($0) }
        if environment.firewall != .open, !environment.relays.isEmpty {
            payload.holepunch = NoisePayload.Holepunch(id: holepunchID, relays: environment.relays)
        }
        payload.relayAddresses = environment.relays.map(\.relayAddress)
        return payload
    }

    private mutating func refuse(
        _ error: PeerError, handshake: NoiseHandshake, _ request: IncomingRequest, message: HandshakeMessage, client: PeerAddress,
        now: Duration
    ) -> [Action] {
        var handshake = handshake
        var payload = NoisePayload()
        payload.error = error
        payload.stream = NoisePayload.Stream(id: 0)
        guard let noise = try? handshake.writeMessage(payload.encoded) else { return [] }
        keep(noise, for: message.noise, now: now)
        return [answer(request, message: message, noise: noise, client: client)].compactMap { $0 }
    }

    /// Returns the action that sends an answer back along the path of the request.
    private func answer(_ request: IncomingRequest, message: HandshakeMessage, noise: [UInt8], client: PeerAddress) -> Action? {
        switch message.mode {
        case .fromClient:
            return .reply(request, value: HandshakeMessage(mode: .reply, noise: noise).encoded)
        case .fromRelay, .fromSecondRelay:
            let relay = message.mode == .fromRelay ? request.from : message.relayAddress
            guard let relay, relay.isSendable else { return nil }
            let value = HandshakeMessage(mode: .fromServer, noise: noise, peerAddress: client).encoded
            return .send(answerRequest(request, to: relay, value: value), socket: request.socket)
        case .fromServer, .reply:
            return nil
        }
    }

    /// Returns the request that carries an answer through a relay, with the transaction id and target of the answered request.
    private func answerRequest(_ request: IncomingRequest, to relay: PeerAddress, value: [UInt8]) -> RPCRequest {
        RPCRequest(
            transactionID: request.message.transactionID, to: relay, command: request.message.command,
            target: request.message.target,
            value: value)
    }

    // MARK: Hole punch

    /// Answers a PEER_HOLEPUNCH whose target is this server.
    mutating func receiveHolepunch(_ request: IncomingRequest, now: Duration) -> [Action] {
        guard let value = request.message.value, let message = try? HolepunchMessage(decoding: value),
            message.mode == .fromRelay,
            let client = message.peerAddress, client.isSendable, let streamID = streamIDs[message.id],
            var session = sessions[streamID],
            let payload = try? HolepunchPayload(opening: message.payload, key: session.secret)
        else { return [] }
        guard payload.error == .none else {
            // The client may still arrive over the local network: the stream stays until the session expires.
            sessions[streamID]?.hasAborted = true
            sessions[streamID]?.puncher?.stop()
            return []
        }
        guard environment.punchesHoles else {
            var answer = HolepunchPayload()
            answer.error = .aborted
            answer.round = payload.round
            return [holepunchAnswer(answer, key: session.secret, to: request, client: client)]
        }
        guard !session.hasAborted, payload.round >= session.round ?? 0 else { return [] }
        session.round = payload.round
        session.clientHosts.insert(client.octets)
        for address in (payload.addresses ?? []).prefix(HolePuncher.maximumAddressCount) where session.clientHosts.count < 8 {
            session.clientHosts.insert(address.octets)
        }
        if session.isEstablished {
            session.expires = now + limits.moveTimeout
        } else if !session.isConnected {
            session.expires = max(session.expires, now + limits.sessionTimeout)
        }
        var actions: [Action] = []
        let local = environment.firewall == .open ? Firewall.open : environment.sampledFirewall
        if local == .unknown { actions.append(.sampleAddress) }

        let isVerified = session.addressToken.isValid(payload.remoteToken, for: client)
        if let remote = payload.remoteAddress, local == .open || local == .consistent, isOwn(remote) {
            // The client's mapping is open already: this byte reaches it, and the client connects at once.
            actions.append(.probe(client, socket: request.socket))
        }
        var isPunching = session.puncher != nil
        var error = PeerError.none
        if payload.isPunching, session.puncher == nil, !session.hasOwnPath,
            let plan = HolePuncher.plan(local: local, remote: payload.firewall)
        {
            if plan != .addresses, !admitsRandomPunch(streamID) {
                error = .tryLater
            } else {
                session.puncher = puncher(
                    plan, claimed: session.localAddresses + (payload.addresses ?? []), client: client,
                    verifiedHost: isVerified ? client.octets : nil, now: now
                )
                isPunching = true
                if plan != .addresses, !session.isConnected {
                    session.expires = now + RandomPunchGate.maximumRunTime + .seconds(5)
                }
            }
        } else if isVerified {
            session.puncher?.verify(client.octets)
        }
        sessions[streamID] = session

        var answer = HolepunchPayload()
        answer.error = error
        answer.firewall = local
        answer.round = payload.round
        answer.isPunching = isPunching && payload.isPunching
        answer.isConnected = session.hasOwnPath
        answer.addresses = environment.sampledAddresses.isEmpty ? nil : environment.sampledAddresses
        // Only this server's own relays are known to pass the token on to the address that they name.
        if environment.relays.contains(where: { $0.relayAddress == request.from }) {
            answer.token = session.addressToken.token(for: client)
        }
        answer.remoteToken = payload.token
        return actions + [holepunchAnswer(answer, key: session.secret, to: request, client: client)]
    }

    private mutating func holepunchAnswer(
        _ answer: HolepunchPayload, key: [UInt8], to request: IncomingRequest, client: PeerAddress
    ) -> Action {
        let nonce = RandomBytes.make(SecretBox.nonceSize, using: &random)
        let reply = HolepunchMessage(
            mode: .fromServer, id: 0, payload: answer.sealed(key: key, nonce: nonce), peerAddress: client)
        return .send(answerRequest(request, to: request.from, value: reply.encoded), socket: request.socket)
    }

    /// Creates the schedule of this side's probes. The client sends first: its first probe opens the way for this side's.
    private func puncher(
        _ plan: HolePuncher.Plan, claimed: [PeerAddress], client: PeerAddress, verifiedHost: UInt32?, now: Duration
    ) -> HolePuncher {
        var addresses = claimed.filter { $0.port != 0 }
        if !addresses.contains(client) { addresses.append(client) }
        return HolePuncher(
            plan: plan, addresses: addresses, verifiedHost: verifiedHost, now: now,
            delay: plan == .addresses ? HolePuncher.interval : .zero)
    }

    /// True for an address at which other nodes reach this socket.
    private func isOwn(_ address: PeerAddress) -> Bool {
        environment.sampledAddresses.contains(address) || environment.relays.contains { $0.peerAddress == address }
    }

    /// True for an address behind the same public address as this socket.
    private func isOwnHost(_ address: PeerAddress) -> Bool {
        environment.sampledAddresses.contains { $0.octets == address.octets }
            || environment.relays.contains { $0.peerAddress.octets == address.octets }
    }

    private func localAddresses(of client: NoisePayload) -> [PeerAddress] {
        Array(
            PathSelector.localCandidates(client.addresses4, localAddresses: environment.localAddresses)
                .prefix(HolePuncher.maximumLocalAddressCount))
    }

    /// Answers a probe: the client takes the source of a probe as the address that works.
    ///
    /// Only probes from a host of a client that has no path of its own yet are answered.
    func receiveProbe(from source: PeerAddress, socket: SocketID) -> [Action] {
        let isExpected = sessions.values.contains { !$0.hasOwnPath && $0.clientHosts.contains(source.octets) }
        return isExpected && environment.punchesHoles && source.isSendable ? [.probe(source, socket: socket)] : []
    }

    /// Adds the sockets opened for ``Action/openSockets(streamID:count:)``.
    mutating func add(_ sockets: [SocketID], streamID: UInt32) {
        sessions[streamID]?.puncher?.add(sockets)
    }

    // MARK: Relay

    /// Begins the pairing at this side's relay, else at the client's.
    private mutating func pair(
        _ streamID: UInt32, own: NoisePayload.RelayThrough?, clients: NoisePayload.RelayThrough?, now: Duration
    ) -> [Action] {
        guard let through = own ?? clients else { return [] }
        if own == nil {
            // Each of these sessions makes this node dial a key that its client chose.
            guard sessions.values.count(where: \.awaitsRelay) < limits.maximumRelayCount else { return [] }
            sessions[streamID]?.awaitsRelay = true
        }
        let expires = now + limits.sessionTimeout + limits.relayTimeout
        sessions[streamID]?.expires = expires
        return [.pair(streamID: streamID, through, isInitiator: own != nil)]
    }

    /// Connects a stream to the client's through the blind relay that paired both.
    mutating func relayPaired(streamID: UInt32, _ path: RelayPath, now: Duration) -> [Action] {
        sessions[streamID]?.awaitsRelay = false
        let actions = connect(streamID, to: path.address, socket: path.socket, remoteID: path.streamID, now: now)
        if !actions.isEmpty { sessions[streamID]?.relayAddress = path.address }
        return actions
    }

    /// Records that the blind relay of a session failed. The client may still arrive on another path.
    mutating func relayFailed(streamID: UInt32) {
        sessions[streamID]?.awaitsRelay = false
    }

    /// Returns the client's own stream id for a stream that runs through a blind relay; nil for other streams.
    func relayedStreamID(_ streamID: UInt32) -> UInt32? {
        sessions[streamID].flatMap { $0.relayAddress == nil ? nil : $0.remoteStreamID }
    }

    // MARK: Stream

    /// Processes the first packet for a stream. Its source is the client's address.
    mutating func packetReceived(streamID: UInt32, from source: PeerAddress, socket: SocketID, now: Duration) -> [Action] {
        if let session = sessions[streamID], let relay = session.relayAddress, relay != source, source.isSendable {
            sessions[streamID]?.relayAddress = nil
            sessions[streamID]?.puncher?.stop()
            return [.changeRemote(streamID: streamID, remoteID: session.remoteStreamID, to: source, socket: socket)]
        }
        return connect(streamID, to: source, socket: socket, now: now)
    }

    /// Records that the client's encrypted stream has begun.
    ///
    /// - Returns: True for a session that stays, since its stream runs through a blind relay, which the client may leave.
    mutating func established(streamID: UInt32, now: Duration) -> Bool {
        guard var session = sessions[streamID], session.isConnected, !session.hasOwnPath, environment.punchesHoles else {
            remove(streamID: streamID)
            return false
        }
        session.isEstablished = true
        session.expires = now + limits.moveTimeout
        sessions[streamID] = session
        return true
    }

    /// Removes a session.
    mutating func remove(streamID: UInt32) {
        guard let session = sessions.removeValue(forKey: streamID) else { return }
        streamIDs[session.holepunchID] = nil
    }

    /// - Parameter remoteID: The stream id for packets to a blind relay; `nil` for the client's own stream id.
    private mutating func connect(
        _ streamID: UInt32, to address: PeerAddress, socket: SocketID, remoteID: UInt32? = nil, now: Duration
    ) -> [Action] {
        guard let session = sessions[streamID], !session.isConnected, address.isSendable else { return [] }
        sessions[streamID]?.isConnected = true
        let expires = now + limits.headerTimeout
        sessions[streamID]?.expires = expires
        // On a blind relay the hole punch continues.
        if remoteID == nil { sessions[streamID]?.puncher?.stop() }
        return [.connectStream(streamID: streamID, remoteID: remoteID ?? session.remoteStreamID, to: address, socket: socket)]
    }

    // MARK: Time

    /// Performs the work that is due at `now`.
    mutating func advance(to now: Duration) -> [Action] {
        var actions: [Action] = []
        for streamID in sessions.keys.sorted() {
            guard var session = sessions[streamID] else { continue }
            if session.expires <= now {
                streamIDs[session.holepunchID] = nil
                sessions[streamID] = nil
                actions.append(session.isEstablished ? .stayOnRelay(streamID: streamID) : .dropStream(streamID: streamID))
                continue
            }
            guard let due = session.puncher?.deadline, due <= now else { continue }
            for action in session.puncher?.advance(to: now, random: &random) ?? [] {
                switch action {
                case .probe(let address, let socket): actions.append(.probe(address, socket: socket))
                case .openSockets(let count): actions.append(.openSockets(streamID: streamID, count: count))
                }
            }
            sessions[streamID] = session
        }
        if let due = answersDeadline, due <= now { dropExpiredAnswers(now: now) }
        return actions
    }

    private mutating func dropExpiredAnswers(now: Duration) {
        answers = answers.filter { $0.value.expires > now }
        answersDeadline = answers.isEmpty ? nil : now + limits.sessionTimeout
    }

    private mutating func keep(_ noise: [UInt8], for message: [UInt8], now: Duration) {
        answers[message] = CachedAnswer(noise: noise, expires: now + limits.sessionTimeout)
        answersDeadline = answersDeadline ?? now + limits.sessionTimeout
    }
}
