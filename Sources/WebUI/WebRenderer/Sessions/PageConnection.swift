import Foundation
import Logging
import ServerKit
import SwiftUI

/// A WebSocket of a page, from its hello to its close.
@MainActor
final class PageConnection {
    private let socket: WebSocketConnection
    /// The random id of the page load.
    let document: String
    /// The page's `Origin`.
    let origin: String
    /// The client address for rate limits.
    let address: String
    private var clock = PageClock()
    private let now: @Sendable () -> ContinuousClock.Instant
    private let pulse: BoxPulse
    private let signal: AsyncStream<Void>.Continuation
    private let signals: AsyncStream<Void>
    private var hasEnded = false
    /// The connection of the session's binary streams; nil until this connection is attached.
    var streams: PageStreams.Connection?

    private init(
        _ socket: WebSocketConnection, _ hello: Hello, origin: String, address: String, in sessions: Sessions
    ) {
        self.socket = socket
        document = hello.document
        self.origin = origin
        self.address = address
        now = sessions.limits.now
        pulse = sessions.pulse
        (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        _ = moment(of: hello.t, receivedAt: now())
    }

    /// Converts the page's time of a frame to the clock of the box.
    ///
    /// - Parameter receipt: The time at which the box read the frame.
    /// - Returns: The moment at which the page sent the frame, and its age now.
    func moment(
        of time: Double?, receivedAt receipt: ContinuousClock.Instant
    ) -> (moment: ContinuousClock.Instant, age: Duration) {
        let moment = clock.moment(of: time, receivedAt: receipt)
        return (moment, moment.duration(to: now()))
    }

    /// Returns the time that a frame took to the box, without the time in which the box did not run.
    func delay(from moment: ContinuousClock.Instant, to receipt: ContinuousClock.Instant) -> Duration {
        moment.duration(to: receipt) - pulse.pause(from: moment, to: receipt)
    }

    /// Maximum time until the hello of a page.
    private nonisolated static let helloTimeout: Duration = .seconds(10)

    /// Serves a page until its connection ends.
    nonisolated static func serve(
        _ socket: WebSocketConnection, app: WebApp, phone secret: String, network: String?, origin: String, from address: String,
        in sessions: Sessions
    ) async throws {
        var messages = socket.messages.makeAsyncIterator()
        let first = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // Cancelled by the first frame.
                if (try? await Task.sleep(for: helloTimeout)) != nil { socket.close(.policyViolation, reason: "no hello came") }
            }
            defer { group.cancelAll() }
            return try await messages.next()
        }
        guard case .text(let text)? = first, let hello = try? PageFrame(text).hello else {
            return socket.close(.policyViolation, reason: "the first frame has to be a hello that can be read")
        }
        let connection = await PageConnection(socket, hello, origin: origin, address: address, in: sessions)
        guard let session = await sessions.open(app, phone: secret, network: network, hello: hello, on: connection) else {
            return try await sendGone(socket, .full)
        }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await connection.write(from: session) }
                let streams = await connection.streams
                if let streams { group.addTask { try await session.streams.write(to: socket, of: streams) } }
                let inbox = PageInbox()
                async let handled: Void = inbox.handle { await session.receive($0, from: connection, at: $1) }
                while let message = try await messages.next() {
                    switch message {
                    case .text(let text):
                        guard let frame = try? PageFrame(text) else { continue }
                        // Answered off the main actor, which may be busy. A page that does not read needs no answer.
                        if frame.ping == true { _ = socket.post("{}") }
                        await inbox.add(frame, length: text.utf8.count, receivedAt: sessions.limits.now())
                    case .binary(let bytes):
                        if let streams { session.streams.receive(bytes, of: streams) }
                    }
                }
                inbox.end()
                await handled
                group.cancelAll()
            }
        } catch {
            await session.detach(connection)
            throw error
        }
        await session.detach(connection)
    }

    /// Sends frames as fast as the page reads them. Changes in between are combined into one frame.
    private func write(from session: PageSession) async throws {
        for await _ in signals {
            while !hasEnded, let frame = session.nextFrame() { try await socket.send(frame) }
        }
    }

    /// Signals that a frame is due.
    func signalFrame() { signal.yield() }

    /// Ends the connection, after a message with the reason if there is one.
    func end(_ reason: Gone?) {
        guard !hasEnded else { return }
        hasEnded = true
        signal.finish()
        let socket = socket
        guard let reason else { return socket.close(.normal) }
        socket.start {
            // A page that stopped reading only notices the close.
            _ = try? await Self.sendGone(socket, reason)
            socket.close(.normal)
        }
    }

    /// Sends the page the reason why it has no session.
    nonisolated static func sendGone(_ socket: WebSocketConnection, _ reason: Gone) async throws {
        try await socket.send(#"{"gone":"\#(reason.rawValue)"}"#)
    }
}
