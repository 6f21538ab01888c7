import Foundation
import Logging
import PlatformKit
import ServerKit
import SwiftUI
import TestKit
import Testing
import WireKit

@testable import WebRenderer

/// A site with one app, on a real port.
struct TestSite {
    let port: Int
    let folder: URL
    let sessions: Sessions
    let server: ServerUnderTest

    static func run<Root: View, Value: Sendable>(
        limits: Sessions.Limits = .init(), accessCode: AccessCode? = nil, launch: LaunchColors = .system, fonts: [URL] = [],
        @ViewBuilder _ root: @escaping @MainActor @Sendable (Phone) -> Root,
        body: @escaping @Sendable (TestSite) async throws -> Value
    ) async throws -> Value {
        let folder = try TemporaryFolder()
        let sessions = Sessions(folder: folder.url.appending(path: "phones"), key: .random(), limits: limits, logger: .quiet)
        let front = try WebSite.build(
            apps: [
                WebApp(name: "test", title: "Test <&> \"app\"", launch: launch, fonts: fonts, root: root),
                WebApp.home(title: "Home") { _ in Text("home") },
            ],
            sessions: sessions, accessCode: accessCode)
        return try await ServerUnderTest.run([], isAlone: false, front: front) { server in
            let value = try await body(
                TestSite(port: server.port, folder: folder.url.appending(path: "phones"), sessions: sessions, server: server))
            await front.close()
            return value
        }
    }

    /// Limits with a stopped clock: all frames arrive at once, however busy the machine is.
    static var standingClock: Sessions.Limits {
        let start = ContinuousClock.now
        var limits = Sessions.Limits()
        limits.now = { start }
        return limits
    }

    /// The version of the page's files.
    var version: String {
        get async throws {
            let page = try await server.http.send("GET", "/").text
            return String(try #require(page.firstMatch(of: /data-version="([0-9a-f]+)"/)).1)
        }
    }

    @MainActor
    func setLanguage(_ language: String?, of secret: String) { sessions.phone(secret).language = language }

    func page<Value: Sendable>(
        cookie: String? = nil, session: String? = nil, document: String = "doc", from sequence: Int = 0,
        hello: [String: JSONValue] = [:],
        _ body: @escaping @Sendable (PageProbe) async throws -> Value
    ) async throws -> Value {
        try await PageProbe.open(
            port: port, cookie: cookie, session: session, document: document, from: sequence, hello: hello, body)
    }
}
