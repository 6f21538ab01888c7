/// Things from the service as a screen shows them: what is there stays while it is fetched again, or cannot be.
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

    /// Nothing to show, and nothing more to wait for.
    public var isEmpty: Bool { phase == .ready && items.isEmpty }
}
