import TestKit
import Testing
import WireKit

@testable import ServerKit

@Suite struct ForegroundClientsTests {
    private final class Client {}

    @Test func presenceExpires() {
        let start = ContinuousClock.now
        let elapsed = Locked(Duration.zero)
        let clients = ForegroundClients<String> { start + elapsed.withLock { $0 } }
        func end(after time: Duration) -> Duration? {
            elapsed.withLock { $0 = time }
            return clients.end(of: "ada").map { start.duration(to: $0) }
        }
        let (phone, tablet) = (Client(), Client())
        #expect(end(after: .zero) == nil)
        clients.set(phone, of: "ada", until: start + .seconds(45))
        clients.set(tablet, of: "ada", until: start + .seconds(50))
        #expect(clients.contains("ada") && !clients.contains("bob"))
        #expect(end(after: .milliseconds(49_999)) == .seconds(50))
        #expect(!clients.contains(phone, of: "ada") && clients.contains(tablet, of: "ada"))
        #expect(end(after: .seconds(50)) == nil)
        clients.set(tablet, of: "ada", until: nil)
        #expect(end(after: .milliseconds(44_999)) == .seconds(45))
        clients.set(phone, of: "ada", until: nil)
        #expect(end(after: .zero) == nil)
    }
}
