import DHTRPC
import NIOCore

/// Values that a storing node keeps by their targets, bounded in number and in time.
///
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.5.
struct ValueStore<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value
        var expires: Duration
    }

    private let limits: ValueLimits
    private var entries: [DHTKey: Entry] = [:]
    /// The targets in the order of their expiry. An element whose time differs from that of its entry is out of date.
    private var order = CircularBuffer<(target: DHTKey, expires: Duration)>()

    init(limits: ValueLimits) {
        self.limits = limits
    }

    /// Count of the values, including expired ones that were not removed yet.
    var count: Int { entries.count }

    func value(at target: DHTKey, now: Duration) -> Value? {
        entries[target].flatMap { $0.expires > now ? $0.value : nil }
    }

    /// Stores or renews a value. In a full store, it replaces the value with the oldest renewal.
    mutating func insert(_ value: Value, at target: DHTKey, now: Duration) {
        let expires = now + limits.lifetime
        entries[target] = Entry(value: value, expires: expires)
        order.append((target, expires))
        while let oldest = order.first {
            let isCurrent = entries[oldest.target]?.expires == oldest.expires
            guard !isCurrent || oldest.expires <= now || entries.count > limits.maximumCount else { break }
            order.removeFirst()
            if isCurrent { entries[oldest.target] = nil }
        }
        // Values that are renewed often leave elements behind.
        guard order.count > 2 * limits.maximumCount else { return }
        order = CircularBuffer(order.filter { entries[$0.target]?.expires == $0.expires })
    }
}

/// The limits of each kind of value that a storing node keeps. The lifetime is that of the reference implementation.
struct ValueLimits: Sendable {
    /// Lifetime of a value after its last put.
    var lifetime = Duration.seconds(48 * 60 * 60)
    var maximumCount = 32_768
    /// Maximum values stored for one host: a burst, then a rate.
    var putBurst = 256
    var putsPerSecond = 32
    /// Maximum values sent to one host that has not proved its address, since an attacker can forge the source address of requests.
    /// Further requests are answered without the value.
    var unprovedBurst = 64
    var unprovedPerSecond = 16
}
