public import CoreMetrics
import NIOConcurrencyHelpers

/// Keeps what swift-metrics' counters, gauges and timers record, and writes it as Prometheus text.
///
/// Give it to the metric itself, `Counter(label: "pages_total", factory: registry)`, not to a global bootstrap: each server has
/// its own. Timers are written as a histogram in seconds, recorders without aggregation as a gauge. Labels must come from small fixed sets:
/// at most ``maximumSeries`` series are kept, further ones are counted nowhere.
///
/// Source of the text form: Prometheus documentation, "Exposition formats", text version 0.0.4.
public final class MetricsRegistry: MetricsFactory, Sendable {
    public static let maximumSeries = 2000

    /// Upper bounds of a timer's buckets, in seconds.
    static let buckets: [Double] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

    private let series = NIOLockedValueBox<[SeriesName: Series]>([:])

    public init() {}

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        find(label, dimensions, .counter)
    }

    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        find(label, dimensions, aggregate ? .histogram : .gauge)
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        find(label, dimensions, .gauge)
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        find(label, dimensions, .histogram)
    }

    // Series live as long as the registry: a label that comes back must go on counting.
    public func destroyCounter(_: any CounterHandler) {}
    public func destroyRecorder(_: any RecorderHandler) {}
    public func destroyMeter(_: any MeterHandler) {}
    public func destroyTimer(_: any TimerHandler) {}

    private func find(_ label: String, _ dimensions: [(String, String)], _ kind: Series.Kind) -> Series {
        let name = SeriesName(metric: label, labels: dimensions.map { Label(name: $0, value: $1) })
        return series.withLockedValue { table in
            if let known = table[name] { return known }
            let new = Series(kind)
            if table.count < Self.maximumSeries { table[name] = new }
            return new
        }
    }

    /// Everything recorded so far, metrics and series in a stable order.
    public func text() -> String {
        let all = series.withLockedValue { $0 }.sorted { $0.key < $1.key }
        var lines: [String] = []
        var metric = ""
        for (name, series) in all {
            if name.metric != metric {
                metric = name.metric
                lines.append("# TYPE \(metric) \(series.kind.rawValue)")
            }
            lines += series.lines(name)
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

/// A metric's name and labels.
struct SeriesName: Hashable, Comparable {
    var metric: String
    var labels: [Label]

    static func < (a: SeriesName, b: SeriesName) -> Bool {
        (a.metric, a.labels.description) < (b.metric, b.labels.description)
    }

    /// `name{a="b"} value`, with backslash, quote and line end escaped.
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

/// The values of one series. Every kind of handler in one, since each uses a part of the same three numbers.
final class Series: CounterHandler, RecorderHandler, MeterHandler, TimerHandler, Sendable {
    enum Kind: String { case counter, gauge, histogram }

    private struct Values {
        /// Counter and gauge: the value. Histogram: the sum.
        var total: Double = 0
        var count = 0
        /// For each of ``MetricsRegistry/buckets``, how many were at most as much.
        var buckets = [Int](repeating: 0, count: MetricsRegistry.buckets.count)
    }

    let kind: Kind
    private let values = NIOLockedValueBox(Values())

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
        values.withLockedValue { values in
            values.total += value
            values.count += 1
            for (index, bound) in MetricsRegistry.buckets.enumerated() where value <= bound { values.buckets[index] += 1 }
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    private func store(_ value: Double) { values.withLockedValue { $0.total = value } }
    private func add(_ amount: Double) { values.withLockedValue { $0.total += amount } }

    func lines(_ name: SeriesName) -> [String] {
        let values = values.withLockedValue { $0 }
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
