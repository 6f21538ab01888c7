import NIOConcurrencyHelpers

/// The client addresses that rate limits use for browser phones, whose calls of their own box come over no connection.
///
/// A phone counts for itself, within the network that its page came from: what it uses up is nobody else's. A network has ``maximumPhones``
/// such addresses at most; the phones beyond them share one. So a browser that drops its cookie again and again to be another phone
/// gains a bounded number of fresh limits, and not one more for each cookie.
public final class ClientAddresses: Sendable {
    /// The number of phones of one network that count each for itself.
    public static let maximumPhones = 16
    /// The time without a call after which a phone's place is free for another. Longer than the window of any rate limit.
    static let expiry: Duration = .seconds(3600)
    /// The number of networks that are remembered. Beyond it those without a phone that calls go first, then any one.
    static let maximumNetworks = 10_000

    private typealias Instant = ContinuousClock.Instant
    private struct State {
        /// The network that each phone was last seen in.
        var networks: [String: String] = [:]
        /// By network, the phones that count for themselves, with their last call.
        var places: [String: [String: Instant]] = [:]

        mutating func makeRoom(now: Instant) {
            guard places.count >= maximumNetworks else { return }
            places = places.filter { $0.value.contains { now - $0.value < expiry } }
            if places.count >= maximumNetworks { places.remove(at: places.startIndex) }
        }
    }
    private let state = NIOLockedValueBox(State())

    public init() {}

    /// Notes the network that a page of `phone` came from.
    public func note(_ phone: String, in network: String) { state.withLockedValue { $0.networks[phone] = network } }

    /// Lets go of a phone without pages. Its place in its network stays taken until it expires.
    public func forget(_ phone: String) { state.withLockedValue { $0.networks[phone] = nil } }

    /// The client address of a call that `phone` makes now.
    public func address(of phone: String, now: ContinuousClock.Instant = .now) -> String {
        state.withLockedValue { state in
            guard let network = state.networks[phone] else { return "browser phones" }
            var places = state.places[network] ?? [:]
            if places[phone] == nil, places.count >= Self.maximumPhones { places = places.filter { now - $0.value < Self.expiry } }
            guard places[phone] != nil || places.count < Self.maximumPhones else { return "\(network) browser phones" }
            places[phone] = now
            if state.places[network] == nil { state.makeRoom(now: now) }
            state.places[network] = places
            return "\(network) phone \(phone)"
        }
    }

    /// The number of networks that are remembered.
    var count: Int { state.withLockedValue { $0.places.count } }
}
