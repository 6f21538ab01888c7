import Foundation
import HTTPTypes
import NetworkingKit
import ServerKit
package import SimBridgeWire
import TestKit
import WireKit

/// The host's end of a line under the control of a test. Records received commands.
package final class RawHost: Sendable {
    package let id: Device.ID
    package let token: String
    private let box: RelayBox
    private struct State {
        var pongs = 0
        var socket: (any SocketConnection)?
        var reading: Task<Void, Never>?
        var sending: Task<Void, Never>?
        var commands: [RelayMessage] = []
        var answers: @Sendable (RelayMessage) -> DeviceMessage? = { _ in nil }
    }
    private let state = Locked(State())

    init(_ box: RelayBox, id: Device.ID, token: String) {
        (self.box, self.id, self.token) = (box, id, token)
    }

    deinit { state.withLock { $0.reading }?.cancel() }

    /// The two SIM cards that this host reports.
    package static let cards = [
        SIMCard(slot: 1, carrier: "Northern", number: "+15550001"), SIMCard(slot: 2, carrier: "Coastal", number: nil),
    ]

    package func connect() async throws {
        let request = try HTTPRequest(.get, "\(SimBridgeLine.path(.host, id))?token=\(token)", below: RelayBox.address)
        let socket = try await box.transport.connect(request, maximumMessageSize: SimBridgeLine.maximumMessageSize)
        let reading = Task { [weak self] in
            while let message = try? await socket.receive() {
                if case .text(let text) = message, let message = RelayMessage(text: text) { self?.received(message) }
            }
        }
        state.withLock { state in
            state.socket = socket
            state.reading = reading
        }
    }

    package func disconnect() {
        state.withLock { state in
            state.socket?.close(.normal)
            state.socket = nil
        }
    }

    private func received(_ message: RelayMessage) {
        if case .pong = message.content { state.withLock { $0.pongs += 1 } }
        guard case .command(let command) = message.content else { return }
        let answers = state.withLock { state in
            state.commands.append(message)
            return state.answers
        }
        if command.name == .getSIMs {
            enqueue(DeviceMessage(.event(.simInfo(Self.cards)), to: message.fromDeviceId, reqId: message.reqId))
        } else if let answer = answers(message) {
            enqueue(answer)
        }
    }

    /// Sends messages one after the other while reading continues: a relay that still writes its queue does not read yet.
    private func enqueue(_ message: DeviceMessage) {
        state.withLock { state in
            state.sending = Task { [sending = state.sending, weak self] in
                await sending?.value
                try? await self?.send(message)
            }
        }
    }

    /// Sets the replies to later commands.
    package func answer(_ answers: @escaping @Sendable (RelayMessage) -> DeviceMessage?) { state.withLock { $0.answers = answers } }

    package func send(_ message: DeviceMessage) async throws { try await send(text: message.text) }
    package func send(_ event: PhoneEvent, reqId: RequestID? = nil) async throws {
        try await send(DeviceMessage(.event(event), reqId: reqId))
    }
    /// Sends an event and waits until the relay has handled it.
    package func report(_ event: PhoneEvent) async throws {
        let pongs = state.withLock { $0.pongs }
        try await send(event)
        try await send(DeviceMessage(.ping))
        try await eventually { self.state.withLock { $0.pongs } > pongs }
    }
    package func send(text: String) async throws {
        guard let socket = state.withLock({ $0.socket }) else { throw TransportError(.ended, "the host is offline") }
        try await socket.send(.text(text))
    }

    /// The received commands except requests for SIM cards, without deadline and call id.
    package var commands: [Command] {
        messages.compactMap {
            guard case .command(var command) = $0.content else { return nil }
            (command.deadline, command.callReqId) = (nil, nil)
            return command
        }
    }
    package var messages: [RelayMessage] {
        state.withLock { $0.commands }.filter {
            if case .command(let command) = $0.content { command.name != .getSIMs } else { false }
        }
    }
    package var askedForSIMs: Int { state.withLock { $0.commands.count } - messages.count }

    package func code() async throws -> String {
        let reply: PairingCode = try await box.call(.post, "/pair?host_device_id=\(id)", token: token)
        return reply.code
    }
}
