import CryptoPrimitives
import Foundation
import HyperDHT
import HyperswarmTestKit
import NetworkingKit
import SwarmTransport
import Testing

/// The implementations of byte streams, each of which passes ``ByteStreamTests``.
enum Implementation: CaseIterable {
    case inProcess, swarm

    typealias Peer = ByteStreamDialler & ByteStreamAcceptor

    /// Runs `body` with two peers of one network.
    func withPeers(_ body: (_ host: any Peer, _ client: any Peer) async throws -> Void) async throws {
        let keyPairs = try (1...2).map { try #require(KeyPair(seed: [UInt8](repeating: $0, count: 32))) }
        switch self {
        case .inProcess:
            let peers = InProcessPeers()
            let keys = try keyPairs.map { try #require(PeerKey($0.publicKey.bytes)) }
            try await body(peers.peer(keys[0]), peers.peer(keys[1]))
        case .swarm:
            try await Testnet.with(5) { network in
                let host = SwarmTransport(node: try await network.addPeer(), keyPair: keyPairs[0])
                let client = SwarmTransport(node: try await network.addPeer(), keyPair: keyPairs[1])
                try await body(host, client)
            }
        }
    }

    /// Runs `body` with both ends of one stream.
    func withStream(_ body: (StreamEnds) async throws -> Void) async throws {
        try await withPeers { host, client in
            try await withAcceptor(host) { acceptor in
                // Nothing but `StreamEnds` keeps the streams alive.
                try await body(StreamEnds(dialled: try await client.dial(.key(host.ownKey)), accepted: try await acceptor.next()))
            }
        }
    }
}

/// Both ends of a stream. Setting one to nil releases it.
final class StreamEnds {
    var dialled: (any ByteStream)!
    var accepted: (any ByteStream)!

    init(dialled: any ByteStream, accepted: any ByteStream) {
        self.dialled = dialled
        self.accepted = accepted
    }
}

/// A running acceptor whose streams the test takes.
struct TestAcceptor {
    let run: Task<Void, any Error>
    let streams: AsyncStream<any ByteStream>

    func next() async throws -> any ByteStream {
        var iterator = streams.makeAsyncIterator()
        return try #require(await iterator.next())
    }
}

/// Runs `body` with an acceptor that peers find, and cancels it after that.
func withAcceptor(
    _ host: any Implementation.Peer, topics: [PeerTopic] = [], _ body: (TestAcceptor) async throws -> Void
) async throws {
    let (states, stateContinuation) = AsyncStream.makeStream(of: AnnouncementState.self)
    let (streams, continuation) = AsyncStream.makeStream(of: (any ByteStream).self)
    let run = Task {
        defer { continuation.finish() }
        try await host.accept(topics: topics, onState: { stateContinuation.yield($0) }) { continuation.yield($0) }
    }
    do {
        for await state in states where state == .announced { break }
        try await body(TestAcceptor(run: run, streams: streams))
    } catch {
        run.cancel()
        _ = await run.result
        throw error
    }
    run.cancel()
    _ = await run.result
}

extension ByteStream {
    /// Reads until as many bytes arrived, or the end.
    func read(count: Int) async throws -> Data {
        var all = Data()
        while all.count < count, let bytes = try await read() { all += bytes }
        return all
    }

    func readToEnd() async throws -> Data {
        var all = Data()
        for try await bytes in chunks { all += bytes }
        return all
    }
}
