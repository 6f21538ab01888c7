import Foundation
import PlatformKit
import SwiftUI
import TestKit
import Testing
import WireKit

@testable import WebRenderer

/// Push addresses, badges, and what waits for a page.
@MainActor
@Suite struct PushTests {
    private static let endpoint = "https://push.example/a"
    private nonisolated static let subscription: JSONValue = .object([
        "endpoint": .string("https://push.example/a"), "expirationTime": .null,
        "keys": .object([
            "p256dh": .string(String(repeating: "B", count: 87)), "auth": .string(String(repeating: "_", count: 22)),
        ]),
    ])
    private nonisolated static let address = PushAddress.webPush(
        PushSubscription(
            endpoint: "https://push.example/a",
            keys: .init(p256dh: String(repeating: "B", count: 87), auth: String(repeating: "_", count: 22))))

    /// The phone of the last page.
    @MainActor
    private final class KeptPhone {
        private var phone: Phone?
        func keep(_ phone: Phone) { self.phone = phone }
        var notifications: any Notifications { get throws { try #require(phone).notifications } }
    }

    private func run(_ body: @escaping @Sendable (TestSite, KeptPhone) async throws -> Void) async throws {
        let kept = KeptPhone()
        try await TestSite.run { phone in
            Text("page").onAppear { kept.keep(phone) }
        } body: { site in
            try await body(site, kept)
        }
    }

    /// Answers the next request with `name`.
    ///
    /// - Returns: The value of the request.
    private nonisolated static func answer(
        _ page: PageProbe, _ name: String, _ fields: [String: JSONValue]
    ) async throws -> JSONValue {
        try await page.wait { $0.requests.contains { $0.name == name } }
        let request = try #require(await page.takeRequest(name))
        try await page.write(.object(["reply": .integer(Int64(request.number))].merging(fields) { $1 }))
        return request.value
    }

    @Test func theAddressIsThePagesSubscription() async throws {
        try await run { site, kept in
            try await site.page { page in
                let notifications = try await kept.notifications
                // A browser has no address without a key.
                #expect(await notifications.pushAddress(key: nil) == nil)
                async let address = notifications.pushAddress(key: "BKey")
                #expect(try await Self.answer(page, "push.subscribe", ["v": Self.subscription]) == .string("BKey"))
                #expect(await address == Self.address)
            }
        }
    }

    @Test(arguments: ["denied", "unsupported", "failed", "gesture", "nonsense"])
    func aRefusalOfThePageIsNoAddress(_ word: String) async throws {
        try await run { site, kept in
            try await site.page { page in
                let notifications = try await kept.notifications
                for fields in [["v": Self.subscription], ["error": .string(word)]] {
                    async let address = notifications.pushAddress(key: "BKey")
                    _ = try await Self.answer(page, "push.subscribe", fields)
                    #expect(await address == (fields["v"] == nil ? nil : Self.address))
                }
            }
        }
    }

    @Test func theLastAddressRemainsWithoutAPage() async throws {
        try await run { site, kept in
            let cookie = Secret.make()
            let session = try await site.page(cookie: cookie) { page in
                let notifications = try await kept.notifications
                async let address = notifications.pushAddress(key: "BKey")
                _ = try await Self.answer(page, "push.subscribe", ["v": Self.subscription])
                #expect(await address == Self.address)
                return await page.session
            }
            try await eventually { await site.sessions.attachedCount == 0 }
            let notifications = try await kept.notifications
            var changes = await notifications.addressChanges().makeAsyncIterator()
            #expect(await notifications.pushAddress(key: "BKey") == Self.address)
            #expect(await notifications.pushAddress(key: "BOther") == nil)
            // The next page is asked again.
            try await site.page(cookie: cookie, session: session) { _ in }
            #expect(await changes.next() != nil)
        }
    }

    @Test func anAddressThatNoPageKnewIsRequestedAgain() async throws {
        try await run { site, kept in
            let cookie = Secret.make()
            for fields in [["error": JSONValue.string("failed")], nil] {
                try await site.page(cookie: cookie) { page in
                    let notifications = try await kept.notifications
                    async let address = notifications.pushAddress(key: "BKey")
                    if let fields {
                        _ = try await Self.answer(page, "push.subscribe", fields)
                        #expect(await address == nil)
                    } else {
                        try await page.wait { !$0.requests.isEmpty }
                        await site.sessions.closeAll()
                        #expect(await address == nil)
                    }
                }
                // The change waits for the app to listen.
                try await site.page(cookie: cookie) { _ in
                    var changes = try await kept.notifications.addressChanges().makeAsyncIterator()
                    #expect(await changes.next() != nil)
                }
            }
        }
    }

    @Test func changesThatThePageReportsReachTheApp() async throws {
        try await run { site, kept in
            try await site.page { page in
                let notifications = try await kept.notifications
                var changes = await notifications.addressChanges().makeAsyncIterator()
                var others = await notifications.addressChanges().makeAsyncIterator()
                try await page.send("address", 0)
                #expect(await changes.next() != nil)
                #expect(await others.next() != nil)
            }
        }
    }

    @Test func badgesAndRemovalsWaitForAPage() async throws {
        try await run { site, kept in
            let cookie = Secret.make()
            let session = try await site.page(cookie: cookie) { page in
                let notifications = try await kept.notifications
                await notifications.setBadge(-1)
                try await page.wait { $0.requests.count == 1 }
                #expect(await page.takeRequest("badge")?.value == .integer(0))
                return await page.session
            }
            try await eventually { await site.sessions.attachedCount == 0 }
            let notifications = try await kept.notifications
            await notifications.setBadge(2)
            await notifications.setBadge(3)
            for number in 0..<20 { await notifications.remove(id: "\(number)") }
            await notifications.remove(id: "10")
            let expected = (4..<20).filter { $0 != 10 }.map { JSONValue.string("\($0)") } + [.string("10")]
            try await site.page(cookie: cookie, session: session) { page in
                try await page.wait { $0.requests.last?.name == "badge" }
                #expect(await page.takeRequest("badge")?.value == .integer(3))
                let removals = await page.requests.map(\.value)
                #expect(removals == expected)
            }
            // Once.
            try await site.page(cookie: cookie, session: session) { page in
                try await page.send("ping", 0)
                try await page.waitForAck()
                #expect(await page.requests.isEmpty)
            }
        }
    }

    @Test func aTagThatIsTooLongIsNoTap() async throws {
        try await run { site, kept in
            try await site.page { page in
                var taps = try await kept.notifications.taps().makeAsyncIterator()
                try await page.send("notification", 0, .string(String(repeating: "x", count: 1025)))
                try await page.send("notification", 0, .string("chat-1"))
                #expect(await taps.next() == "chat-1")
            }
        }
    }

    @Test func otherAnswersAreNoSubscriptions() throws {
        guard case .object(let good) = Self.subscription, case .object(let keys)? = good["keys"] else {
            Issue.record("the sample is no object")
            return
        }
        #expect(PushSubscription(page: Self.subscription)?.endpoint == Self.endpoint)
        let endpoints: [JSONValue] = [
            .null, .integer(1), .string(""), .string("https://push.example/a b"), .string("https://push.example/ü"),
            .string("https://push.example/\n"),
            .string("https://push.example/" + String(repeating: "a", count: 2048)), .object([:]),
        ]
        for endpoint in endpoints {
            #expect(PushSubscription(page: .object(good.merging(["endpoint": endpoint]) { $1 })) == nil)
        }
        // The service may allow a push service of its operator without TLS.
        let local = good.merging(["endpoint": .string("http://127.0.0.1:8080/push")]) { $1 }
        #expect(PushSubscription(page: .object(local))?.endpoint == "http://127.0.0.1:8080/push")
        let publicKeys = [
            "", String(repeating: "B", count: 86), String(repeating: "B", count: 88), String(repeating: "+", count: 87),
        ]
        let secrets = ["", String(repeating: "A", count: 21), String(repeating: "A", count: 24), String(repeating: "é", count: 11)]
        let broken =
            publicKeys.map { keys.merging(["p256dh": .string($0)]) { $1 } }
            + secrets.map { keys.merging(["auth": .string($0)]) { $1 } } + [["auth": .null], [:]]
        for keys in broken { #expect(PushSubscription(page: .object(good.merging(["keys": .object(keys)]) { $1 })) == nil) }
        for answer in [JSONValue.null, .bool(true), .string(Self.endpoint), .array([Self.subscription]), .object([:])] {
            #expect(PushSubscription(page: answer) == nil)
        }
    }
}
