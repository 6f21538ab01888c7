import WireKit

/// A stream of the elements that a task produces, with back-pressure: the task waits while its reader is slow.
///
/// The task begins with the first request for an element, or at once, and is cancelled with the iteration and with the release of the stream.
final class BoundedStream<Element: Sendable>: Sendable {
    typealias Send = @Sendable (Element) async throws -> Void

    private let mailbox: Mailbox<Element>
    private let produce: @Sendable (@escaping Send) async throws -> Void
    private let task = Locked<Task<Void, Never>?>(nil)

    private init(capacity: Int, _ produce: @escaping @Sendable (@escaping Send) async throws -> Void) {
        mailbox = Mailbox(capacity: capacity)
        self.produce = produce
    }

    deinit { task.withLock { $0 }?.cancel() }

    /// - Parameters:
    ///   - startsAtOnce: True to begin before the first request.
    ///   - produce: Produces the elements. Its error ends the stream.
    static func make(
        capacity: Int = 16, startsAtOnce: Bool = false, _ produce: @escaping @Sendable (@escaping Send) async throws -> Void
    ) -> AsyncThrowingStream<Element, any Error> {
        let stream = BoundedStream(capacity: capacity, produce)
        if startsAtOnce { stream.start() }
        return AsyncThrowingStream { try await stream.next() }
    }

    private func next() async throws -> Element? {
        start()
        do {
            return try await mailbox.next()
        } catch {
            task.withLock { $0 }?.cancel()
            throw error
        }
    }

    private func start() {
        task.withLock { task in
            guard task == nil else { return }
            // The task ends by itself, or by `deinit` or the cancellation of the reader.
            task = Task { [mailbox, produce] in
                do {
                    try await produce { try await mailbox.send($0) }
                    mailbox.finish()
                } catch {
                    mailbox.finish(error)
                }
            }
        }
    }
}
