import CompactEncoding
import DHTRPC
import NIOCore
import UDX

extension DHTNode {
    /// Samples this node's address at other nodes, unless recent samples exist, and returns the kind of network.
    @discardableResult
    public func sampleAddress() async -> Firewall {
        await withCheckedContinuation { continuation in sample { continuation.resume() } }
        return firewall
    }

    /// Returns true if this host is reachable from anywhere, and in that case says so to peers from now on.
    ///
    /// Nodes are asked to answer to a socket that has never sent anything, which no address translation and no filter lets through.
    public func checkReachability() async -> Bool {
        guard !isOpen else { return true }
        let address = PeerAddress(octets: configuration.bindAddress.octets, port: 0)
        // Without a further socket the check is impossible: the node then counts as unreachable.
        guard let socket = try? await DatagramSocket.bind(to: address, streams: streams, profile: .small) else { return false }
        let id = await rpc.attach(SocketTransport(socket: socket))
        let rpc = rpc
        await socket.setHandlers(onMessage: { bytes, source in rpc.onEventLoop { $0.receive(bytes, from: source, on: id) } })
        let reachable = await rpc.reachableAddress(through: id, port: socket.local.port)
        await rpc.detach(id)
        await socket.close()
        guard let reachable, !isClosed else { return false }
        reachableAddress = PeerAddress(octets: reachable.octets, port: localAddress.port)
        for server in servers.values { updateEnvironment(server) }
        return true
    }

    /// Calls `completion` on the event loop once enough nodes answered, or once all requests ended.
    func sample(_ completion: @escaping @Sendable () -> Void) {
        if let natSampledAt, natSampledAt + DHTNode.sampleLifetime > .now(), nat.sampleCount >= NATClassifier.minimumSampleCount {
            return completion()
        }
        natWaiters.append(completion)
        guard !isSampling else { return }
        isSampling = true
        guard rpc.onEventLoop({ $0.knownNodes.count }) < NATClassifier.minimumSampleCount else { return askNodes() }
        // A node that has just started knows no nodes. The bootstrap walk finds some, and ends soon if there are none.
        joining = Task { [weak self, rpc] in
            _ = await rpc.bootstrapped()
            await self?.askNodes()
        }
    }

    private func askNodes() {
        joining = nil
        nat = NATClassifier(isOpen: isOpen)
        let nodes = rpc.onEventLoop { rpc in Array(rpc.knownNodes.shuffled().prefix(2 * NATClassifier.wantedSampleCount)) }
        outstandingSamples = nodes.count
        guard !nodes.isEmpty else { return finishSampling() }
        for node in nodes {
            rpc.onEventLoop { rpc in
                _ = rpc.startRequest(.ping, to: node, maximumSends: 2) { [weak self] result in
                    self?.onEventLoop { node in
                        if case .success(let reply) = result { node.nat.add(reply.to, from: reply.from) }
                        node.outstandingSamples -= 1
                        if node.outstandingSamples == 0 || node.nat.sampleCount >= NATClassifier.wantedSampleCount {
                            node.finishSampling()
                        }
                    }
                }
            }
        }
    }

    func finishSampling() {
        guard isSampling else { return }
        isSampling = false
        natSampledAt = .now()
        let waiters = natWaiters
        natWaiters = []
        for waiter in waiters { waiter() }
    }
}
