import Foundation

extension String {
    /// Without white space at both ends.
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }

    /// Without white space at both ends, cut to a number of Unicode scalar values.
    func trimmed(_ maximumLength: Int) -> String {
        let text = trimmed
        guard text.unicodeScalars.count > maximumLength else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(maximumLength)))
    }
}
