import CompactEncoding

/// Upkeep of the routing table and of the own id.
extension RPCEngine {
    /// Adds a node that answered. Where its row is full, pings the node that was silent for longest.
    mutating func enter(_ address: PeerAddress, now: Duration) {
        guard !DroppedNodes.contains(address), DHTKey(nodeAt: address) != id else { return }
        if case .full(let oldest) = table.insert(address, now: now), now - max(oldest.lastSeen, oldest.lastPinged) > Self.tickLength
        {
            table.notePing(of: oldest.address, now: now)
            ping(oldest.address, purpose: .eviction(newcomer: address), limit: Self.maximumCheckCount)
        }
    }

    /// Pings an unknown node; its answer lets it enter.
    mutating func check(_ address: PeerAddress, limit: Int) {
        guard DHTKey(nodeAt: address) != id, !DroppedNodes.contains(address), !table.contains(address) else { return }
        // Few repetitions: the source may be forged, and its owner did not ask for these.
        ping(address, purpose: .check, limit: limit, maximumSends: 2)
    }

    mutating func ping(_ address: PeerAddress, purpose: Purpose, limit: Int, maximumSends: Int = 4) {
        guard checking.count < limit, !checking.contains(address) else { return }
        checking.insert(address)
        _ = submit(
            .ping, to: address, target: nil, value: nil, token: nil, socket: .main, maximumSends: maximumSends, purpose: purpose)
    }

    /// Adopts the sampled address as the own one, for a persistent node without a configured address.
    mutating func adoptSampledAddress() {
        guard configuration.role == .persistent(nil), id == nil, sampler.sampleCount >= 3, let address = sampler.address,
            address.port != 0
        else { return }
        adopt(address)
    }

    /// Makes a node persistent at an address that others reach, and sorts the table around its id.
    private mutating func adopt(_ address: PeerAddress) {
        let own = DHTKey(nodeAt: address)
        id = own
        var sorted = RoutingTable(id: own)
        for node in table.nodes where node.id != own { _ = sorted.insert(node.address, now: node.lastSeen) }
        table = sorted
    }

    /// Walks to the own id.
    mutating func bootstrap(now: Duration) {
        lastRefreshTick = tick
        let query = begin(.findNode, target: table.id, value: nil, firstNodes: [], maximumSends: 4)
        queries[query]?.isBootstrap = true
        drive(now: now)
    }

    /// Does the periodic work, every ``tickLength``.
    mutating func runTick(now: Duration) {
        tick += 1
        hintsLeft = Self.hintsPerTick
        tokens.advance(to: now, random: &random)
        if tick % 8 == 0 {
            for node in table.oldest(5) where now - max(node.lastSeen, node.lastPinged) > Self.tickLength * 8 {
                table.notePing(of: node.address, now: now)
                ping(node.address, purpose: .check, limit: Self.maximumCheckCount)
            }
        }
        let idle = tick - lastRefreshTick
        let isSmall = table.count < RoutingTable.rowCapacity
        // A node that lost everybody asks its bootstrap nodes again soon.
        if idle >= 60 || (isSmall && tick % 64 == 0) || (table.count == 0 && idle >= 4) {
            if !queries.values.contains(where: \.isBootstrap) { bootstrap(now: now) }
        }
    }
}
