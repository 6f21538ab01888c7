import CompactEncoding
import CryptoPrimitives
public import DHTRPC

/// The rules of a storing and relaying node: requests and the time go in, actions come out.
///
///     client --request  mode 0--> this node --request  mode 2--> server     (to the address that announced itself)
///     client <--response mode 4-- this node <--request  mode 1-- server
///
/// A relayed answer goes only to a client that asked within the last seconds, so that an attacker cannot make this node send to
/// other addresses. Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, sections 4.3 to 4.6 and 4.11.1.
public struct StoringNode: Sendable {
    /// Work for the owner.
    public enum Action: Hashable, Sendable {
        /// An answer to the request at hand.
        case reply(value: [UInt8]?, error: UInt64 = 0, includesToken: Bool, includesCloserNodes: Bool)
        /// A request to pass on, with its own transaction id.
        case forward(RPCRequest, socket: SocketID)
        /// The answer of a server, for the client that waits for it.
        case respond(RPCResponse, socket: SocketID)
    }

    /// Maximum time between a relayed request and its answer.
    static let relayTimeout = Duration.seconds(15)
    static let maximumRelayCount = 8192
    /// Maximum size of a relayed Noise message or hole punch payload, in bytes.
    static let maximumRelayedSize = 1200

    private struct RelayKey: Hashable {
        var transactionID: UInt16
        var client: PeerAddress
        var command: Command
    }

    private struct Relay {
        var socket: SocketID
        var expires: Duration
    }

    private var store: PeerRecordStore
    private var values: StoredValues
    private var relays: [RelayKey: Relay] = [:]
    /// Rate limit of the requests that one address has relayed, equal to a server's limit for one host.
    private var limiter = RateLimiter(burst: 512, ratePerSecond: 256)
    private var random: any RandomNumberGenerator & Sendable

    public init(now: Duration = .zero, random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) {
        self.init(limits: PeerRecordStore.Limits(), now: now, random: random)
    }

    init(
        limits: PeerRecordStore.Limits, values: ValueLimits = ValueLimits(), now: Duration = .zero,
        random: any RandomNumberGenerator & Sendable
    ) {
        store = PeerRecordStore(limits: limits, now: now)
        self.values = StoredValues(limits: values)
        self.random = random
    }

    /// Count of the records under topics.
    public var recordCount: Int { store.recordCount }
    /// Count of the peers that this node relays to.
    public var routeCount: Int { store.routeCount }
    /// Count of the mutable and immutable values.
    public var valueCount: Int { values.count }
    /// Count of the relayed messages without an answer.
    var relayCount: Int { relays.count }

    /// Answers one request.
    ///
    /// - Parameter id: Id of this node; nil for a node that stores nothing.
    /// - Returns: The actions; none if the request is malformed, forged or over a limit.
    public mutating func handle(_ request: IncomingRequest, id: DHTKey?, now: Duration) -> [Action] {
        guard let target = request.message.target else { return [] }
        guard let command = Command(rawValue: request.message.command.number) else { return unknownCommand }
        switch command {
        case .findPeer:
            let route = store.route(to: target, now: now)
            let value = route.map { PeerRecord(publicKey: $0.publicKey).encoded }
            return [.reply(value: value, includesToken: true, includesCloserNodes: true)]
        case .lookup:
            let limit = request.hasValidToken ? LookupReply.maximumPeerCount : LookupReply.maximumUnprovedPeerCount
            let peers = store.records(under: target, limit: limit, now: now, random: &random)
            let value = peers.isEmpty ? nil : LookupReply(peers: peers).encoded
            return [.reply(value: value, includesToken: true, includesCloserNodes: true)]
        case .announce:
            return write(.announce, request, target: target, id: id, now: now)
        case .unannounce:
            return write(.unannounce, request, target: target, id: id, now: now)
        case .mutableGet, .immutableGet:
            return values.get(command, request, target: target, now: now)
        case .mutablePut, .immutablePut:
            return id == nil ? [] : values.put(command, request, target: target, now: now)
        case .peerHandshake:
            return relayHandshake(request, target: target, now: now)
        case .peerHolepunch:
            return relayHolepunch(request, target: target, now: now)
        case .plugin:
            return unknownCommand
        }
    }

    private var unknownCommand: [Action] {
        [.reply(value: nil, error: RPCErrorNumber.unknownCommand, includesToken: false, includesCloserNodes: true)]
    }

    // MARK: Writes

    private mutating func write(
        _ kind: AnnounceRequest.Kind, _ request: IncomingRequest, target: DHTKey, id: DHTKey?, now: Duration
    ) -> [Action] {
        guard request.hasValidToken, let token = request.message.token, let id, let value = request.message.value,
            let announce = try? AnnounceRequest(decoding: value), let peer = announce.peer,
            announce.isValid(kind, target: target.bytes, nodeID: id.bytes, token: token)
        else { return [] }
        let isSelf = peer.publicKey.target == target.bytes
        let done: Bool
        switch (kind, isSelf) {
        case (.announce, true):
            done = store.setRoute(to: peer.publicKey, target: target, address: request.from, socket: request.socket, now: now)
        case (.announce, false):
            done = store.insert(peer, under: target, now: now)
        case (.unannounce, true):
            store.removeRoute(to: target)
            done = true
        case (.unannounce, false):
            store.remove(peer.publicKey, under: target)
            done = true
        }
        return done ? [.reply(value: nil, includesToken: false, includesCloserNodes: false)] : []
    }

    // MARK: Relaying

    private mutating func relayHandshake(_ request: IncomingRequest, target: DHTKey, now: Duration) -> [Action] {
        guard let value = request.message.value, let message = try? HandshakeMessage(decoding: value),
            message.noise.count <= Self.maximumRelayedSize
        else { return [] }
        switch message.mode {
        case .fromClient:
            let route = store.route(to: target, now: now)
            // The client may name a second relay, which knows the server: this node forwards to that relay.
            guard let next = message.relayAddress ?? route?.address else { return [notFound] }
            guard limiter.admit(request.from, now: now), note(request, client: request.from, now: now) else { return [] }
            let forwarded = HandshakeMessage(mode: .fromRelay, noise: message.noise, peerAddress: request.from)
            return forward(forwarded.encoded, request, to: next, socket: message.relayAddress == nil ? route?.socket : nil)
        case .fromRelay:
            guard let route = store.route(to: target, now: now), let client = message.peerAddress,
                limiter.admit(request.from, now: now)
            else { return [] }
            let forwarded = HandshakeMessage(
                mode: .fromSecondRelay, noise: message.noise, peerAddress: client, relayAddress: request.from)
            return forward(forwarded.encoded, request, to: route.address, socket: route.socket)
        case .fromServer:
            guard let client = message.peerAddress, let socket = takeWaiting(request, client: client, now: now) else { return [] }
            let answer = HandshakeMessage(mode: .reply, noise: message.noise, peerAddress: request.from)
            return respond(answer.encoded, request, to: client, socket: socket)
        case .fromSecondRelay, .reply:
            return []
        }
    }

    private mutating func relayHolepunch(_ request: IncomingRequest, target: DHTKey, now: Duration) -> [Action] {
        guard let value = request.message.value, let message = try? HolepunchMessage(decoding: value),
            message.payload.count <= Self.maximumRelayedSize
        else { return [] }
        switch message.mode {
        case .fromClient:
            let route = store.route(to: target, now: now)
            guard let next = message.peerAddress ?? route?.address else { return [notFound] }
            guard limiter.admit(request.from, now: now), note(request, client: request.from, now: now) else { return [] }
            let forwarded = HolepunchMessage(mode: .fromRelay, id: message.id, payload: message.payload, peerAddress: request.from)
            return forward(forwarded.encoded, request, to: next, socket: next == route?.address ? route?.socket : nil)
        case .fromServer:
            guard let client = message.peerAddress, let socket = takeWaiting(request, client: client, now: now) else { return [] }
            let answer = HolepunchMessage(mode: .reply, id: message.id, payload: message.payload, peerAddress: request.from)
            return respond(answer.encoded, request, to: client, socket: socket)
        case .fromRelay, .fromSecondRelay, .reply:
            return []
        }
    }

    private var notFound: Action { .reply(value: nil, includesToken: false, includesCloserNodes: true) }

    private func forward(_ value: [UInt8], _ request: IncomingRequest, to address: PeerAddress, socket: SocketID?) -> [Action] {
        guard address.isSendable, address != request.from else { return [] }
        let message = RPCRequest(
            transactionID: request.message.transactionID, to: address, command: request.message.command,
            target: request.message.target,
            value: value)
        return [.forward(message, socket: socket ?? .main)]
    }

    private func respond(_ value: [UInt8], _ request: IncomingRequest, to client: PeerAddress, socket: SocketID) -> [Action] {
        [.respond(RPCResponse(transactionID: request.message.transactionID, to: client, value: value), socket: socket)]
    }

    /// Records a waiting client; false if the table is full.
    private mutating func note(_ request: IncomingRequest, client: PeerAddress, now: Duration) -> Bool {
        guard let command = Command(rawValue: request.message.command.number) else { return false }
        if relays.count >= Self.maximumRelayCount { relays = relays.filter { $0.value.expires > now } }
        guard relays.count < Self.maximumRelayCount else { return false }
        let key = RelayKey(transactionID: request.message.transactionID, client: client, command: command)
        relays[key] = Relay(socket: request.socket, expires: now + Self.relayTimeout)
        return true
    }

    /// Returns the socket at which a client waits for the answer with this transaction id; nil if none waits. The client gets one
    /// answer for each request, so that answers need no rate limit of their own.
    private mutating func takeWaiting(_ request: IncomingRequest, client: PeerAddress, now: Duration) -> SocketID? {
        guard let command = Command(rawValue: request.message.command.number) else { return nil }
        let key = RelayKey(transactionID: request.message.transactionID, client: client, command: command)
        return relays.removeValue(forKey: key).flatMap { $0.expires > now ? $0.socket : nil }
    }
}
