import Foundation
import WireKit

/// The value of the `Date` header (RFC 9110, section 6.6.1), cached for a second.
final class HTTPDate: Sendable {
    private let box = Locked<(second: Int, text: String)>((0, ""))

    var now: String {
        let second = Int(Date().timeIntervalSince1970)
        return box.withLock { cached in
            if cached.second != second { cached = (second, Self.format(second)) }
            return cached.text
        }
    }

    /// Returns an IMF-fixdate, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7), of a time in seconds since 1970.
    static func format(_ second: Int) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: Date(timeIntervalSince1970: TimeInterval(second)))
    }
}
