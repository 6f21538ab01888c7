import CompactEncoding
import CryptoPrimitives
import DHTRPC
import HyperswarmTestKit

@testable import HyperDHT

/// Two peers behind simulated address translation and one relay, in virtual time.
///
/// Every hop takes ten milliseconds. Streams are simulated by one packet that is repeated every second until the other side answers.
final class SimulatedNetwork {
    /// The address translation and filtering in front of one peer. Filters admit what was sent to before.
    final class NAT {
        enum Kind { case open, consistent, random }

        let kind: Kind
        let host: UInt32
        private var mappings: [String: UInt16] = [:]
        private var owners: [UInt16: SocketID] = [:]
        private var admitted: Set<String> = []
        private var generator: SplitMix64

        init(_ kind: Kind, host: UInt32, seed: UInt64) {
            self.kind = kind
            self.host = host
            generator = SplitMix64(seed)
        }

        /// The address under which `destination` sees a socket. Opens mapping and filter.
        func outgoing(_ socket: SocketID, to destination: PeerAddress) -> PeerAddress {
            let key = kind == .random ? "\(socket.number) \(destination)" : "\(socket.number)"
            var port: UInt16
            if let known = mappings[key] {
                port = known
            } else {
                repeat { port = UInt16.random(in: 1024...65535, using: &generator) } while owners[port] != nil
                mappings[key] = port
                owners[port] = socket
            }
            admitted.insert("\(port) \(destination)")
            return PeerAddress(octets: host, port: port)
        }

        /// The socket that a datagram from outside reaches.
        func incoming(port: UInt16, from source: PeerAddress) -> SocketID? {
            guard let socket = owners[port] else { return nil }
            return kind == .open || admitted.contains("\(port) \(source)") ? socket : nil
        }
    }

    /// A blind relay's conduct towards both peers.
    enum BlindRelay { case works, isUnreachable, refuses, neverPairs, vanishesAfterPairing }

    let relay = PeerAddress(host: "9.9.9.9", port: 49737)!
    /// The address of the blind relay's connections.
    let blindRelay = PeerAddress(host: "7.7.7.7", port: 7)!
    let blindRelayKey = KeyPair(seed: [UInt8](repeating: 7, count: 32))!.publicKey
    var blindRelayConduct = BlindRelay.works
    private var wishes: [String: (token: [UInt8], isInitiator: Bool)] = [:]
    /// The ids under which the relay takes packets of the client and of the server.
    private let clientRelayID: UInt32 = 501
    private let serverRelayID: UInt32 = 502
    private var hasClientSentToRelay = false
    private var hasServerSentToRelay = false
    let clientNAT: NAT
    let serverNAT: NAT
    let serverKeyPair: KeyPair
    private(set) var now = Duration.zero
    private var events = EventQueue<Duration, () -> Void>()
    private var nextSocket = 1

    var attempt: ConnectAttempt
    var listener: HandshakeListener
    /// False for a relay to which the server did not announce itself.
    var relayKnowsServer = true
    /// True for a relay whose forwarded handshakes get lost.
    var losesHandshakes = false
    /// The address of the server on the client's local network, if they share one.
    var sharedLocalAddress: PeerAddress?
    /// True for hosts of one network whose firewalls admit only answers, behind a router that passes nothing on from inside to its own public
    /// address.
    var isGuarded = false
    private let clientLocalAddress = PeerAddress(host: "192.168.1.2", port: 5000)!
    private let serverLocalAddress = PeerAddress(host: "192.168.1.9", port: 6000)!
    private var hasClientSentLocally = false
    private var hasServerSentLocally = false
    /// Delays the relay's answers, so that the server's packets overtake them.
    var answerDelay = Duration.zero
    private(set) var error: ConnectError?
    private(set) var establishedAt: Duration?
    private(set) var probeCount = 0
    private(set) var handshakeCount = 0
    private(set) var clientPath: PeerAddress?
    private var clientRemote: (address: PeerAddress, socket: SocketID)?
    private var serverRemotes: [UInt32: (address: PeerAddress, socket: SocketID)] = [:]

    init(
        client: NAT.Kind, server: NAT.Kind, clientClaimsOpen: Bool = false, serverClaimsOpen: Bool = false, sameHost: Bool = false,
        serverSampled: Firewall? = nil, clientRelays: Bool = false, serverRelays: Bool = false, punchesHoles: Bool = true,
        seed: UInt64 = 1
    ) throws {
        clientNAT = NAT(client, host: 0x0102_0304, seed: seed)
        serverNAT = NAT(server, host: sameHost ? 0x0102_0304 : 0x0506_0708, seed: seed + 100)
        let keyPair = KeyPair(seed: [UInt8](repeating: 2, count: 32))!
        serverKeyPair = keyPair
        var configuration = ConnectAttempt.Configuration(
            keyPair: KeyPair(seed: [UInt8](repeating: 1, count: 32))!, remotePublicKey: keyPair.publicKey, streamID: 77,
            firewall: clientClaimsOpen ? .open : .unknown,
            localAddresses: [PeerAddress(host: "172.17.0.1", port: 5000)!, PeerAddress(host: "192.168.1.2", port: 5000)!])
        configuration.punchesHoles = punchesHoles
        if clientRelays {
            configuration.relayThrough = NoisePayload.RelayThrough(
                publicKey: blindRelayKey, token: [UInt8](repeating: 4, count: 32))
        }
        attempt = try ConnectAttempt(configuration, random: SplitMix64(seed + 200))
        listener = HandshakeListener(keyPair: keyPair, random: SplitMix64(seed + 300))
        let address = serverNAT.outgoing(.main, to: relay)
        if serverRelays { listener.environment.relayThrough = blindRelayKey }
        listener.environment.punchesHoles = punchesHoles
        listener.environment.firewall = serverClaimsOpen ? .open : .unknown
        listener.environment.localAddresses = [
            PeerAddress(host: "192.168.1.9", port: 6000)!, PeerAddress(host: "172.17.0.1", port: 6000)!,
        ]
        listener.environment.relays = [NoisePayload.Holepunch.Relay(relayAddress: relay, peerAddress: address)]
        var classifier = NATClassifier(isOpen: serverClaimsOpen)
        for index in 0..<5 {
            let node = PeerAddress(octets: 0x0a0a_0a00 + UInt32(index), port: 1)
            classifier.add(serverNAT.outgoing(.main, to: node), from: node)
        }
        listener.environment.sampledFirewall = serverSampled ?? classifier.firewall
        listener.environment.sampledAddresses = serverSampled == .unknown ? [] : classifier.addresses
    }

    /// Runs the connection attempt to its end.
    func run(relays: [PeerAddress]? = nil) {
        perform(attempt.addRelays(relays ?? [relay]))
        perform(attempt.relaySearchEnded())
        goOn { establishedAt == nil && error == nil }
    }

    /// Runs on while the stream is on the blind relay and a hole punch looks for another path.
    func runOn() {
        _ = listener.established(streamID: 1001, now: now)
        goOn { attempt.mayMove || clientMove != nil && serverChange == nil }
    }

    private func goOn(while condition: () -> Bool) {
        while condition() {
            let timer = [attempt.deadline, listener.deadline].compactMap { $0 }.min()
            if let time = events.nextTime, time <= timer ?? time, let next = events.removeFirst() {
                now = max(now, time)
                next.event()
            } else if let timer {
                now = max(now, timer)
                if let deadline = attempt.deadline, deadline <= now { perform(attempt.advance(to: now)) }
                if let deadline = listener.deadline, deadline <= now { perform(listener.advance(to: now)) }
            } else {
                break
            }
        }
    }

    private func after(_ delay: Duration, _ run: @escaping () -> Void) {
        events.insert(run, at: now + delay)
    }

    private let hop = Duration.milliseconds(10)

    private func request(_ command: Command, value: [UInt8]) -> IncomingRequest {
        let message = RPCRequest(
            transactionID: 5, to: PeerAddress(octets: serverNAT.host, port: 1), command: RPCCommand(number: command.rawValue),
            target: DHTKey(serverKeyPair.publicKey.target), value: value)
        return IncomingRequest(from: relay, message: message)
    }

    // MARK: Client

    private func perform(_ actions: [ConnectAttempt.Action]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: ConnectAttempt.Action) {
        switch action {
        case .requestHandshake(let node, let value):
            handshakeCount += 1
            let own = clientNAT.outgoing(.main, to: node)
            guard node == relay, relayKnowsServer else {
                return after(hop * 2) { [self] in
                    perform(attempt.handshakeAnswered(by: node, value: nil, ownAddress: own, now: now))
                }
            }
            guard !losesHandshakes, let message = try? HandshakeMessage(decoding: value) else {
                return after(.seconds(4)) { [self] in perform(attempt.handshakeTimedOut(at: node)) }
            }
            let forwarded = HandshakeMessage(mode: .fromRelay, noise: message.noise, peerAddress: own)
            after(hop * 2) { [self] in
                var id: UInt32 = 1000
                perform(
                    listener.receiveHandshake(request(.peerHandshake, value: forwarded.encoded), now: now) {
                        id += 1
                        return id
                    })
            }
        case .requestHolepunch(let node, let value, let round):
            let own = clientNAT.outgoing(.main, to: node)
            guard let message = try? HolepunchMessage(decoding: value) else { return }
            let forwarded = HolepunchMessage(mode: .fromRelay, id: message.id, payload: message.payload, peerAddress: own)
            pendingRound = round
            after(hop * 2) { [self] in
                perform(listener.receiveHolepunch(request(.peerHolepunch, value: forwarded.encoded), now: now))
            }
        case .ping(let address):
            if address == sharedLocalAddress {
                after(hop) { [self] in perform(attempt.pingAnswered(by: address, now: now)) }
            } else {
                after(.seconds(4)) { [self] in perform(attempt.pingTimedOut(address)) }
            }
        case .probe(let address, let socket, let timeToLive):
            probeCount += 1
            if isGuarded {
                hasClientSentLocally = hasClientSentLocally || address == serverLocalAddress
                guard hasServerSentLocally, address == serverLocalAddress else { return }
                return after(hop) { [self] in perform(listener.receiveProbe(from: clientLocalAddress, socket: .main)) }
            }
            let source = clientNAT.outgoing(socket, to: address)
            guard timeToLive == nil, address.octets == serverNAT.host else { return }
            after(hop) { [self] in
                guard let socket = serverNAT.incoming(port: address.port, from: source) else { return }
                perform(listener.receiveProbe(from: source, socket: socket))
            }
        case .openSockets(let count):
            attempt.add(newSockets(count))
        case .sampleAddress:
            var classifier = NATClassifier()
            for index in 0..<5 {
                let node = PeerAddress(octets: 0x0a0a_0a00 + UInt32(index), port: 1)
                classifier.add(clientNAT.outgoing(.main, to: node), from: node)
            }
            let (firewall, addresses) = (classifier.firewall, classifier.addresses)
            after(hop * 2) { [self] in perform(attempt.sampled(firewall, addresses: addresses, now: now)) }
        case .pair(let through, let isInitiator):
            wish("client", through, isInitiator: isInitiator) { [self] error in perform(attempt.relayFailed(error)) }
        case .connectStream(let remoteID, let address, let socket, _):
            clientPath = address
            clientRemote = (address, socket)
            sendClientPacket(streamID: remoteID)
        case .changeRemote(let remoteID, let address, let socket):
            clientMove = (remoteID, address)
            let source = clientNAT.outgoing(socket, to: address)
            after(hop) { [self] in
                guard let socket = serverNAT.incoming(port: address.port, from: source) else { return }
                perform(listener.packetReceived(streamID: 1001, from: source, socket: socket, now: now))
            }
        case .fail(let error):
            self.error = error
        }
    }

    /// The client's part of a move from the blind relay.
    private(set) var clientMove: (remoteID: UInt32, address: PeerAddress)?

    private var pendingRound: UInt64 = 0

    private func newSockets(_ count: Int) -> [SocketID] {
        defer { nextSocket += count }
        return (nextSocket..<nextSocket + count).map { SocketID(number: $0) }
    }

    private func sendClientPacket(streamID: UInt32) {
        guard let clientRemote, establishedAt == nil else { return }
        if clientRemote.address == sharedLocalAddress
            || isGuarded && clientRemote.address == serverLocalAddress && hasServerSentLocally
        {
            after(hop) { [self] in
                perform(
                    listener.packetReceived(
                        streamID: streamID, from: PeerAddress(host: "192.168.1.2", port: 5000)!, socket: .main, now: now))
                establish()
            }
            return
        }
        if clientRemote.address == blindRelay {
            hasClientSentToRelay = true
            after(hop * 2) { [self] in
                guard blindRelayConduct == .works, hasServerSentToRelay, streamID == clientRelayID else { return }
                perform(listener.packetReceived(streamID: 1001, from: blindRelay, socket: .main, now: now))
            }
            return after(.seconds(1)) { [self] in sendClientPacket(streamID: streamID) }
        }
        let source = clientNAT.outgoing(clientRemote.socket, to: clientRemote.address)
        after(hop) { [self] in
            guard clientRemote.address.octets == serverNAT.host,
                let socket = serverNAT.incoming(port: clientRemote.address.port, from: source)
            else { return }
            perform(listener.packetReceived(streamID: streamID, from: source, socket: socket, now: now))
            sendServerPacket(streamID: streamID)
        }
        after(.seconds(1)) { [self] in sendClientPacket(streamID: streamID) }
    }

    private func establish() {
        attempt.headerReceived()
        if attempt.isEstablished, establishedAt == nil { establishedAt = now }
    }

    // MARK: Server

    private func perform(_ actions: [HandshakeListener.Action]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: HandshakeListener.Action) {
        switch action {
        case .send(let request, _):
            guard let value = request.value else { return }
            let server = serverNAT.outgoing(.main, to: relay)
            after(hop * 2 + answerDelay) { [self] in
                if let message = try? HandshakeMessage(decoding: value), request.command.number == Command.peerHandshake.rawValue {
                    let reply = HandshakeMessage(mode: .reply, noise: message.noise, peerAddress: server)
                    let own = clientNAT.outgoing(.main, to: relay)
                    perform(attempt.handshakeAnswered(by: relay, value: reply.encoded, ownAddress: own, now: now))
                } else if let message = try? HolepunchMessage(decoding: value) {
                    let reply = HolepunchMessage(mode: .reply, id: 0, payload: message.payload, peerAddress: server)
                    perform(attempt.holepunchAnswered(value: reply.encoded, round: pendingRound, now: now))
                }
            }
        case .pair(_, let through, let isInitiator):
            wish("server", through, isInitiator: isInitiator) { [self] _ in listener.relayFailed(streamID: 1001) }
        case .changeRemote(let streamID, let remoteID, let address, let socket):
            serverRemotes[streamID] = (address, socket)
            serverChange = (remoteID, address)
            sendServerPacket(streamID: streamID)
        case .connectStream(let streamID, let remoteID, let address, let socket):
            serverRemotes[streamID] = (address, socket)
            serverRemoteID = remoteID
            sendServerPacket(streamID: streamID)
        case .probe(let address, let socket):
            probeCount += 1
            if isGuarded {
                hasServerSentLocally = hasServerSentLocally || address == clientLocalAddress
                guard hasClientSentLocally, address == clientLocalAddress else { return }
                return after(hop) { [self] in perform(attempt.probeReceived(from: serverLocalAddress, socket: .main, now: now)) }
            }
            let source = serverNAT.outgoing(socket, to: address)
            after(hop) { [self] in
                guard address.octets == clientNAT.host, let socket = clientNAT.incoming(port: address.port, from: source) else {
                    return
                }
                perform(attempt.probeReceived(from: source, socket: socket, now: now))
            }
        case .openSockets(let streamID, let count):
            listener.add(newSockets(count), streamID: streamID)
        case .openStream, .dropStream, .stayOnRelay, .sampleAddress, .reply:
            break
        }
    }

    private(set) var serverRemoteID: UInt32?
    private(set) var serverChange: (remoteID: UInt32, address: PeerAddress)?

    /// Takes the wish of one side; the relay pairs both.
    private func wish(
        _ side: String, _ through: NoisePayload.RelayThrough, isInitiator: Bool, fail: @escaping (ConnectError) -> Void
    ) {
        guard through.publicKey == blindRelayKey else { return }
        switch blindRelayConduct {
        case .isUnreachable: return after(hop * 4) { fail(ConnectError(.relayUnreachable)) }
        case .refuses: return after(hop * 4) { fail(ConnectError(.relayRefused)) }
        case .neverPairs: return after(NodeConfiguration.defaultRelayTimeout) { fail(ConnectError(.relayTimedOut)) }
        case .works, .vanishesAfterPairing: break
        }
        wishes[side] = (through.token, isInitiator)
        guard let client = wishes["client"], let server = wishes["server"], client.token == server.token,
            client.isInitiator != server.isInitiator
        else { return }
        after(hop * 4) { [self] in
            let path = RelayPath(streamID: serverRelayID, address: blindRelay, socket: .main)
            perform(listener.relayPaired(streamID: 1001, path, now: now))
        }
        after(hop * 5) { [self] in
            perform(attempt.relayPaired(RelayPath(streamID: clientRelayID, address: blindRelay, socket: .main), now: now))
        }
    }

    private func sendServerPacket(streamID: UInt32) {
        guard let remote = serverRemotes[streamID], establishedAt == nil else { return }
        if remote.address == blindRelay {
            hasServerSentToRelay = true
            after(hop * 2) { [self] in
                guard blindRelayConduct == .works, hasClientSentToRelay else { return }
                perform(attempt.packetReceived(from: blindRelay, socket: .main, now: now))
                establish()
            }
            return after(.seconds(1)) { [self] in sendServerPacket(streamID: streamID) }
        }
        let source = serverNAT.outgoing(remote.socket, to: remote.address)
        after(hop) { [self] in
            guard let socket = clientNAT.incoming(port: remote.address.port, from: source) else { return }
            perform(attempt.packetReceived(from: source, socket: socket, now: now))
            establish()
        }
    }
}
