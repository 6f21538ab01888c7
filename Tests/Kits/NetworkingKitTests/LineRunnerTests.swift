import Foundation
import HTTPTypes
import Hummingbird
import NetworkingKit
import ServerKit
import TestKit
import Testing
import WireKit

/// A line with real connections to a service in this process.
@Suite struct LineRunnerTests {
    /// Records states and messages.
    private final class Notes: Sendable {
        let states = Locked<[Line.State]>([])
        let texts = Locked<[String]>([])
        var received: [String] { texts.withLock { $0 } }
        var isOpen: Bool { states.withLock { $0.last == .open } }
        var hasWaited: Bool {
            states.withLock { $0.contains { if case .waiting = $0 { true } else { false } } }
        }
    }

    private func run(_ runner: LineRunner<String, String>, _ notes: Notes) -> Task<LineFailure?, Never> {
        Task {
            await runner.run(
                onState: { state in notes.states.withLock { $0.append(state) } },
                onMessage: { text in notes.texts.withLock { $0.append(text) } })
        }
    }

    private func runner(clock: any Clock<Duration> = ContinuousClock(), token: @escaping @Sendable () -> String = { "good" })
        -> LineRunner<String, String>
    {
        let transport = InProcessTransport(services: [SampleService.parts()], logger: .quiet)
        return LineRunner(line: Line(random: { 0.5 }), clock: clock) {
            MessageSocket(
                try await transport.echo(InProcessTransport.address.appending(path: "sample"), token: token()), decode: { $0 },
                encode: { $0 })
        }
    }

    @Test func reconnectsAfterTheServiceCloses() async throws {
        let clock = TestClock()
        let notes = Notes()
        let runner = runner(clock: clock)
        let running = run(runner, notes)
        try await eventually { notes.isOpen }
        try await runner.send("one")
        try await eventually { notes.received == ["one"] }
        try await runner.send("close")
        try await eventually { notes.hasWaited }
        try await clock.advance(by: .seconds(1))
        try await eventually { notes.isOpen }
        try await runner.send("two")
        try await eventually { notes.received == ["one", "two"] }
        runner.end()
        #expect(await running.value == nil)
    }

    @Test func wakeReconnectsImmediately() async throws {
        let notes = Notes()
        let runner = runner(clock: TestClock())
        let running = run(runner, notes)
        try await eventually { notes.isOpen }
        try await runner.send("bye")
        try await eventually { notes.hasWaited }
        runner.wake()
        try await eventually { notes.isOpen }
        running.cancel()
        _ = await running.value
    }

    @Test func refusedTokenEndsTheLine() async throws {
        let notes = Notes()
        let ending = await run(runner(token: { "bad" }), notes).value
        #expect(ending?.hop == .token)
    }

    @Test func finalFailureEndsTheLine() async {
        let replaced = LineFailure(.service, "replaced", isFinal: true)
        let runner = LineRunner<String, String>(connect: { throw replaced })
        #expect(await run(runner, Notes()).value == replaced)
    }

    @Test func sendFailsWithoutAConnection() async throws {
        await #expect(throws: TransportError.self) { try await runner().send("x") }
    }

    @Test func messagesAreSentInOrderAndDroppedWhileDisconnected() async throws {
        let notes = Notes()
        let runner = runner()
        runner.enqueue("to nobody")
        let running = run(runner, notes)
        try await eventually { notes.isOpen }
        let texts = (0..<100).map { "\($0)" }
        for text in texts { runner.enqueue(text) }
        try await eventually { notes.received.count >= texts.count }
        #expect(notes.received == texts)
        running.cancel()
        _ = await running.value
    }

    /// The caller may close the store that the handler writes to when `run` returns.
    @Test func noHandlerRunsAfterReturn() async throws {
        let (ended, end) = AsyncStream.makeStream(of: Never.self)
        let events = Locked<[String]>([])
        let runner = runner()
        let running = Task {
            _ = await runner.run(
                onState: { state in if case .closed = state { end.finish() } },
                onMessage: { _ in
                    events.withLock { $0.append("begun") }
                    // Work that cannot be cancelled and continues after the line has ended.
                    await Task { for await _ in ended {} }.value
                    for _ in 0..<1000 { await Task.yield() }
                    events.withLock { $0.append("handled") }
                })
            events.withLock { $0.append("returned") }
        }
        try await eventually { (try? await runner.send("one")) != nil }
        try await eventually { events.withLock { $0 } == ["begun"] }
        runner.end()
        await running.value
        #expect(events.withLock { $0 } == ["begun", "handled", "returned"])
    }

    @Test func cancellationEndsTheLineAndItsConnection() async throws {
        let notes = Notes()
        let runner = runner()
        let running = run(runner, notes)
        try await eventually { notes.isOpen }
        running.cancel()
        _ = try await within { await running.value }
        await #expect(throws: TransportError.self) { try await runner.send("x") }
    }
}
