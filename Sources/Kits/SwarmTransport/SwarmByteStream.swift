import Foundation
import HyperDHT
import NIOCore
import NIOFoundationCompat
import NetworkingKit
import SecretStream
import UDX

/// A connection of the network as a byte stream.
final class SwarmByteStream: ByteStream {
    let remoteKey: PeerKey
    private let connection: PeerConnection

    init(_ connection: PeerConnection) {
        self.connection = connection
        remoteKey = PeerKey(connection.remotePublicKey)
    }

    deinit {
        let connection = connection
        connection.eventLoop.execute { connection.onEventLoop { $0.release() } }
    }

    func read() async throws -> Data? {
        do {
            return try await connection.read().map { Data(buffer: $0) }
        } catch {
            throw TransportError.from(error)
        }
    }

    func write(_ bytes: Data) async throws {
        do {
            try await connection.write(ByteBuffer(data: bytes))
        } catch {
            throw TransportError.from(error)
        }
    }

    func finish() { connection.requestFinish() }

    func close() { connection.requestDestroy() }
}

extension PeerConnection {
    /// The time after which a released connection with nothing left to send is ended.
    private static let releaseInterval = TimeAmount.seconds(5)

    /// Ends a connection that is no longer in use: at once, or after ``finish()`` once everything is sent.
    ///
    /// - Parameter isIdle: True if nothing was left to send one interval ago.
    fileprivate func release(isIdle: Bool = false) {
        guard closure == nil else { return }
        guard hasFinished, !isIdle else { return destroy() }
        let isIdle = unsentByteCount == 0
        eventLoop.scheduleTask(in: Self.releaseInterval) { self.onEventLoop { $0.release(isIdle: isIdle) } }
    }
}

extension TransportError {
    /// Returns the error of a connection as byte streams report it.
    fileprivate static func from(_ error: any Error) -> any Error {
        switch error {
        case let error as UDXError: TransportError(error.code == .timedOut ? .timedOut : .ended, error.detail)
        // A blind relay failed.
        case let error as ConnectError: TransportError(error.code == .relayTimedOut ? .timedOut : .ended, error.description)
        case let error as SecretStreamError: TransportError(.malformed, error.description)
        default: error
        }
    }
}
