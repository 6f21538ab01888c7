public import CompactEncoding
import NIOCore
import UDX

extension RPCNode {
    /// Asks nodes to answer to a socket that never sent a datagram: only a host without a NAT or filter receives these
    /// answers.
    ///
    /// Asks five nodes, of which three have to answer; if fewer than five are known, one answer is enough.
    /// - Parameters:
    ///   - socket: A fresh socket of this host, attached to the node.
    ///   - port: Port that the socket is bound to.
    ///   - nodes: Nodes to ask; if empty, nodes of the routing table and the bootstrap nodes.
    /// - Returns: The address at which the host is reachable, or nil behind a NAT or a filter.
    /// - SeeAlso: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 3.12.
    public func reachableAddress(through socket: SocketID, port: UInt16, asking nodes: [PeerAddress] = []) async -> PeerAddress? {
        var candidates = nodes.isEmpty ? knownNodes.shuffled() : nodes
        if nodes.isEmpty, candidates.count < 5 { candidates += bootstrapNodes.filter { !candidates.contains($0) } }
        candidates = Array(candidates.prefix(5))
        let value = [UInt8(truncatingIfNeeded: port), UInt8(truncatingIfNeeded: port >> 8)]
        let answers = await withTaskGroup(of: PeerAddress?.self) { group in
            for node in candidates {
                group.addTask {
                    // By callback: see `RPCNode.startRemoval` about `try?` in a task group.
                    await withCheckedContinuation { continuation in
                        self.eventLoop.execute {
                            self.onEventLoop { rpc in
                                _ = rpc.startRequest(.pingNAT, to: node, value: value, maximumSends: 2) { result in
                                    guard case .success(let reply) = result, reply.socket == socket else {
                                        return continuation.resume(returning: nil)
                                    }
                                    continuation.resume(returning: reply.to)
                                }
                            }
                        }
                    }
                }
            }
            var answers: [PeerAddress] = []
            for await answer in group { if let answer { answers.append(answer) } }
            return answers
        }
        guard let first = answers.first, answers.count >= (candidates.count < 5 ? 1 : 3), answers.allSatisfy({ $0 == first }),
            first.port == port, publicAddress.map({ $0.octets == first.octets }) ?? true
        else { return nil }
        return first
    }
}
