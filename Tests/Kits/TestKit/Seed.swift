import Foundation
package import Testing

/// The seed of the tests' random numbers.
package enum Seed {
    /// The value of `SWITCHBOARD_SEED`; otherwise a new, printed seed in each soak and a constant in `make test`.
    package static let current: UInt64 = {
        if let text = ProcessInfo.processInfo.environment["SWITCHBOARD_SEED"], let seed = UInt64(text) { return seed }
        guard Effort.isSoak else { return 2077 }
        let seed = UInt64.random(in: 0 ... .max)
        // Printed immediately: a test that crashes the process prints nothing afterwards.
        FileHandle.standardError.write(Data("\(replay(seed))\n".utf8))
        return seed
    }()

    static func replay(_ seed: UInt64) -> String {
        "SWITCHBOARD_SEED=\(seed)\(Effort.isSoak ? " SWITCHBOARD_SOAK=1" : "") replays this"
    }
}

extension Trait where Self == IssueHandlingTrait {
    /// Adds the seed to each failure. For tests that draw from ``Seed/current``.
    package static var seeded: Self {
        .compactMapIssues { issue in
            let comment = Comment(rawValue: Seed.replay(Seed.current))
            // A suite's trait is applied for the suite and for the test.
            guard !issue.comments.contains(comment) else { return issue }
            var issue = issue
            issue.comments.append(comment)
            return issue
        }
    }
}
