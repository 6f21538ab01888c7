import EndlessCodeAgents
import Foundation
import WireKit

/// The standard output: one JSON object per line.
final class Output: Sendable {
    private let lock = Locked(())

    func write(_ message: [String: JSONValue]) {
        let line = Data((JSONValue.object(message).text + "\n").utf8)
        lock.withLock { _ in
            // A failed write means that the host has ended; then the input ends as well.
            try? FileHandle.standardOutput.write(contentsOf: line)
        }
    }
}
