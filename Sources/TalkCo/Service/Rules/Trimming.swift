import Foundation
import WireKit

extension String {
    /// The text without white space at both ends.
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }

    /// Returns the text without white space at both ends, cut to a number of Unicode scalar values.
    func trimmed(_ maximumLength: Int) -> String { trimmed.prefix(scalars: maximumLength) }
}
