import Foundation

/// How much a test does: enough to notice a mistake each time, or as much as `make soak` has time for.
package enum Effort {
    package static let isSoak = ProcessInfo.processInfo.environment["SWITCHBOARD_SOAK"] == "1"

    package static func count(_ quick: Int, soak: Int) -> Int { isSoak ? soak : quick }
}
