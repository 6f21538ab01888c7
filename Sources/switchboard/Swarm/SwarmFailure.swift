import ArgumentParser
import CryptoPrimitives
import DHTRPC
import Foundation
import HyperDHT
import UDX

/// The failure of a command of `switchboard swarm`.
struct SwarmFailure: Error {
    /// A code that scripts compare. The texts are stable.
    enum Code: String {
        case bootstrapUnknown = "BOOTSTRAP_UNKNOWN"
        case invalidKey = "INVALID_KEY"
        case noBootstrapNode = "NO_BOOTSTRAP_NODE"
        case nothingAnnounced = "NOTHING_ANNOUNCED"
        case notStored = "NOT_STORED"
        case handshakeTimedOut = "HANDSHAKE_TIMED_OUT"
        case handshakeRefused = "HANDSHAKE_REFUSED"
        case holePunchFailed = "HOLE_PUNCH_FAILED"
        case relayUnreachable = "RELAY_UNREACHABLE"
        case relayRefused = "RELAY_REFUSED"
        case relayTimedOut = "RELAY_TIMED_OUT"
        case streamTimedOut = "STREAM_TIMED_OUT"
        case streamFailed = "STREAM_FAILED"
        case cannotListen = "CANNOT_LISTEN"
        case cannotWrite = "CANNOT_WRITE"
        case timedOut = "TIMED_OUT"
        case failed = "FAILED"
    }

    var code: Code
    /// One sentence: the event, and then a remedy if there is one.
    var message: String

    init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    init(_ error: any Error) {
        switch error {
        case let failure as SwarmFailure: self = failure
        case let error as ConnectError: self.init(error)
        case let error as RPCError:
            switch error.code {
            case .noBootstrapNode: self.init(.noBootstrapNode, Self.noBootstrapNode)
            case .notStored: self.init(.notStored, "The network answered, but no node stored the announcement. Try again.")
            default: self.init(.failed, "The network did not answer: \(error.detail)")
            }
        case let error as UDXError where error.code == .timedOut: self.init(.streamTimedOut, "The peer stopped answering.")
        case let error as UDXError: self.init(.streamFailed, "The peer ended the connection: \(error.detail)")
        default: self.init(.failed, "\(error)")
        }
    }

    private init(_ error: ConnectError) {
        switch error.code {
        case .invalidKey: self.init(.invalidKey, "These 32 bytes are the key of no peer.")
        case .noBootstrapNode: self.init(.noBootstrapNode, Self.noBootstrapNode)
        case .nothingAnnounced: self.init(.nothingAnnounced, "The network answered, but nobody has announced this key or topic.")
        case .handshakeTimedOut:
            self.init(.handshakeTimedOut, "The peer is announced, but did not answer. It may have stopped a moment ago.")
        case .handshakeRefused:
            self.init(.handshakeRefused, "The peer refused the connection\(error.peerError.map { " (\($0))" } ?? "").")
        case .holePunchFailed:
            let kinds = [error.localFirewall.map { "here: \($0)" }, error.remoteFirewall.map { "there: \($0)" }].compactMap { $0 }
            self.init(
                .holePunchFailed,
                "No path through the two networks was found\(kinds.isEmpty ? "" : " (\(kinds.joined(separator: ", ")))"). "
                    + "A blind relay makes one: --relay.")
        case .relayUnreachable:
            self.init(.relayUnreachable, "No connection to the blind relay. Check its key, and that it runs: \(error.detail)")
        case .relayRefused: self.init(.relayRefused, "The blind relay does not relay: \(error.detail)")
        case .relayTimedOut:
            self.init(.relayTimedOut, "The blind relay did not bring the peers together in time: \(error.detail)")
        case .streamTimedOut: self.init(.streamTimedOut, "A path was found, but the peer's stream did not begin.")
        case .streamFailed:
            self.init(.streamFailed, "The peer ended the connection\(error.detail.isEmpty ? "." : ": \(error.detail)")")
        default: self.init(.failed, "\(error)")
        }
    }

    private static let noBootstrapNode = "No bootstrap node answered. Check the network and --bootstrap."
}

/// The standard error of a command: status lines and failures, as text or as JSON.
struct SwarmReport: Sendable {
    let isJSON: Bool

    /// Writes one line of status.
    func status(_ text: String, _ name: String, _ fields: KeyValuePairs<String, String> = [:]) {
        write(isJSON ? Self.json([("status", name)] + fields.map { ($0.key, $0.value) }) : text)
    }

    /// Reports that the peer has ended its direction while standard input is open: the command goes on.
    func peerEnded(_ connection: PeerConnection) {
        let text = "The peer has ended its side; the end of standard input (Ctrl-D) ends this one"
        status(text, "peerEnded", ["publicKey": connection.remotePublicKey.hex])
    }

    func failure(_ failure: SwarmFailure) {
        write(
            isJSON
                ? Self.json([("code", failure.code.rawValue), ("message", failure.message)])
                : "switchboard: \(failure.message) (\(failure.code.rawValue))")
    }

    private func write(_ line: String) {
        // Without standard error the line is lost.
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }

    static func json(_ fields: [(String, String)]) -> String {
        "{" + fields.map { "\(quoted($0)):\(quoted($1))" }.joined(separator: ",") + "}"
    }

    static func quoted(_ text: String) -> String {
        // A string is always valid JSON.
        (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
