package import LocalLLMWire
import Observation

/// The transcript with one host.
@MainActor
@Observable
package final class Conversation {
    /// Maximum exchanges that the phone keeps.
    static let maximumCount = 200
    /// Maximum size of the kept text in bytes of UTF-8, apart from the newest exchange.
    static let maximumSize = 4_194_304

    package let host: ServerID
    package internal(set) var exchanges: [Exchange] = []
    /// The text that the user is writing.
    package internal(set) var draft = ""
    /// The model that the user has chosen; nil for the host's own choice.
    package internal(set) var model: String?

    init(host: ServerID) { self.host = host }

    /// The exchange whose answer has not ended; nil if there is none.
    package var active: Exchange? { exchanges.last { !$0.isFinished } }

    /// Removes the oldest exchanges beyond the limits.
    ///
    /// - Returns: The removed exchanges.
    func trim() -> [Exchange] {
        var size = 0
        var kept = 0
        for exchange in exchanges.reversed() {
            size += exchange.size
            guard kept == 0 || kept < Self.maximumCount && size <= Self.maximumSize || !exchange.isFinished else { break }
            kept += 1
        }
        let removed = exchanges.prefix(exchanges.count - kept)
        exchanges.removeFirst(removed.count)
        return Array(removed)
    }

    /// Returns the turns before `exchange` that fit into a request, oldest first, and the count of older ones. Exchanges without an
    /// answer do not count.
    func turns(before exchange: Exchange) -> (turns: [ChatTurn], omitted: Int) {
        var turns: [ChatTurn] = []
        // The brackets of the array.
        var size = 2
        let earlier = exchanges.prefix { $0 !== exchange }.filter { $0.isFinished && !$0.answer.isEmpty }
        for exchange in earlier.reversed() {
            let pair = [ChatTurn(.user, exchange.prompt), ChatTurn(.assistant, exchange.answer)]
            // The pair alone has two brackets; inside the array it has a comma instead.
            size += Message.size(of: pair) - 1
            guard size <= Limits.messagesSize else { break }
            turns = pair + turns
        }
        return (turns, 2 * earlier.count - turns.count)
    }
}
