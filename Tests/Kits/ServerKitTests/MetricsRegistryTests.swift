import CoreMetrics
import Testing

@testable import ServerKit

@Suite struct MetricsRegistryTests {
    @Test func countersGaugesAndTimersAreWrittenAsPrometheusText() {
        let registry = MetricsRegistry()
        Counter(label: "pages_total", dimensions: [("kind", "a\"b\\c\nd")], factory: registry).increment(by: 2)
        Counter(label: "pages_total", dimensions: [("kind", "a\"b\\c\nd")], factory: registry).increment()
        Gauge(label: "sockets", factory: registry).record(4)
        CoreMetrics.Timer(label: "seconds", factory: registry).recordNanoseconds(30_000_000)

        let lines = registry.text().split(separator: "\n").map(String.init)
        #expect(lines.contains("# TYPE pages_total counter"))
        #expect(lines.contains(#"pages_total{kind="a\"b\\c\nd"} 3"#))
        #expect(lines.contains("# TYPE sockets gauge"))
        #expect(lines.contains("sockets 4"))
        #expect(lines.contains("# TYPE seconds histogram"))
        #expect(lines.contains(#"seconds_bucket{le="0.025"} 0"#))
        #expect(lines.contains(#"seconds_bucket{le="0.05"} 1"#))
        #expect(lines.contains(#"seconds_bucket{le="+Inf"} 1"#))
        #expect(lines.contains("seconds_sum 0.03"))
        #expect(lines.contains("seconds_count 1"))
    }

    @Test func seriesAreBounded() {
        let registry = MetricsRegistry()
        for number in 0..<(MetricsRegistry.maximumSeries + 100) {
            Counter(label: "n", dimensions: [("number", "\(number)")], factory: registry).increment()
        }
        #expect(registry.text().split(separator: "\n").count == MetricsRegistry.maximumSeries + 1)
    }
}
