import TestKit
import Testing
import WireKit

@testable import ServerKit

/// All opened parts are closed.
@Suite struct ServicePartsTests {
    private struct Failure: Error {}
    private let events = Locked<[String]>([])

    private func opening(_ name: String) -> () async throws -> ServiceParts {
        { [events] in
            events.withLock { $0.append("open \(name)") }
            var parts = sampleService(name)
            parts.close = { events.withLock { $0.append("close \(name)") } }
            return parts
        }
    }

    @Test func partsAreClosedInReverseOrder() async throws {
        let names = try await ServiceParts.opening([opening("a"), opening("b")]) { parts in
            events.withLock { $0.append("run") }
            return parts.map(\.name)
        }
        #expect(names == ["a", "b"])
        #expect(events.withLock { $0 } == ["open a", "open b", "run", "close b", "close a"])
    }

    @Test func openedPartsAreClosedWhenALaterStepFails() async {
        await #expect(throws: Failure.self) {
            try await ServiceParts.opening([opening("a"), { throw Failure() }]) { _ in events.withLock { $0.append("run") } }
        }
        await #expect(throws: Failure.self) {
            try await ServiceParts.opening([opening("b"), opening("c")]) { _ in throw Failure() }
        }
        #expect(events.withLock { $0 } == ["open a", "close a", "open b", "open c", "close c", "close b"])
    }
}
