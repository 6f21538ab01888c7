import CompactEncoding

/// Upkeep of the routing table and of the own id.
extension RPCEngine {
    /// Adds a node that answered. If its row is full, pings the node of the row with the oldest response.
    mutating func enter(_ address: PeerAddress, now: Duration) {
        guard !DroppedNodes.contains(address), DHTKey(nodeAt: address) != id else { return }
        if case .full(let oldest) = table.insert(address, now: now), now - max(oldest.lastSeen, oldest.lastPinged) > Self.tickLength
        {
            table.notePing(of: oldest.address, now: now)
            ping(oldest.address, purpose: .eviction(newcomer: address), limit: Self.maximumCheckCount)
        }
    }

    /// Pings an unknown node; the node enters the table when it answers.
    mutating func check(_ address: PeerAddress, limit: Int) {
        guard DHTKey(nodeAt: address) != id, !DroppedNodes.contains(address), !table.contains(address) else { return }
        // Few repetitions: the source address may be forged, and its owner did not ask for these pings.
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

    /// Makes this node persistent at a reachable address, and rebuilds the table around its id.
    private mutating func adopt(_ address: PeerAddress) {
        let own = DHTKey(nodeAt: address)
        id = own
        var sorted = RoutingTable(id: own)
        for node in table.nodes where node.id != own { _ = sorted.insert(node.address, now: node.lastSeen) }
        table = sorted
    }

    /// Begins a walk towards the id of the table.
    mutating func bootstrap(now: Duration) {
        lastRefreshTick = tick
        let query = begin(.findNode, target: table.id, value: nil, firstNodes: [], maximumSends: 4)
        queries[query]?.isBootstrap = true
        drive(now: now)
    }

    /// Runs the periodic work, once per ``tickLength``.
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
        // A node with an empty table asks its bootstrap nodes again soon.
        if idle >= 60 || (isSmall && tick % 64 == 0) || (table.count == 0 && idle >= 4) {
            if !queries.values.contains(where: \.isBootstrap) { bootstrap(now: now) }
        }
    }
}
