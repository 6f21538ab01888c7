import EndlessCodeClient
import EndlessCodeTestKit
import EndlessCodeWire
import PlatformKit
import SwiftUI
import TestKit
import Testing

@testable import EndlessCodeApp

/// The tab Projects on the real service.
@MainActor
@Suite struct ProjectTests {
    @Test func phoneWithoutAServerIsLedToTheSettings() async throws {
        let hand = AgentHand(try await AgentBox())
        try await hand.until { $0.isReady }
        try hand.show("Projects")
        try await hand.tap("Open Settings")
        try await hand.screen.wait(for: "Paste QR Text")
    }

    @Test func projectsAreFoundByTheWordsOfTheirPath() async throws {
        let hand = try await AgentHand.connected(to: try await AgentBox())
        try hand.show("Projects")
        let project = try #require(hand.client.projects.first)
        try await hand.screen.wait(for: "project \(project.name)")
        #expect(hand.screen.has(project.path) && hand.screen.has("0 sessions"))
        try hand.screen.type("\(project.name.prefix(4).uppercased()) tmp", into: "Search Projects")
        #expect(hand.screen.has("project \(project.name)"))
        try hand.screen.type("nowhere", into: "Search Projects")
        #expect(hand.screen.has("No Results for “nowhere”") && !hand.screen.has("project \(project.name)"))
    }

    @Test func sessionIsStartedPausedResumedAndEndedAfterAConfirmation() async throws {
        let hand = try await AgentHand.connected(to: try await AgentBox())
        let name = try #require(hand.client.projects.first?.name)
        try hand.show("Projects")
        try await hand.tap("project \(name)")
        try await hand.tap("New Session")
        // The conversation is on the screen.
        try await hand.screen.wait { hand.screen.title == name && !hand.screen.has("New Session") }
        let session = try #require(hand.client.liveSessions.first)
        try hand.show("Projects")
        try await hand.screen.wait(for: "session \(AgentClient.text(session.id))")
        #expect(hand.screen.has("Ready") && hand.screen.has("Now") && hand.screen.has("0 messages"))
        for (action, state) in [("Pause", "Paused"), ("Resume", "Ready")] {
            try await hand.tap("Session Actions")
            try await hand.tap(action)
            try await hand.screen.wait(for: state)
        }
        try await hand.tap("Session Actions")
        try await hand.tap("End…")
        try await hand.screen.wait(for: "End this session?")
        try hand.screen.dismiss()
        #expect(hand.client.sessions[session.id]?.state == .active)
        try await hand.tap("Session Actions")
        try await hand.tap("End…")
        try await hand.tap("End Session")
        try await hand.screen.wait(for: "Ended")
        #expect(hand.client.sessions[session.id]?.state == .terminated)
        try hand.screen.tap("Ended")
        try await hand.screen.wait { hand.screen.title == name && !hand.screen.has("New Session") }
    }

    @Test func missingAgentIsExplained() async throws {
        let hand = try await AgentHand.connected(to: try await AgentBox(.missing))
        try hand.show("Projects")
        try await hand.tap("project \(try #require(hand.client.projects.first?.name))")
        try await hand.tap("New Session")
        try await hand.screen.wait(for: "The agent’s program was not found on the server.")
    }

    @Test func pullRefreshesAndAFailureKeepsTheList() async throws {
        let box = try await AgentBox()
        let hand = try await AgentHand.connected(to: box)
        let name = try #require(hand.client.projects.first?.name)
        try hand.show("Projects")
        try await hand.screen.wait(for: "project \(name)")
        await box.stop()
        try await hand.until { $0.status != .connected }
        try hand.screen.pull()
        try await hand.screen.wait(for: "This is what the phone knew before.")
        #expect(hand.screen.has("project \(name)"))
        try await box.start()
        hand.client.reconnect()
        try await hand.until { $0.status == .connected }
        try await hand.screen.wait { !hand.screen.has("This is what the phone knew before.") }
    }

    @Test func theListIsInKorean() async throws {
        let hand = try await AgentHand.connected(to: try await AgentBox(), languages: ["ko-KR"])
        try hand.show("프로젝트")
        try await hand.screen.wait(for: "세션 0개")
        #expect(hand.screen.has("프로젝트 검색"))
    }

    @Test(arguments: [
        (Session.State.active, [SessionAction.pause, .end]), (.paused, [.resume, .end]), (.crashed, [.resume, .end]),
        (.terminated, [.resume]),
    ])
    func actionsFitTheState(_ state: Session.State, _ actions: [SessionAction]) {
        #expect(SessionAction.all(for: state) == actions)
    }
}
