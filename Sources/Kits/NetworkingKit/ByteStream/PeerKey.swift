public import Foundation
import WireKit

/// The public key of a peer, 32 bytes.
public struct PeerKey: Hashable, Sendable, CustomStringConvertible {
    public static let size = 32

    public let bytes: Data

    /// - Returns: nil unless there are exactly 32 bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.size else { return nil }
        self.bytes = Data(bytes)
    }

    /// The key as 64 hexadecimal digits in lowercase.
    public var description: String { bytes.hexadecimal }
}

/// 32 bytes under which peers announce themselves and are looked up. A topic authenticates no peer: all who know it can announce.
public struct PeerTopic: Hashable, Sendable {
    public let bytes: Data

    /// - Returns: nil unless there are exactly 32 bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == PeerKey.size else { return nil }
        self.bytes = Data(bytes)
    }

    /// The topic with the bytes of a key.
    public init(_ key: PeerKey) { bytes = key.bytes }
}

/// The peer to connect to.
public enum DialDestination: Hashable, Sendable {
    /// The peer with this key. The handshake proves that it answered.
    case key(PeerKey)
    /// Any peer that announced itself under the topic. ``ByteStream/remoteKey`` names the peer.
    case topic(PeerTopic)
}
