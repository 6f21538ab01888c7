package import CoreMetrics
import WireKit

/// A registry of the counters, gauges and timers of swift-metrics, which it writes as Prometheus text.
///
/// Pass it to each metric, `Counter(label: "pages_total", factory: registry)`, instead of a global bootstrap: every server has its own
/// registry. Timers are written as histograms in seconds, recorders without aggregation as gauges. Take labels from small fixed sets: the
/// registry keeps at most ``maximumSeries`` series and ignores further ones.
///
/// Text format: Prometheus documentation, "Exposition formats", text version 0.0.4.
package final class MetricsRegistry: MetricsFactory, Sendable {
    package static let maximumSeries = 2000

    /// Upper bounds of a timer's buckets, in seconds.
    static let buckets: [Double] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

    private let series = Locked<[SeriesName: Series]>([:])

    package init() {}

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        find(label, dimensions, .counter)
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        find(label, dimensions, aggregate ? .histogram : .gauge)
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        find(label, dimensions, .gauge)
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        find(label, dimensions, .histogram)
    }

    // Series live as long as the registry: a metric created again under the same label continues its count.
    package func destroyCounter(_: any CounterHandler) {}
    package func destroyRecorder(_: any RecorderHandler) {}
    package func destroyMeter(_: any MeterHandler) {}
    package func destroyTimer(_: any TimerHandler) {}

    private func find(_ label: String, _ dimensions: [(String, String)], _ kind: Series.Kind) -> Series {
        let name = SeriesName(metric: label, labels: dimensions.map { Label(name: $0, value: $1) })
        return series.withLock { table in
            if let known = table[name] { return known }
            let new = Series(kind)
            if table.count < Self.maximumSeries { table[name] = new }
            return new
        }
    }

    /// Returns all recorded values as Prometheus text, metrics and series in a stable order.
    package func text() -> String {
        let all = series.withLock { $0 }.sorted { $0.key < $1.key }
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
