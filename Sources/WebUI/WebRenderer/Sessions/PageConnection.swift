import Foundation
import Logging
import ServerKit
import SwiftUI

/// One WebSocket of one page, from its hello to its end.
@MainActor
final class PageConnection {
    private let socket: WebSocketConnection
    /// The page load that this is of.
    let document: String
    /// Of the page: an address of this box, as the browser writes it.
    let origin: String
    /// The client address that rate limits use for the page.
    let address: String
    private var clock = PageClock()
    private let now: @Sendable () -> ContinuousClock.Instant
    private let bell: AsyncStream<Void>.Continuation
    private let bells: AsyncStream<Void>
    private var isOver = false

    private init(
        _ socket: WebSocketConnection, _ hello: Hello, origin: String, address: String,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.socket = socket
        document = hello.document
        self.origin = origin
        self.address = address
        self.now = now
        (bells, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        _ = receive(at: hello.t)
    }

    /// Relates the page's time of a frame, which arrives now, to the clock of the box.
    ///
    /// - Returns: The moment at which the page sent the frame, and its age.
    func receive(at time: Double?) -> (moment: ContinuousClock.Instant, age: Duration) {
        let now = now()
        let moment = clock.moment(of: time, receivedAt: now)
        return (moment, moment.duration(to: now))
    }

    /// How long a page may take to say hello.
    private nonisolated static let patience: Duration = .seconds(10)

    /// Speaks with the page until it goes.
    nonisolated static func serve(
        _ socket: WebSocketConnection, app: WebApp, phone secret: String, network: String?, origin: String, from address: String,
        in sessions: Sessions
    ) async throws {
        var messages = socket.messages.makeAsyncIterator()
        let watch = Task {
            // Cancelled by the first frame.
            if (try? await Task.sleep(for: patience)) != nil { socket.close(.policyViolation, reason: "no hello came") }
        }
        let first = try await messages.next()
        watch.cancel()
        guard case .text(let text)? = first, let hello = try? PageFrame(text).hello else {
            return socket.close(.policyViolation, reason: "the first frame has to be a hello that can be read")
        }
        let connection = await PageConnection(socket, hello, origin: origin, address: address, now: sessions.limits.now)
        guard let session = await sessions.open(app, phone: secret, network: network, hello: hello, on: connection) else {
            return try await sendAway(socket, .full)
        }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await connection.write(from: session) }
                while let message = try await messages.next() {
                    guard case .text(let text) = message, let frame = try? PageFrame(text) else { continue }
                    await session.receive(frame, from: connection)
                }
                group.cancelAll()
            }
        } catch {
            await session.detach(connection)
            throw error
        }
        await session.detach(connection)
    }

    /// Sends what there is, as fast as the page takes it. What happens meanwhile becomes one frame.
    private func write(from session: PageSession) async throws {
        for await _ in bells {
            while !isOver, let frame = session.nextFrame() { try await socket.send(frame) }
        }
    }

    /// There is something to say.
    func ring() { bell.yield() }

    /// Ends the connection; the page is told why, if there is a reason to tell.
    func end(_ reason: Gone?) {
        guard !isOver else { return }
        isOver = true
        bell.finish()
        let socket = socket
        guard let reason else { return socket.close(.normal) }
        Task {
            // A page that takes nothing any more learns it from the close.
            _ = try? await Self.sendAway(socket, reason)
            socket.close(.normal)
        }
    }

    /// Tells the page why it gets no tree.
    nonisolated static func sendAway(_ socket: WebSocketConnection, _ reason: Gone) async throws {
        try await socket.send(#"{"gone":"\#(reason.rawValue)"}"#)
    }
}
