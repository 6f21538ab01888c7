import WireKit

/// The client addresses that rate limits use for browser phones, whose calls to their own box come over no connection.
///
/// Each phone has its own limits within the network of its page, so one phone never uses up the limits of another. At most
/// ``maximumPhones`` phones of a network have an address of their own; further phones share one. A browser that discards its cookie
/// repeatedly, to appear as a new phone, therefore gains a bounded number of fresh limits.
package final class ClientAddresses: Sendable {
    /// Maximum phones per network that have an address of their own.
    package static let maximumPhones = 16
    /// The time without a call after which a phone's address may go to another phone. Longer than the window of any rate limit.
    static let expiry: Duration = .seconds(3600)
    /// Maximum networks to store. Beyond it, networks without an active phone are dropped first, then an arbitrary one.
    static let maximumNetworks = 10_000

    private typealias Instant = ContinuousClock.Instant
    private struct State {
        /// The network that each phone was last seen in.
        var networks: [String: String] = [:]
        /// The phones with an address of their own and the times of their last calls, by network.
        var slots: [String: [String: Instant]] = [:]

        mutating func makeRoom(now: Instant) {
            guard slots.count >= maximumNetworks else { return }
            slots = slots.filter { $0.value.contains { now - $0.value < expiry } }
            if slots.count >= maximumNetworks { slots.remove(at: slots.startIndex) }
        }
    }
    private let state = Locked(State())

    package init() {}

    /// Records the network of a page of `phone`.
    package func note(_ phone: String, in network: String) { state.withLock { $0.networks[phone] = network } }

    /// Forgets the network of a phone without pages. Its address stays reserved until it expires.
    package func forget(_ phone: String) { state.withLock { $0.networks[phone] = nil } }

    /// Returns the client address of a call from `phone` at `now`.
    package func address(of phone: String, now: ContinuousClock.Instant = .now) -> String {
        state.withLock { state in
            guard let network = state.networks[phone] else { return "browser phones" }
            var slots = state.slots[network] ?? [:]
            if slots[phone] == nil, slots.count >= Self.maximumPhones { slots = slots.filter { now - $0.value < Self.expiry } }
            guard slots[phone] != nil || slots.count < Self.maximumPhones else { return "\(network) browser phones" }
            slots[phone] = now
            if state.slots[network] == nil { state.makeRoom(now: now) }
            state.slots[network] = slots
            return "\(network) phone \(phone)"
        }
    }

    /// Count of stored networks.
    var count: Int { state.withLock { $0.slots.count } }
}
