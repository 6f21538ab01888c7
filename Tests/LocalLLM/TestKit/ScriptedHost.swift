package import Foundation
package import LocalLLMWire
package import NetworkingKit
import TestKit
import WireKit

/// A host whose every message a test decides, also one of version 1.
package final class ScriptedHost: Sendable {
    private struct State {
        var streams: [any ByteStream] = []
        var messages: [Message] = []
        var opening: [Message]
        var isAccepting = false
    }

    package let key: PeerKey
    private let state: Locked<State>
    private let running: Locked<Task<Void, Never>?> = Locked(nil)

    package static let version1 = ServerInfo(hostName: "Ada’s Mac", model: "llama", status: .ready)
    package static let info = ServerInfo(
        hostName: "Ada’s Mac", model: "llama", status: .ready, features: [.messages, .models, .progress, .resume],
        models: ["llama", "qwen"])

    /// Starts a host.
    ///
    /// - Parameters:
    ///   - topic: The topic that the host announces; nil for that of its key.
    ///   - opening: The messages that begin every connection.
    package convenience init(
        on network: TestPeers, key number: UInt8 = 7, topic: ServerID? = nil, opening: [Message] = [.serverInfo(info)]
    ) async throws {
        let key = PeerKey([UInt8](repeating: number, count: 32))!
        try await self.init(accepting: network.peers.peer(key), topic: topic, opening: opening)
    }

    /// Starts a host on any network. See ``init(on:key:topic:opening:)``.
    package init(
        accepting peer: any ByteStreamAcceptor, topic: ServerID? = nil, opening: [Message] = [.serverInfo(info)]
    ) async throws {
        key = peer.ownKey
        state = Locked(State(opening: opening))
        let topic = topic.flatMap { PeerTopic($0.bytes) } ?? PeerTopic(key)
        let state = state
        let task = Task<Void, Never> {
            try? await peer.accept(topics: [topic]) { announcement in
                if announcement == .announced { state.withLock { $0.isAccepting = true } }
            } _: { stream in
                await Self.serve(stream, state)
            }
        }
        running.withLock { $0 = task }
        try await eventually { state.withLock { $0.isAccepting } }
    }

    deinit { running.withLock { $0 }?.cancel() }

    package var id: ServerID { ServerID(key.bytes)! }
    /// The messages of all phones so far.
    package var messages: [Message] { state.withLock { $0.messages } }
    package var starts: [(id: RequestID, start: ChatStart)] {
        messages.compactMap { if case .chatStart(let id, let start) = $0 { (id, start) } else { nil } }
    }
    package var connectionCount: Int { state.withLock { $0.streams.count } }
    package var opening: [Message] {
        get { state.withLock { $0.opening } }
        set { state.withLock { $0.opening = newValue } }
    }

    private static func serve(_ stream: any ByteStream, _ state: Locked<State>) async {
        let opening = state.withLock { state in
            state.streams.append(stream)
            return state.opening
        }
        var framing = NewlineFraming(maximumFrameSize: Limits.lineSizeWithMessages)
        do {
            for message in opening { try await stream.write(message.line + [0x0a]) }
            for try await bytes in stream.chunks {
                for case .complete(let line) in try framing.receive(bytes) {
                    let message = try Message(line: line)
                    state.withLock { $0.messages.append(message) }
                }
            }
        } catch {}
    }

    /// Writes to the phone that connected last.
    package func send(_ message: Message) async throws { try await send(message.line) }
    package func send(_ line: Data) async throws {
        try await state.withLock { $0.streams.last }?.write(line + [0x0a])
    }

    /// Ends all connections. The host stays announced.
    package func disconnect() {
        for stream in state.withLock({ $0.streams }) { stream.close() }
    }

    /// Ends all connections, and is gone.
    package func quit() async {
        let task = running.withLock { $0 }
        task?.cancel()
        await task?.value
        disconnect()
    }

    /// Waits for the request with this number.
    package func start(_ count: Int = 1) async throws -> (id: RequestID, start: ChatStart) {
        try await eventually { self.starts.count >= count }
        return starts[count - 1]
    }

    /// Waits for an abort of a request.
    package func abort(of id: RequestID) async throws {
        try await eventually { self.messages.contains(.abort(id)) }
    }
}
