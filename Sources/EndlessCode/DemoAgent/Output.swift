import AgentKit
import Foundation
import WireKit

/// The standard output: one JSON object a line.
final class Output: Sendable {
    private let lock = Locked(())

    func write(_ message: [String: JSONValue]) {
        let line = Data((JSONValue.object(message).text + "\n").utf8)
        lock.withLock { _ in
            // The host is gone if this fails; the end of the input says so too.
            try? FileHandle.standardOutput.write(contentsOf: line)
        }
    }
}
