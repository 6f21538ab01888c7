import CoreMetrics
import WireKit

/// A metric's name and labels.
struct SeriesName: Hashable, Comparable {
    var metric: String
    var labels: [Label]

    static func < (a: SeriesName, b: SeriesName) -> Bool {
        (a.metric, a.labels.description) < (b.metric, b.labels.description)
    }

    /// Returns a line `name{a="b"} value` with backslash, quote and line feed escaped.
    func line(_ value: some CustomStringConvertible, suffix: String = "", extra: Label? = nil) -> String {
        let labels = (labels + (extra.map { [$0] } ?? [])).map { label in
            let value = label.value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
            return "\(label.name)=\"\(value)\""
        }
        return "\(metric)\(suffix)\(labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}") \(value)"
    }
}

struct Label: Hashable {
    var name: String
    var value: String
}

/// The values of one series. One type serves all kinds of handlers, since each needs a subset of the same three numbers.
final class Series: CounterHandler, RecorderHandler, MeterHandler, TimerHandler, Sendable {
    enum Kind: String { case counter, gauge, histogram }

    private struct Values {
        /// Counter and gauge: the value. Histogram: the sum.
        var total: Double = 0
        var count = 0
        /// Counts of the values at or below each bound of ``MetricsRegistry/buckets``.
        var buckets = [Int](repeating: 0, count: MetricsRegistry.buckets.count)
    }

    let kind: Kind
    private let values = Locked(Values())

    init(_ kind: Kind) { self.kind = kind }

    func increment(by amount: Int64) { add(Double(amount)) }
    func increment(by amount: Double) { add(amount) }
    func decrement(by amount: Double) { add(-amount) }
    func reset() { store(0) }
    func set(_ value: Int64) { store(Double(value)) }
    func set(_ value: Double) { store(value) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard kind == .histogram else { return store(value) }
        values.withLock { values in
            values.total += value
            values.count += 1
            for (index, bound) in MetricsRegistry.buckets.enumerated() where value <= bound { values.buckets[index] += 1 }
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    private func store(_ value: Double) { values.withLock { $0.total = value } }
    private func add(_ amount: Double) { values.withLock { $0.total += amount } }

    func lines(_ name: SeriesName) -> [String] {
        let values = values.withLock { $0 }
        let total =
            values.total == values.total.rounded() && abs(values.total) < 1e15 ? "\(Int64(values.total))" : "\(values.total)"
        guard kind == .histogram else { return [name.line(total)] }
        return zip(MetricsRegistry.buckets, values.buckets).map { bound, count in
            name.line(count, suffix: "_bucket", extra: Label(name: "le", value: "\(bound)"))
        } + [
            name.line(values.count, suffix: "_bucket", extra: Label(name: "le", value: "+Inf")),
            name.line(total, suffix: "_sum"),
            name.line(values.count, suffix: "_count"),
        ]
    }
}
