import Foundation
import SwiftUI
import TestKit
import Testing
import WireKit

@testable import WebRenderer

/// Sessions, and the return of their pages.
@Suite struct SessionTests {
    struct Counter: View {
        @State private var count = 0
        @State private var draft = ""
        var body: some View {
            Button("more") { count += 1 }
            Text(verbatim: "count \(count)")
            TextField("draft", text: $draft)
            Text(verbatim: "draft: \(draft)")
        }
    }

    @Test func aTapProducesAPatch() async throws {
        try await TestSite.run { _ in
            Counter()
        } body: { site in
            try await site.page { page in
                #expect(await page.texts.contains("count 0"))
                try await page.tap("more")
                try await page.wait(for: "count 1")
                try await page.waitForAck()
            }
        }
    }

    @Test func theTreeSurvivesAReconnect() async throws {
        try await TestSite.run { _ in
            Counter()
        } body: { site in
            let cookie = Secret.make()
            let session = try await site.page(cookie: cookie) { page in
                #expect(await page.isResumed == false)
                try await page.tap("more")
                try await page.send("input", page.find("draft"), .string("half a sen"))
                try await page.wait(for: "draft: half a sen")
                return await page.session
            }
            try await site.page(cookie: cookie, session: session) { page in
                #expect(await page.isResumed == true)
                #expect(await page.session == session)
                #expect(await page.ack == 2)
                #expect(await page.texts.contains("count 1"))
                let field = try await page.find("draft")
                #expect(await page.value(of: field) == .string("half a sen"))
            }
        }
    }

    /// After a cut the page repeats events that the box may have received.
    @Test func aRepeatedEventIsHandledOnce() async throws {
        try await TestSite.run { _ in
            Counter()
        } body: { site in
            let cookie = Secret.make()
            let session = try await site.page(cookie: cookie) { page in
                let button = try await page.find("more")
                for number in 1...3 { try await page.send("tap", button, sequence: number) }
                try await page.wait { $0.ack == 3 }
                return await page.session
            }
            try await site.page(cookie: cookie, session: session) { page in
                let button = try await page.find("more")
                for number in 2...4 { try await page.send("tap", button, sequence: number) }
                try await page.wait { $0.ack == 4 }
                #expect(await page.texts.contains("count 4"))
            }
        }
    }

    struct Seen: View {
        @State private var seen = 0
        var body: some View {
            Text(verbatim: "seen \(seen)")
            List {
                Button("more") { seen += 100 }
                ForEach(1...3, id: \.self) { number in Text("row \(number)").onAppear { seen += 1 } }
            }
        }
    }

    /// A reloaded page may repeat reports, and a malicious page may invent them.
    @Test func rowsReportTheirVisibilityOnce() async throws {
        try await TestSite.run { _ in
            Seen()
        } body: { site in
            let cookie = Secret.make()
            let session = try await site.page(cookie: cookie) { page in
                #expect(await page.texts.contains("seen 0"))
                let row = try await page.find("row 1")
                #expect(await page.nodes[row]?.kind == "row")
                #expect(await page.nodes[row]?.props["on"] == .string("appear"))
                let others = [try await page.find("seen 0"), try await page.find("more"), 0, -1, 9_999, row, row]
                for id in others { try await page.send("appear", id, .string("x")) }
                try await page.send("tap", row)
                try await page.wait(for: "seen 1")
                try await page.waitForAck()
                #expect(await page.texts.contains("seen 1"))
                #expect(await page.nodes[row]?.props["on"] == nil)
                return await page.session
            }
            try await site.page(cookie: cookie, session: session, document: "reloaded") { page in
                #expect(await page.isResumed == true)
                #expect(await page.texts.contains("seen 1"))
                #expect(await page.nodes.values.count { $0.props["on"] == .string("appear") } == 2)
                let ack = await page.ack
                try await page.send("appear", page.find("row 1"), sequence: ack + 1)
                try await page.send("appear", page.find("row 3"), sequence: ack + 2)
                try await page.wait(for: "seen 2")
                try await page.waitForAck()
                #expect(await page.texts.contains("seen 2"))
            }
        }
    }

    @Test func anotherPhoneCannotUseASessionToken() async throws {
        try await TestSite.run { _ in
            Counter()
        } body: { site in
            let session = try await site.page(cookie: Secret.make()) { page in
                try await page.tap("more")
                try await page.wait(for: "count 1")
                return await page.session
            }
            try await site.page(cookie: Secret.make(), session: session) { page in
                #expect(await page.isResumed == false)
                #expect(await page.session != session)
                #expect(await page.texts.contains("count 0"))
            }
        }
    }

    @Test func twoTabsOfOnePhoneHaveATreeEach() async throws {
        try await TestSite.run { _ in
            Counter()
        } body: { site in
            let cookie = Secret.make()
            try await site.page(cookie: cookie, document: "one") { one in
                try await site.page(cookie: cookie, document: "two") { two in
                    try await one.tap("more")
                    try await one.wait(for: "count 1")
                    try await two.tap("more")
                    try await two.wait(for: "count 1")
                    #expect(await one.session != two.session)
                }
            }
        }
    }

    @Test func aSecondPageTakesOverTheSession() async throws {
        try await TestSite.run { _ in
            Counter()
        } body: { site in
            let cookie = Secret.make()
            try await site.page(cookie: cookie, document: "one") { one in
                let session = await one.session
                try await site.page(cookie: cookie, session: session, document: "two") { two in
                    #expect(await two.isResumed == true)
                    try await one.wait { $0.gone == "moved" }
                    // Frames of the first page have no effect on the tree.
                    try await two.tap("more")
                    try await two.wait(for: "count 1")
                }
            }
        }
    }

    @Test func anOldConnectionDoesNotDetachItsSuccessor() async throws {
        try await TestSite.run { _ in
            Counter()
        } body: { site in
            let cookie = Secret.make()
            try await site.page(cookie: cookie) { one in
                let session = await one.session
                try await site.page(cookie: cookie, session: session) { two in
                    // The same document is a reconnect: the old socket is closed without `moved`.
                    await #expect(throws: PageProbe.Ended.self) { while true { try await one.receive() } }
                    #expect(await one.gone == nil)
                    try await two.tap("more")
                    try await two.wait(for: "count 1")
                }
            }
        }
    }

    @Test func sessionsCloseAfterTheGracePeriod() async throws {
        var limits = Sessions.Limits()
        limits.grace = .seconds(60)
        try await TestSite.run(limits: limits) { _ in
            Counter()
        } body: { site in
            let cookie = Secret.make()
            let session = try await site.page(cookie: cookie) { page in
                await site.sessions.closeExpired(at: .now + .seconds(3600))
                try await page.tap("more")
                try await page.wait(for: "count 1")
                return await page.session
            }
            try await eventually { await site.sessions.attachedCount == 0 }
            await site.sessions.closeExpired(at: .now + .seconds(30))
            #expect(await site.sessions.count == 1)
            await site.sessions.closeExpired(at: .now + .seconds(3600))
            #expect(await site.sessions.count == 0)
            try await site.page(cookie: cookie, session: session) { page in
                #expect(await page.isResumed == false)
                #expect(await page.texts.contains("count 0"))
            }
        }
    }

    @Test func theLongestDetachedSessionMakesRoom() async throws {
        var limits = Sessions.Limits()
        limits.sessionsPerPhone = 2
        try await TestSite.run(limits: limits) { _ in
            Counter()
        } body: { site in
            let cookie = Secret.make()
            let first = try await site.page(cookie: cookie) { await $0.session }
            try await eventually { await site.sessions.attachedCount == 0 }
            try await site.page(cookie: cookie, document: "a") { _ in
                try await site.page(cookie: cookie, document: "b") { page in
                    #expect(await page.isResumed == false)
                    #expect(await site.sessions.count == 2)
                    try await site.page(cookie: cookie, session: first, document: "c") { page in
                        #expect(await page.gone == "full")
                    }
                }
            }
        }
    }

    @Test(arguments: [
        "", "{", "[]", "null", "\"x\"", #"{"e":1}"#, #"{"e":"tap","i":"1","s":1}"#, #"{"e":"tap","i":99999999999999999999,"s":1}"#,
        #"{"e":"tap","i":-5,"s":1}"#, #"{"e":"nope","i":2,"s":9223372036854775807}"#, #"{"reply":77,"v":1}"#,
        #"{"e":"size","i":0,"v":[1e400,"x"],"s":1}"#, #"{"e":"drag","i":3,"v":{"x":1e308,"vy":"no"},"s":1}"#,
    ])
    func anUnreadableFrameAffectsNoOtherPage(_ text: String) async throws {
        try await TestSite.run { _ in
            Counter()
        } body: { site in
            try await site.page { page in
                try await page.write(text: text)
                let session = await page.session
                #expect(session != nil)
            }
            try await site.page { page in
                try await page.tap("more")
                try await page.wait(for: "count 1")
            }
        }
    }

    @Test func pinchReportsAreBounded() throws {
        let frame = try PageFrame(#"{"e":"pinch","i":1,"s":1,"v":{"m":-5,"v":1e300,"x":1e9,"y":"no","ax":0.5,"end":1}}"#)
        let bounded = PinchReport(
            magnification: 1e-3, velocity: 1e6, start: CGPoint(x: 1e6, y: 0), anchor: UnitPoint(x: 0.5, y: 0), isOver: true)
        #expect(frame.value == .pinch(bounded))
    }

    /// Apps convert drag positions to integers.
    @Test func dragReportsAreBounded() throws {
        let frame = try PageFrame(#"{"e":"drag","i":1,"s":1,"v":{"x":1e300,"y":-1e300,"sx":1e9,"sy":3,"vx":0,"vy":1,"end":1}}"#)
        guard case .drag(let report) = frame.value else { throw PageProbe.Missing(what: "drag", texts: []) }
        #expect(report.location == CGPoint(x: 1e6, y: -1e6) && report.start == CGPoint(x: 1e6, y: 3))
    }

    @Test func concurrentReconnectsAllGetAnAnswer() async throws {
        var limits = Sessions.Limits()
        limits.sessionsPerPhone = 4
        try await TestSite.run(limits: limits) { _ in
            Counter()
        } body: { site in
            let cookie = Secret.make()
            var tokens: [String?] = []
            for number in 0..<4 { tokens.append(try await site.page(cookie: cookie, document: "\(number)") { await $0.session }) }
            try await eventually { await site.sessions.attachedCount == 0 }
            let known = tokens
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        // A snapshot or `full`, never silence.
                        try await site.page(cookie: cookie, session: number < 2 ? known[number] : nil, document: "new \(number)") {
                            page in
                            let (session, gone) = await (page.session, page.gone)
                            #expect(session != nil || gone == "full")
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func connectionsWithoutHelloAreClosed() async throws {
        try await TestSite.run { _ in
            Counter()
        } body: { site in
            let headers = ["Cookie": "switchboard-phone-\(site.port)=\(Secret.make())", "Origin": "http://127.0.0.1:\(site.port)"]
            try await WebSocketProbe.open(port: site.port, "/apps/test/socket", headers: headers) { socket in
                try await socket.send(.text(#"{"e":"tap","i":2,"s":1}"#))
                #expect(try await socket.receive().closeCode == 1008)
            }
            #expect(await site.sessions.count == 0)
        }
    }

    @Test func aPageThatDoesNotAnswerIsInTheBackgroundUntilItIsHeard() async throws {
        struct World: View {
            @Environment(\.scenePhase) private var phase
            var body: some View { Text(verbatim: "\(phase)") }
        }
        try await TestSite.run { _ in
            World()
        } body: { site in
            let cookie = Secret.make()
            try await site.page(cookie: cookie) { page in
                try await page.wait(for: "active")
                let session = try #require(await site.sessions.phone(cookie).sessions.first)
                #expect(await !session.answers(within: .zero))
                try await page.wait(for: "background")
                // A page in the background is not asked.
                #expect(await !session.answers())
                try await page.write(.object(["ping": .bool(true)]))
                try await page.wait(for: "active")

                _ = await page.takeRequest("here")
                async let answers = session.answers()
                try await page.wait { !$0.requests.isEmpty }
                let request = try #require(await page.takeRequest("here"))
                try await page.write(.object(["reply": .integer(Int64(request.number)), "v": .bool(true)]))
                #expect(await answers)

                // What the page has said of itself holds, also when it was silent in between.
                #expect(await !session.answers(within: .zero))
                try await page.send("phase", 0, .string("inactive"))
                try await page.wait(for: "inactive")
            }
        }
    }
}
