import Foundation

/// A Markdown table on standard output. Each row is printed as soon as it is measured.
struct Table {
    init() {
        row("measurement", "figure", "ratio", "target")
        row("---", "---:", "---:", "---")
    }

    /// - Parameters:
    ///   - ratio: The figure as a multiple of another figure of the same run.
    ///   - target: The target for the figure, or for the ratio.
    func row(_ measurement: String, _ figure: String, _ ratio: String = "", _ target: String = "") {
        print("| \(measurement) | \(figure) | \(ratio) | \(target) |")
        fflush(nil)
    }
}

extension Duration {
    /// The duration as text: `12 µs`, `1.25 ms`, `0.31 s`.
    var shown: String {
        switch self {
        case ..<(.milliseconds(0.1)): String(format: "%.0f µs", self / .microseconds(1))
        case ..<(.milliseconds(100)): String(format: "%.2f ms", self / .milliseconds(1))
        default: String(format: "%.2f s", self / .seconds(1))
        }
    }

    /// Returns the ratio to another duration, as text.
    func of(_ other: Duration) -> String { (self / other).shown }
}

extension Double {
    /// The number as text, with about three significant digits.
    var shown: String { String(format: self < 1 ? "%.2f" : self < 100 ? "%.1f" : "%.0f", self) }
}

extension Int {
    /// The number as text with separators: `1,234`.
    var shown: String {
        let digits = String(self)
        guard digits.count > 3 else { return digits }
        return (self / 1000).shown + "," + digits.suffix(3)
    }

    /// The number of bytes as text: `12.3 KiB`.
    var asKiB: String { String(format: "%.1f KiB", Double(self) / 1024) }
}

extension [Duration] {
    /// Returns the value at this fraction of the sorted values.
    func percentile(_ fraction: Double) -> Duration { sorted()[Swift.min(count - 1, Int(Double(count) * fraction))] }
    var median: Duration { percentile(0.5) }
}
