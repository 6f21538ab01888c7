import CryptoPrimitives
import DHTRPC
import Foundation
import HyperDHT
import Hyperswarm
import NetworkingKit

/// One dial by topic: connects to the peers that a lookup finds, a few at a time, and keeps the first stream.
///
/// Anyone can announce under a topic. A peer that does not answer delays the others by no more than its share of parallel dials.
struct TopicDial: Sendable {
    private enum Event: Sendable {
        case found([PeerRecord])
        case lookupEnded(DialError?)
        case hop(PublicKey, DialHop)
        case connected(any ByteStream)
        case failed(PublicKey, DialError)
    }

    /// Maximum peers dialled at once.
    private static let maximumParallelCount = 3
    /// Maximum peers dialled in all.
    private static let maximumPeerCount = 32

    let transport: SwarmTransport
    let node: DHTNode
    let onHop: @Sendable (DialHop) -> Void

    /// - Throws: ``DialError``: the lookup's if it found no peer, otherwise that of the dial that came furthest.
    func run(_ topic: PeerTopic) async throws -> any ByteStream {
        guard let target = DHTTopic(topic.bytes) else { throw DialError(.key, at: .lookup) }
        // One lookup and 32 dials yield a bounded number of events.
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { continuation.yield(await lookUp(target) { continuation.yield(.found($0)) }) }
            var known: Set<PublicKey> = []
            var waiting: [PeerRecord] = []
            var hops: [PublicKey: DialHop] = [:]
            var lastHop = DialHop.lookup
            var isLookingUp = true
            var failure: DialError?
            for await event in events {
                switch event {
                case .found(let peers):
                    for peer in peers where PeerKey(peer.publicKey) != transport.ownKey && known.count < Self.maximumPeerCount {
                        if known.insert(peer.publicKey).inserted { waiting.append(peer) }
                    }
                case .lookupEnded(let error):
                    isLookingUp = false
                    failure = failure ?? error
                case .hop(let key, let hop):
                    hops[key] = hop
                case .connected(let stream):
                    return stream
                case .failed(let key, let error):
                    hops[key] = nil
                    if failure.map({ $0.hop.order <= error.hop.order }) ?? true { failure = error }
                }
                while hops.count < Self.maximumParallelCount, !waiting.isEmpty {
                    let peer = waiting.removeFirst()
                    hops[peer.publicKey] = .lookup
                    group.addTask { continuation.yield(await connect(to: peer) { continuation.yield(.hop(peer.publicKey, $0)) }) }
                }
                let hop = hops.values.max { $0.order < $1.order } ?? .lookup
                if hop != lastHop { onHop(hop) }
                lastHop = hop
                if !isLookingUp, hops.isEmpty { break }
            }
            try Task.checkCancellation()
            throw failure ?? DialError(.notFound, at: .lookup, "nobody is announced under the topic")
        }
    }
}

extension TopicDial {
    // Not inlined: the compiler of Swift 6.3 makes release builds crash where a child task handles a typed error.
    @inline(never)
    private func lookUp(_ target: DHTTopic, onPeers: @escaping @Sendable ([PeerRecord]) -> Void) async -> Event {
        do throws(RPCError) {
            _ = try await node.directory.lookup(target) { onPeers($0.peers) }
            return .lookupEnded(nil)
        } catch {
            return .lookupEnded(DialError(error))
        }
    }

    @inline(never)
    private func connect(to peer: PeerRecord, onHop: @escaping @Sendable (DialHop) -> Void) async -> Event {
        do throws(DialError) {
            return .connected(try await transport.connect(to: peer, onHop: onHop))
        } catch {
            return .failed(peer.publicKey, error)
        }
    }
}

extension DialHop {
    /// The position of a hop in a dial.
    fileprivate var order: Int { DialHop.allCases.firstIndex(of: self) ?? 0 }
}
