import EndlessCodeApp
import EndlessCodeClient
import EndlessCodeTestKit
import EndlessCodeWire
import PhoneTestKit
import PlatformKit
import SwiftUI
import TestKit
import Testing
import WireKit

/// A phone with the app, operated by a test.
@MainActor
final class AgentHand {
    let box: AgentBox
    let device: TestPhone
    /// The model behind the screens.
    let client: AgentClient
    let screen: ViewDriver

    /// - Parameters:
    ///   - device: A phone used before, to restart its app.
    ///   - usesTLS: True for a phone that reaches servers on ports, instead of the box in process.
    ///   - scrolls: True for a screen as high as a phone's.
    init(
        _ box: AgentBox, name: String = "Test phone", device: TestPhone = TestPhone(), languages: [String] = ["en"],
        clock: any Clock<Duration> = ContinuousClock(), usesTLS: Bool = false, scrolls: Bool = false
    ) {
        (self.box, self.device) = (box, device)
        let network = usesTLS ? AgentBox.networkOfPorts : box.phoneNetwork(name)
        let phone = device.phone(clock: clock)
        client = AgentClient.shared(on: phone, network: network)
        let scene = SceneModel()
        scene.languages = languages
        screen = ViewDriver(EndlessCodeRoot(phone: phone, network: network), scene: scene, scrolls: scrolls)
    }

    /// A phone that is connected to the server of the box.
    static func connected(
        to box: AgentBox, name: String = "Test phone", device: TestPhone = TestPhone(), languages: [String] = ["en"],
        clock: any Clock<Duration> = ContinuousClock(), scrolls: Bool = false
    ) async throws -> AgentHand {
        let hand = AgentHand(box, name: name, device: device, languages: languages, clock: clock, scrolls: scrolls)
        try await hand.until { $0.isReady }
        try await hand.client.addServer(address: AgentBox.address.text, token: box.token.text)
        try await hand.until { $0.status == .connected && !$0.projects.isEmpty }
        return hand
    }

    /// A phone with the conversation of a new session on its screen.
    static func chatting(
        _ box: AgentBox, name: String = "Test phone", languages: [String] = ["en"], clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> AgentHand {
        let hand = try await connected(to: box, name: name, languages: languages, clock: clock)
        hand.client.wantedSession = try await hand.client.startSession(in: hand.client.projects[0].id)
        try await hand.screen.wait(for: "message")
        return hand
    }

    /// The session on the screen.
    var conversation: Conversation {
        get throws { client.conversation(try #require(client.liveSessions.first?.id)) }
    }

    func send(_ prompt: String) throws {
        try screen.type(prompt, into: "message")
        try screen.tap("Send")
    }

    /// Scrolls the transcript so that the row of an element is at its lower edge.
    func scroll(to element: Element, at time: ContinuousClock.Instant) throws {
        device.inputTime = time
        let scroller = try screen.find("transcript")
        let targets = try #require(scroller.withDescendants.first { $0.attributes[.targets] == .on })
        let row = try #require(targets.pageChildren.first { $0.withDescendants.contains { $0 === element } })
        screen.host.send(.place, to: scroller.id, .number(Double(row.id)))
        screen.host.flush()
    }

    func until(_ isTrue: @escaping @MainActor (AgentClient) -> Bool) async throws {
        let client = client
        try await eventually { await MainActor.run { isTrue(client) } }
    }

    /// Shows a tab by its name in the tab bar.
    func show(_ tab: String) throws {
        let item = try screen.find(tab, .tabitem)
        screen.host.send(.tap, to: item.id)
    }

    /// Taps what is there, or comes.
    func tap(_ name: String) async throws {
        try await screen.wait(for: name)
        try screen.tap(name)
    }

    /// The elements of all tabs and pages, hidden ones as well.
    var elements: [Element] {
        screen.host.flush()
        return screen.host.root.withDescendants
    }

    func isEnabled(_ name: String) throws -> Bool { try screen.find(name, .button).attributes[.disabled] != .on }

    func value(of field: String) throws -> String? { try screen.find(field, .field).attributes[.value]?.text }

    /// Writes files into the project of the box.
    func write(_ files: [String: String]) throws {
        for (path, text) in files {
            let url = box.project.url.appending(path: path)
            try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
    }

    /// Makes the project a git repository, with what is there staged.
    func initialiseGit() async throws {
        for arguments in [["init", "-q"], ["add", "-A"]] {
            let ending = try await Program.tool("/usr/bin/git", ["-C", box.project.path] + arguments)
            guard ending.status == 0 else { throw NotThere() }
        }
    }
}

extension Element {
    /// The element and all descendants in reading order.
    @MainActor var withDescendants: [Element] { [self] + pageChildren.flatMap(\.withDescendants) }

    /// The texts in the element.
    @MainActor var texts: [String] { withDescendants.compactMap { $0.attributes[.text]?.text } }
}
