import Foundation
import NetworkingKit
import SimBridgeCalls
import SimBridgeWire
import WireKit

/// The line to the relay.
extension SimBridgeHost {
    /// The timeout of each message before `connected`.
    private static let handshakeTimeout: Duration = .seconds(30)

    func holdLine() async throws {
        while true {
            let runner = LineRunner<RelayMessage, DeviceMessage>(line: Line(backoff: configuration.backoff), clock: clock) {
                try await self.connect()
            }
            let failure = await runner.run(onState: lineDidChange, onMessage: received)
            await lineDidGoDown()
            try Task.checkCancellation()
            switch failure?.hop {
            case nil: return
            case .token where failure?.detail == SimBridgeLine.deletedReason: throw RelayProblem.accountDeleted
            case .token: try await renewSession()
            case .address: throw RelayProblem(TransportError(.address, ""), at: configuration.relay)
            default: throw RelayProblem.replaced
            }
        }
    }

    private func lineDidChange(_ state: Line.State) async {
        guard case .waiting(_, let reason) = state else { return }
        await lineDidGoDown()
        failures += 1
        let delays = configuration.backoff.delays
        notify(.disconnected(why: words(for: reason), delay: delays[min(failures, delays.count) - 1]))
    }

    private func words(for reason: NetworkingKit.LineFailure) -> String {
        switch reason.hop {
        case .network: "the relay cannot be reached"
        case .tls: "the relay cannot be trusted (\(reason.detail.prefix(200)))"
        case .service where reason.detail.hasPrefix("closed by the service"): "the relay has closed the line"
        case .address, .token, .service: reason.detail
        }
    }

    private func lineDidGoDown() async {
        isConnected = false
        unacknowledged = nil
        await courier.closed()
    }

    /// Opens the connection and takes the queued commands, up to `connected`.
    ///
    /// - Throws: `LineFailure`; `TransportError`; what the journal throws; `CancellationError`.
    private func connect() async throws -> RelayConnection {
        guard let identity else { throw NetworkingKit.LineFailure(.token, "not logged in", isFinal: true) }
        let connection = try await api.openLine(
            of: .host, identity.deviceID, after: try await journal.cursor(of: identity.line), token: identity.token)
        (relayClock, isConnected) = (RelayClock(), false)
        await courier.opened(connection)
        do {
            while true {
                let message = try await withTimeout(Self.handshakeTimeout, clock: clock) { try await connection.receive() }
                guard let message else { throw TransportError(.ended, "the relay has closed the line") }
                try await received(message)
                if isConnected { return connection }
            }
        } catch {
            await courier.closed()
            connection.abort()
            throw error
        }
    }

    /// - Throws: The error of the journal. The relay sends the message again then.
    private func received(_ message: RelayMessage) async throws {
        guard let line = identity?.line else { return }
        if let time = message.time {
            relayClock.add(time, at: now())
            clockOffset = relayClock.offset
        }
        switch message.content {
        case .connected:
            if message.time == nil { clockOffset = nil }
            if let resetTo { try await journal.skip(resetTo, line: line) }
            if let seq = unacknowledged { try await courier.acknowledge(seq) }
            unacknowledged = nil
            (isConnected, wasConnected, resetTo, refusals, failures) = (true, true, nil, 0, 0)
            laneBells[.calls]?.ring()
            notify(.connected(relay: configuration.relay.absoluteString))
            reportBell.ring()
            pairingBell.ring()
        case .reset(let seq):
            // All never acknowledged commands follow, whatever their sequence numbers. Their ids identify finished commands.
            resetTo = seq
            try await journal.setCursor(0, of: line)
        case .command(let command): try await take(command, message, line: line)
        case .event, .webrtc, .unknown:
            if let seq = message.seq {
                try await journal.skip(seq, line: line)
                try await acknowledge(seq)
            }
        case .stored, .failure, .pong: await courier.received(message.content)
        case .ping: break
        }
    }

    /// Acknowledges a message. Until `connected`, which the relay may write before it reads, only the last acknowledgement is kept.
    private func acknowledge(_ seq: Int64) async throws {
        if isConnected { try await courier.acknowledge(seq) } else { unacknowledged = seq }
    }

    private func take(_ command: Command, _ message: RelayMessage, line: String) async throws {
        let acceptance = try await journal.accept(
            command, from: message.fromDeviceId, reqId: message.reqId, seq: message.seq, line: line)
        // Precedes the acknowledgement, which throws if the connection breaks: the relay may not send the command again.
        switch acceptance {
        case .new: laneBells[command.lane]?.ring()
        case .repeated, .conflict: reportBell.ring()
        case nil: break
        }
        if let seq = message.seq { try await acknowledge(seq) }
        // Only a paired client can send a command.
        try setPaired(true)
    }
}
