/// Items of the service as a screen shows them. They stay while they are fetched again, or cannot be.
public struct Listing<Item: Hashable & Sendable>: Hashable, Sendable {
    public enum Phase: Hashable, Sendable {
        /// Never asked for.
        case idle
        case loading
        case ready
        case failed(PagerProblem)
    }

    public internal(set) var phase = Phase.idle
    public internal(set) var items: [Item] = []
    /// The number of changes that did not come by a fetch. A reply that one of them has overtaken may lack it.
    var changeCount = 0

    /// Nothing to show, and nothing more to wait for.
    public var isEmpty: Bool { phase == .ready && items.isEmpty }

    /// Changes the items because of an event, or of what the user did.
    mutating func change(_ body: (inout [Item]) -> Void) {
        changeCount += 1
        body(&items)
    }
}
