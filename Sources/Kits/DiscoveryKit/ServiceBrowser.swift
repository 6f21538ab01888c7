import WireKit

/// A search for the services of one type on the local network: a sequence of their changes.
///
/// Every iterator first reports the known services, then the difference since its last call rather than each change: whatever other
/// machines announce, a slow reader needs no more memory than ``maximumServices`` take. The search begins with the first iterator,
/// is shared by all iterators, and ends with the last.
package final class ServiceBrowser: AsyncSequence, Sendable {
    package typealias Element = ServiceEvent

    /// Maximum services that are followed at once. Each takes three connections to the system's message bus. Further services are
    /// left out until one of these is lost.
    package static let maximumServices = 32
    /// Maximum addresses of a service.
    package static let maximumAddresses = 16

    private let type: ServiceType
    private let clock: any Clock<Duration>
    private let table = ServiceTable()
    private let search = Locked(Search())

    private struct Search {
        var readers = 0
        var task: Task<Void, Never>?
        /// The last search, which may still be ending.
        var last: Task<Void, Never>?
    }

    package init(type: ServiceType, clock: any Clock<Duration> = ContinuousClock()) {
        self.type = type
        self.clock = clock
    }

    package func makeAsyncIterator() -> Iterator {
        search.withLock { search in
            search.readers += 1
            guard search.task == nil else { return }
            let (last, next) = (search.last, ServiceSearch(type: type, table: table, clock: clock))
            search.task = Task {
                await last?.value
                await next.run()
            }
        }
        return Iterator(Reader(self), table)
    }

    private func readerDidEnd() {
        search.withLock { search in
            search.readers -= 1
            guard search.readers == 0 else { return }
            search.task?.cancel()
            (search.last, search.task) = (search.task, nil)
        }
    }

    package struct Iterator: AsyncIteratorProtocol {
        private let reader: Reader
        private var view: ServiceTable.View

        fileprivate init(_ reader: Reader, _ table: ServiceTable) {
            self.reader = reader
            view = table.view()
        }

        /// Waits for the next change; nil if the task is cancelled.
        package mutating func next() async -> ServiceEvent? { await view.next() }
    }

    /// The part of an iterator whose release ends the iterator's use of the search.
    fileprivate final class Reader: Sendable {
        private let browser: ServiceBrowser
        init(_ browser: ServiceBrowser) { self.browser = browser }
        deinit { browser.readerDidEnd() }
    }
}
