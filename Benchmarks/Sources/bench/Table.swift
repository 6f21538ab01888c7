import Foundation

/// What is printed: Markdown, a row as soon as it is measured.
struct Table {
    init() {
        row("what", "figure", "beside", "target")
        row("---", "---:", "---:", "---")
    }

    /// - Parameters:
    ///   - beside: The figure as a multiple of another one of the same run.
    ///   - target: For the figure, or for what is beside it if that is a multiple.
    func row(_ what: String, _ figure: String, _ beside: String = "", _ target: String = "") {
        print("| \(what) | \(figure) | \(beside) | \(target) |")
        fflush(nil)
    }
}

extension Duration {
    /// `12 µs`, `1.25 ms`, `0.31 s`.
    var shown: String {
        switch self {
        case ..<(.milliseconds(0.1)): String(format: "%.0f µs", self / .microseconds(1))
        case ..<(.milliseconds(100)): String(format: "%.2f ms", self / .milliseconds(1))
        default: String(format: "%.2f s", self / .seconds(1))
        }
    }

    /// This as a multiple of another.
    func of(_ other: Duration) -> String { (self / other).shown }
}

extension Double {
    /// With three digits that say something.
    var shown: String { String(format: self < 1 ? "%.2f" : self < 100 ? "%.1f" : "%.0f", self) }
}

extension Int {
    /// `1,234`.
    var shown: String {
        let digits = String(self)
        guard digits.count > 3 else { return digits }
        return (self / 1000).shown + "," + digits.suffix(3)
    }

    /// Of bytes: `12.3 KiB`.
    var asKiB: String { String(format: "%.1f KiB", Double(self) / 1024) }
}

extension [Duration] {
    /// The value that `fraction` of all are not above.
    func percentile(_ fraction: Double) -> Duration { sorted()[Swift.min(count - 1, Int(Double(count) * fraction))] }
    var median: Duration { percentile(0.5) }
}
