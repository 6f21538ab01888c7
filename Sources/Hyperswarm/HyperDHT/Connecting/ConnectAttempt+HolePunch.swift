import CompactEncoding
import CryptoPrimitives
import DHTRPC
import Noise

/// The search for a path between two networks, and over a blind relay.
///
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, sections 4.11 and 4.13.
extension ConnectAttempt {
    mutating func beginPunch(
        _ payload: NoisePayload, message: HandshakeMessage, relay: PeerAddress, local: [PeerAddress], result: NoiseHandshake.Result
    ) -> [Action] {
        guard let holepunch = payload.holepunch, let serverAddress = message.peerAddress,
            let serverRelay = holepunch.relays.first(where: { $0.relayAddress == relay }) ?? holepunch.relays.first
        else { return failIfNoPathIsLeft() }
        punch = Punch(
            id: holepunch.id, secret: BLAKE2b.hash(Namespace.peerHolepunch, key: result.hash), serverRelay: serverRelay,
            ownRelay: relay,
            serverAddress: serverAddress, localAddresses: local)
        var actions: [Action] = []
        if serverAddress.isSendable {
            actions.append(.probe(serverAddress, socket: .main, timeToLive: ConnectAttempt.shortTimeToLive))
        }
        if !hasSampled { actions.append(.sampleAddress) }
        return actions + [requestProbe()]
    }

    /// Returns the request for the server's kind of firewall.
    mutating func requestProbe() -> Action {
        guard let punch else { return .fail(ConnectError(.holePunchFailed)) }
        var payload = HolepunchPayload()
        payload.round = punch.round
        payload.firewall = localFirewall
        payload.addresses = localAddresses.isEmpty ? nil : localAddresses
        payload.remoteAddress = punch.serverAddress
        return request(payload, punch: punch, relay: punch.serverRelay.relayAddress, peerAddress: punch.serverRelay.peerAddress)
    }

    mutating func request(_ payload: HolepunchPayload, punch: Punch, relay: PeerAddress, peerAddress: PeerAddress) -> Action {
        let nonce = RandomBytes.make(SecretBox.nonceSize, using: &random)
        let message = HolepunchMessage(
            mode: .fromClient, id: punch.id, payload: payload.sealed(key: punch.secret, nonce: nonce), peerAddress: peerAddress)
        return .requestHolepunch(relay: relay, value: message.encoded, round: payload.round)
    }

    /// Processes the samples of this side's address.
    mutating func sampled(_ firewall: Firewall, addresses: [PeerAddress], now: Duration) -> [Action] {
        hasSampled = true
        if configuration.firewall != .open { localFirewall = firewall }
        localAddresses = addresses
        guard let punch, !punch.hasAnnounced, !punch.hasEnded, punch.remoteFirewall != .unknown, seeksPath else {
            return []
        }
        return beginPunching(now: now)
    }

    /// Processes the response to a hole punch request.
    mutating func holepunchAnswered(value: [UInt8]?, round: UInt64, now: Duration) -> [Action] {
        guard seeksPath, var punch, !punch.hasEnded, round == punch.round else { return [] }
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

    /// Announces to the server that this side begins to send probes, once both kinds of firewall are known.
    mutating func beginPunching(now: Duration) -> [Action] {
        guard var punch else { return [] }
        if localFirewall == .unknown {
            // The samples are still outstanding. The path's deadline ends the wait.
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

    mutating func startPuncher(_ payload: HolepunchPayload, now: Duration) -> [Action] {
        guard let punch, punch.puncher == nil,
            let plan = HolePuncher.plan(local: localFirewall, remote: punch.remoteFirewall)
        else { return [] }
        if plan != .addresses, !configuration.admitsRandomPunch() { return abortPunch(.tryLater) }
        // The token went to the server's address through our relay: an echo proves that the server receives there.
        let isVerified = addressToken.isValid(payload.remoteToken, for: punch.serverAddress)
        var addresses = punch.localAddresses.prefix(HolePuncher.maximumLocalAddressCount) + punch.remoteAddresses
        if !addresses.contains(punch.serverAddress) { addresses.append(punch.serverAddress) }
        self.punch?.puncher = HolePuncher(
            plan: plan, addresses: Array(addresses), verifiedHost: isVerified ? punch.serverAddress.octets : nil, now: now)
        return advance(to: now)
    }

    /// Adds the sockets opened for ``Action/openSockets(_:)``.
    mutating func add(_ sockets: [SocketID]) {
        punch?.puncher?.add(sockets)
    }

    /// True for an address that the server named in messages of the handshake.
    func isNamed(_ address: PeerAddress) -> Bool {
        punch?.namedAddresses.contains(address) ?? false
    }

    /// True while the server's probes may come from any port of its host.
    var expectsAnyPort: Bool { punch?.remoteFirewall == .random }

    /// Processes a datagram of one byte. Its source is an address at which the server can be reached.
    mutating func probeReceived(from source: PeerAddress, socket: SocketID, now: Duration) -> [Action] {
        guard seeksPath, let punch, source.isSendable else { return [] }
        // Anyone can send one byte: only hosts that the server named in messages of the handshake count.
        guard punch.namedAddresses.contains(where: { $0.octets == source.octets }) else { return [] }
        return found(source, socket: socket, now: now)
    }

    /// Reports to the server that no plan exists, and ends the hole punch.
    mutating func abortPunch(_ error: PeerError = .aborted) -> [Action] {
        guard let punch else { return [] }
        var payload = HolepunchPayload()
        payload.error = error
        payload.round = punch.round + 1
        payload.firewall = localFirewall
        let action = request(payload, punch: punch, relay: punch.ownRelay, peerAddress: punch.serverAddress)
        return [action] + endPunch()
    }

    mutating func endPunch() -> [Action] {
        punch?.hasEnded = true
        punch?.retryTime = nil
        punch?.puncher?.stop()
        return failIfNoPathIsLeft()
    }

    mutating func failIfNoPathIsLeft() -> [Action] {
        guard case .finding = state, pendingPings.isEmpty, punch?.hasEnded ?? true else { return [] }
        if let relay, relay.error == nil {
            // The relay is the only path left.
            if relay.path != nil { self.relay?.useTime = .zero }
            return []
        }
        return fail(pathError)
    }

    var pathError: ConnectError {
        var error = relay?.error ?? ConnectError(.holePunchFailed)
        error.localFirewall = localFirewall
        error.remoteFirewall = punch?.remoteFirewall ?? .unknown
        return error
    }

    // MARK: Relay

    /// Records that the blind relay paired this side's stream with the server's.
    mutating func relayPaired(_ path: RelayPath, now: Duration) -> [Action] {
        guard case .finding = state, relay != nil else { return [] }
        relay?.path = path
        relay?.useTime = now + ConnectAttempt.relayDelay
        return failIfNoPathIsLeft()
    }

    /// Ends the path over the blind relay, before or after the pairing.
    mutating func relayFailed(_ error: ConnectError) -> [Action] {
        guard relay != nil, relay?.error == nil else { return [] }
        relay?.error = error
        relay?.path = nil
        relay?.useTime = nil
        if case .streaming = state, isRelayed, self.relay?.isLeft == false { return fail(pathError) }
        return failIfNoPathIsLeft()
    }

    mutating func useRelay(now: Duration) -> [Action] {
        guard let path = relay?.path, case .finding = state else { return [] }
        relay?.isInUse = true
        return connect(to: path.address, socket: path.socket, remoteID: path.streamID, now: now)
    }
}
