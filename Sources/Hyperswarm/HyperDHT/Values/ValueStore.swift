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
    /// The targets in the order of their expiry. An element whose time is not that of its entry is out of date.
    private var order = CircularBuffer<(target: DHTKey, expires: Duration)>()

    init(limits: ValueLimits) {
        self.limits = limits
    }

    /// The number of values, with those that have expired and were not removed yet.
    var count: Int { entries.count }

    func value(at target: DHTKey, now: Duration) -> Value? {
        entries[target].flatMap { $0.expires > now ? $0.value : nil }
    }

    /// Stores or renews a value. In a full store, the one that nobody has renewed for the longest time gives way.
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

/// The limits of each kind of value that a storing node keeps. The lifetime is that of the reference.
struct ValueLimits: Sendable {
    /// The time that a value lives without being put again.
    var lifetime = Duration.seconds(48 * 60 * 60)
    var maximumCount = 32_768
    /// Values of one host that are stored: a burst, then so many per second.
    var putBurst = 256
    var putsPerSecond = 32
    /// Values that are sent to one host that has not proved its address: whoever writes a stranger's address into requests has that many
    /// sent there. Further requests are answered without the value.
    var unprovedBurst = 64
    var unprovedPerSecond = 16
}
