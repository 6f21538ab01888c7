import Foundation

/// The amount of work of a test: little in `make test`, much in `make soak`.
package enum Effort {
    package static let isSoak = ProcessInfo.processInfo.environment["SWITCHBOARD_SOAK"] == "1"

    package static func count(_ quick: Int, soak: Int) -> Int { isSoak ? soak : quick }
}
