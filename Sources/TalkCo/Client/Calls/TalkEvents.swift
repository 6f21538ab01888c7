import Foundation
import NetworkingKit
import TalkCoWire

/// The events of a stream, as they arrive, decoded outside the main actor. Events of unknown names are skipped. Iterate once.
///
/// Iterating throws ``TalkCoProblem``: `notTalkCo` for an event that cannot be read, and `network` when the connection breaks.
struct TalkEvents: AsyncSequence, Sendable {
    typealias Element = TalkEvent
    private let events: ServerSentEvents

    init(_ bytes: HTTPBytes, maximumEventSize: Int) {
        events = ServerSentEvents(bytes, maximumEventSize: maximumEventSize)
    }

    func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var events: ServerSentEvents.Iterator

        @concurrent mutating func next() async throws -> TalkEvent? {
            do {
                while let event = try await events.next() {
                    do {
                        if let known = try TalkEvent(name: event.name, data: Data(event.data.utf8)) { return known }
                    } catch {
                        throw TalkCoProblem.notTalkCo
                    }
                }
                return nil
            } catch let error as TransportError {
                throw TalkCoProblem(error)
            }
        }
    }
}
