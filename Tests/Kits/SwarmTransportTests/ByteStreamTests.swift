import CryptoPrimitives
import Foundation
import HyperswarmTestKit
import NetworkingKit
import SwarmTransport
import Testing

/// The behaviour that every implementation of `ByteStream` shares.
@Suite(.serialized) struct ByteStreamTests {
    @Test(arguments: Implementation.allCases)
    func bytesArriveInOrderBothWays(_ implementation: Implementation) async throws {
        try await implementation.withStream { ends in
            let up = Data(RandomBytes.make(300_000))
            let down = Data(RandomBytes.make(200_000))
            let (dialled, accepted) = (ends.dialled!, ends.accepted!)
            async let sent: Void = {
                for start in stride(from: 0, to: up.count, by: 7000) {
                    try await dialled.write(up[start..<min(start + 7000, up.count)])
                }
                dialled.finish()
            }()
            async let answered: Void = {
                try await accepted.write(down)
                accepted.finish()
            }()
            async let received = accepted.readToEnd()
            #expect(try await dialled.readToEnd() == down)
            #expect(try await received == up)
            _ = try await (sent, answered)
        }
    }

    @Test(arguments: Implementation.allCases)
    func bothEndsKnowTheKeyOfTheOther(_ implementation: Implementation) async throws {
        try await implementation.withPeers { host, client in
            try await withAcceptor(host) { acceptor in
                let dialled = try await client.dial(.key(host.ownKey))
                #expect(dialled.remoteKey == host.ownKey)
                #expect(try await acceptor.next().remoteKey == client.ownKey)
            }
        }
    }

    @Test(arguments: Implementation.allCases)
    func endOfOneDirectionLeavesTheOtherOpen(_ implementation: Implementation) async throws {
        try await implementation.withStream { ends in
            try await ends.dialled.write(Data("question".utf8))
            ends.dialled.finish()
            #expect(try await ends.accepted.readToEnd() == Data("question".utf8))
            #expect(try await ends.accepted.read() == nil, "the end stays the end")
            try await ends.accepted.write(Data("answer".utf8))
            ends.accepted.finish()
            #expect(try await ends.dialled.readToEnd() == Data("answer".utf8))
        }
    }

    @Test(arguments: Implementation.allCases)
    func writeAfterFinishFails(_ implementation: Implementation) async throws {
        try await implementation.withStream { ends in
            ends.dialled.finish()
            let error = await #expect(throws: TransportError.self) { try await ends.dialled.write(Data([1])) }
            #expect(error?.code == .ended)
        }
    }

    @Test(arguments: Implementation.allCases)
    func slowReaderSuspendsTheWriter(_ implementation: Implementation) async throws {
        try await implementation.withStream { ends in
            let (dialled, accepted) = (ends.dialled!, ends.accepted!)
            let total = 12_000_000
            let counter = Counter()
            async let writer: Void = {
                for _ in 0..<120 {
                    try await dialled.write(Data(repeating: 7, count: 100_000))
                    await counter.add(100_000)
                }
                dialled.finish()
            }()
            while await counter.value < 200_000 { await Task.yield() }
            var received = 0
            var maximumAhead = 0
            while let bytes = try await accepted.read() {
                received += bytes.count
                maximumAhead = max(maximumAhead, await counter.value - received)
            }
            try await writer
            #expect(received == total)
            #expect(maximumAhead < 6_000_000)
        }
    }

    @Test(arguments: Implementation.allCases)
    func closedStreamFailsOnBothEnds(_ implementation: Implementation) async throws {
        try await implementation.withStream { ends in
            ends.dialled.close()
            for end in [ends.accepted!, ends.dialled!] {
                let error = await #expect(throws: TransportError.self) { try await end.read() }
                #expect(error?.code == .ended)
            }
            let error = await #expect(throws: TransportError.self) { try await ends.accepted.write(Data([1])) }
            #expect(error?.code == .ended)
        }
    }

    @Test(arguments: Implementation.allCases)
    func cancelledReadLosesNothing(_ implementation: Implementation) async throws {
        try await implementation.withStream { ends in
            let accepted = ends.accepted!
            let reading = Task { try await accepted.read() }
            await Task.yield()
            reading.cancel()
            let result = await reading.result
            #expect(throws: CancellationError.self) { try result.get() }
            try await ends.dialled.write(Data("later".utf8))
            #expect(try await accepted.read(count: 5) == Data("later".utf8))
        }
    }

    @Test(arguments: Implementation.allCases)
    func releasedStreamEndsForThePeer(_ implementation: Implementation) async throws {
        try await implementation.withStream { ends in
            ends.dialled = nil
            await #expect(throws: TransportError.self) { try await ends.accepted.read() }
        }
    }

    @Test(arguments: Implementation.allCases)
    func releasedStreamDeliversWhatWasFinished(_ implementation: Implementation) async throws {
        try await implementation.withStream { ends in
            let bytes = Data(RandomBytes.make(200_000))
            try await ends.dialled.write(bytes)
            ends.dialled.finish()
            ends.dialled = nil
            #expect(try await ends.accepted.readToEnd() == bytes)
        }
    }

    // MARK: Dialling and accepting

    @Test(arguments: Implementation.allCases)
    func nobodyUnderAKeyOrATopicIsNotFound(_ implementation: Implementation) async throws {
        try await implementation.withPeers { host, client in
            for destination in [DialDestination.key(host.ownKey), .topic(PeerTopic(host.ownKey))] {
                let error = await #expect(throws: DialError.self) { try await client.dial(destination) }
                #expect(error?.code == .notFound)
                #expect(error?.hop == .lookup)
            }
        }
    }

    @Test(arguments: Implementation.allCases)
    func topicLeadsToTheAcceptor(_ implementation: Implementation) async throws {
        try await implementation.withPeers { host, client in
            let topic = PeerTopic(host.ownKey)
            try await withAcceptor(host, topics: [topic]) { acceptor in
                let dialled = try await client.dial(.topic(topic))
                #expect(dialled.remoteKey == host.ownKey)
                try await dialled.write(Data("hello".utf8))
                #expect(try await acceptor.next().read(count: 5) == Data("hello".utf8))
            }
        }
    }

    @Test(arguments: Implementation.allCases)
    func hopsAreReportedFromTheLookupToTheStream(_ implementation: Implementation) async throws {
        try await implementation.withPeers { host, client in
            let topic = PeerTopic(host.ownKey)
            try await withAcceptor(host, topics: [topic]) { acceptor in
                for destination in [DialDestination.key(host.ownKey), .topic(topic)] {
                    let (hops, continuation) = AsyncStream.makeStream(of: DialHop.self)
                    let stream = try await client.dial(destination) { continuation.yield($0) }
                    continuation.finish()
                    let all = await hops.reduce(into: []) { $0.append($1) }
                    #expect(all.first == .lookup)
                    #expect(all.contains(.handshake))
                    stream.close()
                    _ = try await acceptor.next()
                }
            }
        }
    }

    @Test(arguments: Implementation.allCases)
    func cancelledAcceptorEndsItsStreamsAndIsNotFound(_ implementation: Implementation) async throws {
        try await implementation.withPeers { host, client in
            let topic = PeerTopic(host.ownKey)
            try await withAcceptor(host, topics: [topic]) { acceptor in
                let dialled = try await client.dial(.key(host.ownKey))
                var accepted: (any ByteStream)? = try await acceptor.next()
                #expect(accepted != nil)
                accepted = nil
                acceptor.run.cancel()
                _ = await acceptor.run.result
                // An end or an error, and no wait.
                _ = try? await dialled.readToEnd()
                for destination in [DialDestination.key(host.ownKey), .topic(topic)] {
                    let error = await #expect(throws: DialError.self) { try await client.dial(destination) }
                    #expect(error?.code == .notFound)
                }
            }
        }
    }

    @Test(arguments: Implementation.allCases)
    func secondAcceptorOfAKeyIsRefused(_ implementation: Implementation) async throws {
        try await implementation.withPeers { host, _ in
            try await withAcceptor(host) { _ in
                let error = await #expect(throws: DialError.self) {
                    try await host.accept(topics: [], onState: { _ in }) { _ in }
                }
                #expect(error?.code == .closed)
            }
        }
    }

    private actor Counter {
        private(set) var value = 0
        func add(_ count: Int) { value += count }
    }
}
