import Foundation
import HTTPTypes
import NetworkingKit
import SimBridgeWire
import WireKit

/// The line to the relay.
extension SimBridgeHost {
    /// How long the relay may be silent before `connected`.
    private static let patience: Duration = .seconds(30)
    /// The contract's own delays; the count starts again with `connected`, which is when this line counts as open.
    private static let backoff = Backoff(delays: Backoff.standard.delays, jitter: 0, reset: .zero)

    func holdLine() async throws {
        while true {
            let runner = LineRunner(line: Line(backoff: Self.backoff), clock: clock) { try await self.connect() }
            let ending = await runner.run(
                onState: { await self.lineChanged($0) }, onMessage: { _ = try await self.received($0) })
            await lineIsDown()
            try Task.checkCancellation()
            switch ending?.hop {
            case nil: return
            case .token: try await signInAnew()
            case .address: throw RelayProblem(TransportError(.address, ""), at: configuration.relay)
            default: throw RelayProblem(.replaced, ending?.detail ?? "")
            }
        }
    }

    private func lineChanged(_ state: Line.State) async {
        guard case .waiting(_, let why) = state else { return }
        await lineIsDown()
        failures += 1
        let delays = Self.backoff.delays
        notify(.disconnected(why: words(for: why), delay: delays[min(failures, delays.count) - 1]))
    }

    private func words(for why: NetworkingKit.LineFailure) -> String {
        switch why.hop {
        case .network: "the relay cannot be reached"
        case .tls: "the relay cannot be trusted (\(why.detail.prefix(200)))"
        case .service where why.detail.hasPrefix("closed by the service"): "the relay has closed the line"
        case .address, .token, .service: why.detail
        }
    }

    private func lineIsDown() async {
        isConnected = false
        unacknowledged = nil
        await courier.closed()
    }

    /// Opens the socket and takes what was queued, up to `connected`.
    ///
    /// - Throws: `LineFailure`, `TransportError`; what the journal throws; `CancellationError`.
    private func connect() async throws -> any SocketConnection {
        guard let identity else { throw NetworkingKit.LineFailure(.token, "not logged in", isFinal: true) }
        let connection = HostConnection(try await open(identity))
        relayClock = RelayClock()
        await courier.opened(connection)
        do {
            while true {
                let message = try await withTimeout(Self.patience, clock: clock) { try await connection.receive() }
                guard let message else { throw TransportError(.ended, "the relay has closed the line") }
                if try await received(message) { return connection }
            }
        } catch {
            await courier.closed()
            connection.close(.goingAway)
            throw error
        }
    }

    private func open(_ identity: HostIdentity) async throws -> any SocketConnection {
        let token = identity.token.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~")))
        var path = "\(SimBridgeLine.path(.host, identity.deviceID))?token=\(token ?? "")&v=\(SimBridgeLine.version)"
        if let cursor = try await journal.cursor(of: identity.line) { path += "&after=\(cursor)" }
        let request = try HTTPRequest(.get, path, below: configuration.relay)
        let sockets = api.service.sockets
        do {
            return try await withTimeout(Self.patience, clock: clock) {
                try await sockets.connect(request, maximumMessageSize: SimBridgeLine.maximumMessageSize)
            }
        } catch let error as TransportError where [401, 403].contains(error.reply?.head.status.code) {
            throw NetworkingKit.LineFailure(.token, error.detail, isFinal: true)
        }
    }

    /// - Returns: Whether it was `connected`.
    /// - Throws: What the journal throws: then it was not taken, and comes again.
    private func received(_ message: SocketMessage) async throws -> Bool {
        guard case .text(let text) = message, let said = RelayMessage(text: text), let line = identity?.line else { return false }
        if let time = said.time {
            relayClock.add(time, at: now())
            clockOffset = relayClock.offset
        }
        switch said.content {
        case .connected:
            if said.time == nil { clockOffset = nil }
            if let resetTo { try await journal.pass(resetTo, line: line) }
            if let seq = unacknowledged { try await courier.acknowledge(seq) }
            unacknowledged = nil
            (isConnected, wasConnected, resetTo, refusals, failures) = (true, true, nil, 0, 0)
            laneBells[.calls]?.ring()
            notify(.connected(relay: configuration.relay.absoluteString))
            reportBell.ring()
            pairingBell.ring()
            return true
        case .reset(let seq):
            // What was never acknowledged follows, whatever its numbers are; what was done before is known by its own id.
            resetTo = seq
            try await journal.setCursor(0, of: line)
        case .command(let command): try await take(command, said, line: line)
        case .event, .webrtc, .unknown:
            if let seq = said.seq {
                try await journal.pass(seq, line: line)
                try await acknowledge(seq)
            }
        case .stored, .failure, .pong: await courier.received(said.content)
        case .ping: break
        }
        return false
    }

    /// The relay need not read before it has written `connected`: until then one word for all is kept back.
    private func acknowledge(_ seq: Int64) async throws {
        if isConnected { try await courier.acknowledge(seq) } else { unacknowledged = seq }
    }

    private func take(_ command: Command, _ said: RelayMessage, line: String) async throws {
        let acceptance = try await journal.accept(
            command, reqId: said.reqId, seq: said.seq, line: line)
        if let seq = said.seq { try await acknowledge(seq) }
        switch acceptance {
        case .new: laneBells[command.lane]?.ring()
        case .repeated: reportBell.ring()
        case .conflict:
            try await journal.report(
                DeviceMessage(
                    .event(.error("req_id already used for another command")), to: said.fromDeviceId, reqId: said.reqId))
            reportBell.ring()
        case nil: break
        }
        // Only a client that is paired can give one.
        try setPaired(true)
    }
}

/// A socket to the relay that knows when another copy of this host has taken its place.
private final class HostConnection: SocketConnection {
    private let socket: any SocketConnection

    init(_ socket: any SocketConnection) { self.socket = socket }

    func receive() async throws -> SocketMessage? {
        let message = try await socket.receive()
        if message == nil, let end, end.code == 1008, end.reason == SimBridgeLine.replacedReason {
            throw NetworkingKit.LineFailure(
                .service,
                "Another copy of this host has connected with the same data. Two would fight for the line: this one ends.",
                isFinal: true)
        }
        return message
    }

    func send(_ message: SocketMessage) async throws { try await socket.send(message) }
    func ping() async throws { try await socket.ping() }
    func close(_ end: SocketEnd) { socket.close(end) }
    var end: SocketEnd? { socket.end }
}
