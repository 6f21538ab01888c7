import Foundation
package import HTTPTypes
package import NetworkingKit
import TestKit
import WireKit

/// A transport that cuts calls at random: before the service has them, before the reply has begun, or in the middle of its body.
package final class ReplyCutter: HTTPTransport, SocketTransport {
    /// Counts of cuts.
    package struct Counts: Hashable, Sendable {
        package var before = 0
        package var head = 0
        package var inside = 0
        package var total: Int { before + head + inside }
    }

    private struct State: Sendable {
        var transport: any HTTPTransport & SocketTransport
        /// The paths to cut contain this text; nil to cut none.
        var path: String?
        var remaining = 0
        var counts = Counts()
        var numbers: SeededGenerator
    }

    private enum Cut { case none, before, head, inside(Int) }

    private let state: Locked<State>

    package init(_ transport: any HTTPTransport & SocketTransport, seed: UInt64 = Seed.current) {
        state = Locked(State(transport: transport, numbers: SeededGenerator(seed: seed)))
    }

    /// The transport behind the cuts.
    package var direct: any HTTPTransport & SocketTransport { state.withLock { $0.transport } }
    package var counts: Counts { state.withLock { $0.counts } }

    package func lead(to transport: any HTTPTransport & SocketTransport) { state.withLock { $0.transport = transport } }

    /// Cuts calls to paths that contain `path`, most of them, until `count` are cut.
    package func cut(_ count: Int, of path: String) {
        state.withLock { state in
            state.path = path
            state.remaining = count
        }
    }

    private func draw(_ request: HTTPRequest) -> Cut {
        state.withLock { state in
            guard state.remaining > 0, let path = state.path, request.path?.contains(path) == true,
                Int.random(in: 0..<10, using: &state.numbers) < 8
            else { return .none }
            state.remaining -= 1
            switch Int.random(in: 0..<4, using: &state.numbers) {
            case 0:
                state.counts.before += 1
                return .before
            case 1:
                state.counts.head += 1
                return .head
            default:
                state.counts.inside += 1
                return .inside(Int.random(in: 0...30_000, using: &state.numbers))
            }
        }
    }

    package func stream(_ request: HTTPRequest, body: HTTPBody) async throws -> HTTPStream {
        let cut = draw(request)
        if case .before = cut { throw TransportError(.network, "cut before the call") }
        let reply = try await direct.stream(request, body: body)
        switch cut {
        case .none, .before: return reply
        case .head: throw TransportError(.ended, "cut before the reply")
        case .inside(let size):
            return HTTPStream(
                head: reply.head,
                body: HTTPBytes {
                    var (iterator, left) = (reply.body.makeAsyncIterator(), size)
                    return {
                        guard left > 0, let chunk = try await iterator.next() else {
                            // A reply that is shorter loses its end.
                            throw TransportError(.ended, "cut in the reply")
                        }
                        let passed = Data(chunk.prefix(left))
                        left -= passed.count
                        return passed
                    }
                })
        }
    }

    package func connect(_ request: HTTPRequest, maximumMessageSize: Int) async throws -> any SocketConnection {
        try await direct.connect(request, maximumMessageSize: maximumMessageSize)
    }
}
