import CompactEncoding
import CryptoPrimitives
import DHTRPC
import NIOConcurrencyHelpers
import NIOCore
import Noise
import UDX

extension DHTNode {
    /// Connects to a blind relay, and pairs a stream of this node there with that of the peer with the same token.
    ///
    /// The connection to the relay lives until the task is cancelled.
    /// - Parameters:
    ///   - isInitiator: True for the peer that chose the relay.
    ///   - onEnd: Called on the event loop with the failure of the pairing, or after it with the end of the connection to the relay.
    func pair(
        _ through: NoisePayload.RelayThrough, isInitiator: Bool, streamID: UInt32,
        onPaired: @escaping @Sendable (isolated DHTNode, RelayPath) -> Void,
        onEnd: @escaping @Sendable (isolated DHTNode, ConnectError) -> Void
    ) -> Task<Void, Never> {
        let timeout = configuration.relayTimeout
        let hasTimedOut = NIOLockedValueBox(false)
        let work = Task { [weak self] in
            guard let self else { return }
            do throws(ConnectError) {
                try await self.run(through, isInitiator: isInitiator, streamID: streamID, onPaired: onPaired)
            } catch {
                let isLate = hasTimedOut.withLockedValue { $0 }
                let error = isLate ? ConnectError(.relayTimedOut, "no pairing within \(timeout)") : error
                await onEnd(self, error)
                await self.endRelayedConnection(streamID, error)
            }
        }
        // Limits the pairing only: once the streams are paired, the timer has no effect.
        let timer = eventLoop.scheduleTask(in: .nanoseconds(timeout.wholeNanoseconds)) { [weak self] in
            self?.onEventLoop { node in
                guard node.pairingStreams.contains(streamID) else { return }
                hasTimedOut.withLockedValue { $0 = true }
                work.cancel()
            }
        }
        pairingStreams.insert(streamID)
        return Task {
            await withTaskCancellationHandler {
                await work.value
            } onCancel: {
                work.cancel()
            }
            timer.cancel()
        }
    }

    private func endRelayedConnection(_ streamID: UInt32, _ error: ConnectError) {
        relayedConnections.removeValue(forKey: streamID)?.onEventLoop { $0.relayEnded(error) }
    }

    private func run(
        _ through: NoisePayload.RelayThrough, isInitiator: Bool, streamID: UInt32,
        onPaired: @escaping @Sendable (isolated DHTNode, RelayPath) -> Void
    ) async throws(ConnectError) {
        defer { pairingStreams.remove(streamID) }
        let connection: PeerConnection
        do {
            // A relay is reached without another relay.
            connection = try await dial(through.publicKey)
        } catch { throw ConnectError(.relayUnreachable, "\(error)") }
        do {
            var channel = RelayChannel(peer: configuration.keyPair.publicKey)
            try await connection.write(ByteBuffer(bytes: channel.opening))
            let wish = RelayMessage.pair(isInitiator: isInitiator, token: through.token, streamID: streamID)
            try await connection.write(ByteBuffer(bytes: channel.frame(wish)))
            while let frame = try await connection.readFrame() {
                for event in try channel.receive(frame) {
                    switch event {
                    case .send(let frame): try await connection.write(ByteBuffer(bytes: frame))
                    case .closed: throw ConnectError(.relayRefused, "the relay closed the channel")
                    case .received(.pair(isInitiator, through.token, let id)):
                        guard pairingStreams.remove(streamID) != nil, let address = await connection.remoteAddress,
                            let socket = await connection.socket, let number = socketID(of: socket)
                        else { continue }
                        onPaired(self, RelayPath(streamID: id, address: address, socket: number))
                    case .received: break
                    }
                }
            }
            throw ConnectError(.relayRefused, "the relay ended the connection")
        } catch {
            await connection.destroy()
            switch error {
            case let error as ConnectError: throw error
            case let error as UDXError where error.code == .timedOut: throw ConnectError(.relayTimedOut, error.detail)
            default: throw ConnectError(.relayRefused, "\(error)")
            }
        }
    }
}
