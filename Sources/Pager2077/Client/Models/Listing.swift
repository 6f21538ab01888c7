/// A list of the service, as a screen shows it. The items stay while the list is fetched again, also when that fails.
package struct Listing<Item: Hashable & Sendable>: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
        /// Not fetched yet.
        case idle
        case loading
        case ready
        case failed(PagerProblem)
    }

    package internal(set) var phase = Phase.idle
    package internal(set) var items: [Item] = []
    /// Count of changes by events and by the user. A reply from before a change may lack it.
    var changeCount = 0

    /// True if the list was fetched and has no items.
    package var isEmpty: Bool { phase == .ready && items.isEmpty }

    /// Changes the items after an event, or an action of the user.
    mutating func change(_ body: (inout [Item]) -> Void) {
        changeCount += 1
        body(&items)
    }
}
