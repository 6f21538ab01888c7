package import Foundation
package import LocalLLMClient
import LocalLLMWire
package import NetworkingKit
import WireKit

/// A network in memory, with faults, for hosts and phones.
package final class TestPeers: Sendable {
    package enum Fault: Hashable, Sendable {
        /// Every dial fails.
        case failure(DialError)
        /// A dial goes as far as this hop, and no further.
        case stall(DialHop)
    }

    private struct State {
        var fault: Fault?
        var dials: [DialDestination] = []
        var secrets: [Data] = []
        var streams: [any ByteStream] = []
        var cutter: StreamCutter?
    }

    package let peers = InProcessPeers()
    private let state = Locked(State())

    package init() {}

    package var fault: Fault? {
        get { state.withLock { $0.fault } }
        set { state.withLock { $0.fault = newValue } }
    }
    /// Cuts the streams of all phones that connect from now on.
    package var cutter: StreamCutter? {
        get { state.withLock { $0.cutter } }
        set { state.withLock { $0.cutter = newValue } }
    }
    /// The destinations of all dials so far.
    package var dials: [DialDestination] { state.withLock { $0.dials } }
    /// The secrets of the phones that have dialled.
    package var secrets: [Data] { state.withLock { $0.secrets } }

    /// Cuts all streams. Bytes that were not read yet are lost.
    package func cut() {
        let streams = state.withLock { state in
            defer { state.streams = [] }
            return state.streams
        }
        for stream in streams { stream.close() }
    }

    /// The network as a phone sees it. The key of a phone is its secret.
    package var network: HostNetwork {
        HostNetwork { [self] secret, _ in
            state.withLock { $0.secrets.append(secret) }
            return Dialler(ownKey: PeerKey(secret)!, network: self)
        }
    }

    /// A dialler that proves a key, for a program.
    package func dialler(_ key: UInt8) -> any ByteStreamDialler {
        Dialler(ownKey: PeerKey([UInt8](repeating: key, count: 32))!, network: self)
    }

    /// The same by the bytes of the key.
    package func dialler(_ key: Data) -> any ByteStreamDialler { Dialler(ownKey: PeerKey(key)!, network: self) }

    private struct Dialler: ByteStreamDialler {
        let ownKey: PeerKey
        let network: TestPeers

        func dial(_ destination: DialDestination, onHop: @escaping @Sendable (DialHop) -> Void) async throws -> any ByteStream {
            network.state.withLock { $0.dials.append(destination) }
            switch network.fault {
            case .failure(let error): throw error
            case .stall(let hop):
                onHop(hop)
                for await _ in AsyncStream<Never>.makeStream().stream {}
                throw CancellationError()
            case nil:
                var stream = try await network.peers.peer(ownKey).dial(destination, onHop: onHop)
                if let cutter = network.cutter { stream = cutter.cutting(stream) }
                network.state.withLock { $0.streams.append(stream) }
                return stream
            }
        }
    }
}
