import Foundation
import PlatformKit
import TalkCoWire

extension TalkContext {
    /// The time without an event after which the screen shows that the answer is slow.
    static let silenceInterval = Duration.seconds(3)
    /// Maximum count of successive ``silenceInterval`` before a stream fails: longer than the service waits for a model.
    static let maximumSilenceCount = 14

    /// Reads a stream until `done`.
    ///
    /// - Parameters:
    ///   - open: Opens the stream.
    ///   - onSilence: Called after each ``silenceInterval`` without an event.
    ///   - handle: Called with each event.
    /// - Throws: ``TalkCoProblem``: `timeout`, and `network` for a stream without `done`; `CancellationError`.
    func read(
        _ open: @escaping @Sendable (TalkCoAPI) async throws -> TalkEvents, onSilence: @escaping @MainActor () -> Void = {},
        handle: @escaping @MainActor (TalkEvent) -> Void
    ) async throws {
        let activity = Activity()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.consume(open, activity, handle) }
            group.addTask { try await self.watch(activity, onSilence) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func consume(
        _ open: @escaping @Sendable (TalkCoAPI) async throws -> TalkEvents, _ activity: Activity,
        _ handle: @escaping @MainActor (TalkEvent) -> Void
    ) async throws {
        let events = try await open(api)
        activity.count += 1
        var hasResponse = false
        for try await event in events {
            activity.count += 1
            handle(event)
            if case .done = event { return }
            if case .response = event { hasResponse = true }
        }
        try Task.checkCancellation()
        // A service of the earlier generation ends a stream without `done`.
        guard hasResponse else { throw TalkCoProblem.network }
    }

    /// - Throws: ``TalkCoProblem`` `timeout` for a stream that is silent for too long.
    private func watch(_ activity: Activity, _ onSilence: @escaping @MainActor () -> Void) async throws {
        var (silenceCount, before) = (0, activity.count)
        while silenceCount < Self.maximumSilenceCount {
            try await phone.clock.sleep(for: Self.silenceInterval)
            silenceCount = activity.count == before ? silenceCount + 1 : 0
            before = activity.count
            if silenceCount > 0 { onSilence() }
        }
        throw TalkCoProblem.timeout
    }

    /// A count of the events of a stream, including its opening.
    @MainActor private final class Activity { var count = 0 }
}
