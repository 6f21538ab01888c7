import Foundation
import SwiftUI
import TestKit
import Testing
import WireKit

@testable import WebRenderer

/// Quotas of sessions: the most idle page makes room.
@Suite struct ShareTests {
    private static func run(
        _ limits: Sessions.Limits, asksForCode: Bool = false, _ body: @escaping @Sendable (TestSite) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let code = asksForCode ? try AccessCode.stored(in: folder.url.appending(path: "code")) : nil
        try await TestSite.run(limits: limits, accessCode: code) { _ in
            Text("page")
        } body: {
            try await body($0)
        }
    }

    @Test func aPhonesThirteenthPageClosesABackgroundPage() async throws {
        var limits = Sessions.Limits()
        limits.sessionsPerPhone = 2
        try await Self.run(limits) { site in
            let cookie = Secret.make()
            try await site.page(cookie: cookie, document: "a") { hidden in
                try await site.page(cookie: cookie, document: "b") { _ in
                    try await hidden.send("phase", 0, .string("background"))
                    try await hidden.waitForAck()
                    try await site.page(cookie: cookie, document: "c") { page in
                        #expect(await page.session != nil)
                        try await hidden.wait { $0.gone == "idle" }
                        #expect(await site.sessions.count == 2)
                        // The two pages in the foreground stay.
                        try await site.page(cookie: cookie, document: "d") { #expect(await $0.gone == "full") }
                    }
                }
            }
            // The page gets a new session once there is room.
            try await eventually { await site.sessions.attachedCount == 0 }
            try await site.page(cookie: cookie, document: "a") { #expect(await $0.session != nil) }
        }
    }

    @Test func aNetworksSessionsAreBounded() async throws {
        var limits = Sessions.Limits()
        limits.sessionsPerNetwork = 2
        try await Self.run(limits) { site in
            try await site.page { hidden in
                try await site.page { _ in
                    try await site.page { #expect(await $0.gone == "full") }
                    try await hidden.send("phase", 0, .string("background"))
                    try await hidden.waitForAck()
                    try await site.page { page in
                        #expect(await page.session != nil)
                        try await hidden.wait { $0.gone == "idle" }
                    }
                }
            }
        }
    }

    @Test func phonesWithTheCodeAreOutsideTheQuota() async throws {
        var limits = Sessions.Limits()
        limits.sessionsPerNetwork = 1
        try await Self.run(limits, asksForCode: true) { site in
            var secrets: [String] = []
            for _ in 0..<2 {
                let secret = Secret.make()
                try await site.sessions.admit(secret)
                secrets.append(secret)
            }
            let admitted = secrets
            try await site.page(cookie: admitted[0]) { _ in
                try await site.page(cookie: admitted[1]) { #expect(await $0.session != nil) }
            }
        }
    }

    @Test func aFullBoxClosesSessionsOfTheLargestOwner() async throws {
        var limits = Sessions.Limits()
        limits.sessions = 3
        try await Self.run(limits, asksForCode: true) { site in
            let greedy = Secret.make()
            let modest = Secret.make()
            for secret in [greedy, modest] { try await site.sessions.admit(secret) }
            let patient = try await site.page(cookie: modest) { await $0.session }
            for _ in 0..<2 { try await site.page(cookie: greedy) { _ in } }
            try await eventually { await site.sessions.attachedCount == 0 }
            let newcomer = Secret.make()
            try await site.sessions.admit(newcomer)
            try await site.page(cookie: newcomer) { #expect(await $0.session != nil) }
            // The oldest session was not closed.
            try await site.page(cookie: modest, session: patient) { #expect(await $0.isResumed == true) }
        }
    }
}
