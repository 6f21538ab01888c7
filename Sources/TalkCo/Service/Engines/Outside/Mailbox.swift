import WireKit

/// A bounded queue between tasks. A writer waits while the queue is full.
final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var end: Result<Void, any Error>?
        /// The waiting tasks. A woken task checks its condition again.
        var readers: [Waiter] = []
        var writers: [Waiter] = []
    }

    private typealias Waiter = CheckedContinuation<Void, Never>

    private let capacity: Int
    private let state = Locked(State())

    init(capacity: Int) { self.capacity = capacity }

    /// Appends an element. Waits while the queue is full.
    ///
    /// - Throws: `CancellationError`, also when the queue has ended, because it has no reader then.
    func send(_ element: Element) async throws {
        while true {
            try Task.checkCancellation()
            let (isSent, isEnded) = state.withLock { state in
                guard state.end == nil else { return (false, true) }
                guard state.elements.count < capacity else { return (false, false) }
                state.elements.append(element)
                return (true, false)
            }
            if isSent { return wakeReaders() }
            if isEnded { throw CancellationError() }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        if Task.isCancelled || state.end != nil || state.elements.count < capacity { return true }
                        state.writers.append(continuation)
                        return false
                    }
                    if isReady { continuation.resume() }
                }
            } onCancel: {
                wakeWriters()
            }
        }
    }

    /// Appends an element without waiting, also to a full queue. Meant for the rare messages that end a turn or a connection.
    func post(_ element: Element) {
        state.withLock { if $0.end == nil { $0.elements.append(element) } }
        wakeReaders()
    }

    /// Removes the waiting elements.
    func clear() {
        state.withLock { $0.elements = [] }
        wakeWriters()
    }

    /// Waits for the next element.
    ///
    /// - Returns: nil after the last one.
    /// - Throws: The error that ended the queue, after the last element; `CancellationError`.
    func next() async throws -> Element? {
        while true {
            try Task.checkCancellation()
            let (element, end) = state.withLock { state -> (Element?, Result<Void, any Error>?) in
                state.elements.isEmpty ? (nil, state.end) : (state.elements.removeFirst(), nil)
            }
            if let element {
                wakeWriters()
                return element
            }
            if let end {
                try end.get()
                return nil
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        if Task.isCancelled || state.end != nil || !state.elements.isEmpty { return true }
                        state.readers.append(continuation)
                        return false
                    }
                    if isReady { continuation.resume() }
                }
            } onCancel: {
                wakeReaders()
            }
        }
    }

    /// Ends the queue; its elements can still be read. Only the first call has an effect.
    func finish(_ error: (any Error)? = nil) {
        state.withLock { if $0.end == nil { $0.end = error.map { .failure($0) } ?? .success(()) } }
        wakeReaders()
        wakeWriters()
    }

    private func wakeReaders() {
        let readers = state.withLock { state in
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.resume() }
    }

    private func wakeWriters() {
        let writers = state.withLock { state in
            defer { state.writers = [] }
            return state.writers
        }
        for writer in writers { writer.resume() }
    }
}
