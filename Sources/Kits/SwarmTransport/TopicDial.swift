import CryptoPrimitives
import DHTRPC
import Foundation
import HyperDHT
import Hyperswarm
import NetworkingKit

/// One dial by topic: connects to the peers that a lookup finds, a few at a time, and keeps the first stream.
///
/// Everybody can announce under a topic. A peer that does not answer delays the others by no more than its share of the parallel dials.
struct TopicDial: Sendable {
    private enum Event: Sendable {
        case found([PeerRecord])
        case lookupEnded(DialError?)
        case hop(PublicKey, DialHop)
        case connected(any ByteStream)
        case failed(PublicKey, DialError)
    }

    /// The number of peers dialled at once.
    private static let maximumParallelCount = 3
    /// The number of peers dialled in all.
    private static let maximumPeerCount = 32

    let transport: SwarmTransport
    let node: DHTNode
    let onHop: @Sendable (DialHop) -> Void

    /// - Throws: ``DialError``: of the lookup where it found nobody, else of the dial that came furthest.
    func run(_ topic: PeerTopic) async throws -> any ByteStream {
        guard let target = DHTTopic(topic.bytes) else { throw DialError(.key, at: .lookup) }
        // One lookup and 32 dials yield a bounded number of events.
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                do throws(RPCError) {
                    _ = try await node.directory.lookup(target) { continuation.yield(.found($0.peers)) }
                    continuation.yield(.lookupEnded(nil))
                } catch {
                    continuation.yield(.lookupEnded(DialError(error)))
                }
            }
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
                    group.addTask {
                        do throws(DialError) {
                            let stream = try await transport.connect(to: peer) { continuation.yield(.hop(peer.publicKey, $0)) }
                            continuation.yield(.connected(stream))
                        } catch {
                            continuation.yield(.failed(peer.publicKey, error))
                        }
                    }
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

extension DialHop {
    /// The position of a hop in a dial.
    fileprivate var order: Int { DialHop.allCases.firstIndex(of: self) ?? 0 }
}
