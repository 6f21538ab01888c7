import Foundation
import PhoneTestKit
import PlatformKit
import Testing

@testable import ClientKit

@Suite struct NtfySubscriptionTests {
    @Test(
        arguments: [
            ("https://ntfy.sh", "https://ntfy.sh/pager-1_A"), ("https://ntfy.sh/", "https://ntfy.sh/pager-1_A"),
            ("http://10.0.0.2:8080/push", "http://10.0.0.2:8080/push/pager-1_A"),
        ])
    func addressIsTheTopicBelowTheServer(_ server: String, _ address: String) {
        #expect(NtfySubscription(server: server, topic: "pager-1_A")?.address?.absoluteString == address)
    }

    @Test(arguments: ["", "ntfy.sh", "ftp://ntfy.sh", "javascript:alert(1)", "https://", "https:///x"])
    func serverOutsideTheWebIsRefused(_ server: String) {
        #expect(NtfySubscription(server: server, topic: "pager-1") == nil)
    }

    @Test(arguments: ["", "a/b", "a b", "../a", "ü", "a?b", String(repeating: "a", count: 65)])
    func nameThatIsNoTopicIsRefused(_ topic: String) {
        #expect(NtfySubscription(server: "https://ntfy.sh", topic: topic) == nil)
    }

    @Test @MainActor func keychainKeepsTheSubscription() async throws {
        let phone = TestPhone()
        let keychain = phone.phone().keychain
        let subscription = try #require(NtfySubscription(server: "https://ntfy.sh", topic: "a"))
        #expect(try await NtfySubscription.load(from: keychain) == nil)
        try await NtfySubscription.store(subscription, in: keychain)
        #expect(try await NtfySubscription.load(from: keychain) == subscription)
        try await NtfySubscription.store(nil, in: keychain)
        #expect(phone.secrets.isEmpty)
        // A damaged value is no subscription.
        try await keychain.set(Data("{".utf8), for: "ntfy")
        #expect(try await NtfySubscription.load(from: keychain) == nil)
    }
}
