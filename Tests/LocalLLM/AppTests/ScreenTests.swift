import Foundation
import LocalLLMApp
import LocalLLMClient
import LocalLLMTestKit
import LocalLLMWire
import NetworkingKit
import PhoneTestKit
import PlatformKit
import SwiftUI
import TestKit
import Testing

/// The screens: `Docs/Requirements.md`, LocalLLM.
@Suite struct ScreenTests {
    private static let unused = ServerID([UInt8](repeating: 9, count: 32))!

    // MARK: Connect

    @Test func launchShowsTheConnectScreen() async throws {
        let hand = ChatHand(TestPeers())
        try await hand.screen.wait(for: "LocalLLM")
        #expect(hand.screen.has("server-id") && hand.screen.has("Scan QR Code") && !hand.screen.has("Saved hosts"))
        #expect(try !hand.isEnabled("Connect"))
    }

    @Test func pastedIDConnectsAndHeaderNamesHostAndModel() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let hand = ChatHand(network)
        hand.device.copied = host.id.text
        try await hand.screen.wait(for: "Paste")
        try hand.screen.tap("Paste")
        try await hand.screen.wait { (try? hand.screen.find("server-id", .field).attributes[.value]?.text) == host.id.text }
        try hand.screen.tap("Connect")
        try await hand.screen.wait(for: "prompt")
        #expect(hand.screen.has("Ada’s Mac") && hand.screen.has("llama") && hand.screen.has("Verified"))
    }

    @Test func scannedCodeFillsTheFieldAndConnects() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let hand = ChatHand(network)
        hand.device.codes = [host.id.link]
        try await hand.scan()
        try await hand.screen.wait(for: "prompt")
        #expect(hand.client.address == host.id.text)
        #expect(hand.device.scans == ["Point the camera at the QR code that the host shows in its terminal."])
    }

    @Test func newPhoneShowsItsNameAndAKnownOneLetsItIn() async throws {
        let network = TestPeers()
        let new = String(repeating: "0a1b2c3d", count: 8)
        var info = ScriptedHost.info
        info.waiting = [new]
        let host = try await ScriptedHost(on: network, opening: [.serverInfo(info)])
        let hand = try await ChatHand.connected(to: host, on: network)
        try await hand.screen.wait(for: "A new phone wants to use this host: 0a1b2c3d")
        try hand.screen.tap("Allow")
        try await eventually { host.messages == [.approval(ApprovalDecision(phone: new, isApproved: true))] }
        try await hand.screen.wait { !hand.screen.has("waiting") }
        host.opening = [.error(nil, ErrorReport(.approvalPending, "Approve."))]
        let other = ChatHand(network)
        try await other.connect(to: host.id.text)
        try await other.screen.wait(for: "Approve this phone on the computer.")
        let name = other.client.phoneName
        #expect(name.count == 8 && other.screen.has("The computer, and phones that use it, show this phone as \(name)."))
    }

    @Test func scannedCodeThatIsNoServerIDIsRefused() async throws {
        let hand = ChatHand(TestPeers())
        hand.device.codes = ["https://example.com/menu"]
        try await hand.scan()
        try await hand.screen.wait(for: "INVALID_SERVER_ID")
        #expect(try hand.screen.find("server-id", .field).attributes[.value]?.text == "https://example.com/menu")
        #expect(hand.client.link == .idle && hand.client.attempts.isEmpty)
    }

    @Test func closedCameraChangesNothing() async throws {
        let hand = ChatHand(TestPeers())
        hand.device.codes = []
        try await hand.screen.wait(for: "server-id")
        try hand.screen.type("half of an", into: "server-id")
        try await hand.scan()
        try await eventually { await hand.device.scans.count == 1 }
        #expect(hand.client.address == "half of an" && hand.client.link == .idle && hand.client.problem == nil)
        #expect(!hand.screen.has("camera-problem"))
    }

    @Test(arguments: [
        (true, "The camera isn’t allowed. Allow it for this app in the settings, or paste the Server ID."),
        (false, "There is no camera that this app can use. Paste the Server ID instead."),
    ])
    func refusedOrMissingCameraIsExplainedAndPasteWorks(_ hasCamera: Bool, _ sentence: String) async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let hand = ChatHand(network)
        hand.device.codes = hasCamera ? [host.id.text] : nil
        hand.device.allowsCamera = false
        try await hand.scan()
        try await hand.screen.wait(for: sentence)
        hand.device.copied = host.id.text
        try hand.screen.tap("Paste")
        try await hand.screen.wait { hand.client.address == host.id.text }
        try hand.screen.tap("Connect")
        try await hand.screen.wait { !hand.screen.has("camera-problem") }
        try await hand.screen.wait(for: "prompt")
    }

    @Test func insecurePageSaysWhyThereIsNoCameraAndNoPaste() async throws {
        let hand = ChatHand(TestPeers(), device: TestPhone(isSecure: false))
        try await hand.scan()
        let reason = "This page’s address isn’t secure, so the browser doesn’t allow this. Open the app at an https:// address. "
        try await hand.screen.wait(for: reason + "Paste the Server ID instead.")
        try hand.screen.tap("Paste")
        try await hand.screen.wait(
            for: reason + "The clipboard couldn’t be read. Hold your finger on the field, and paste the text there.")
        try hand.screen.type("abc", into: "server-id")
        try await hand.screen.wait { !hand.screen.has("paste-problem") }
    }

    @Test func refusedClipboardIsExplained() async throws {
        let hand = ChatHand(TestPeers())
        hand.device.refusesPastes = true
        try await hand.screen.wait(for: "Paste")
        try hand.screen.tap("Paste")
        try await hand.screen.wait(for: "The clipboard couldn’t be read. Hold your finger on the field, and paste the text there.")
    }

    @Test func connectionErrorShowsItsCodeAndASentence() async throws {
        let network = TestPeers()
        let hand = ChatHand(network)
        try await hand.connect(to: "nonsense")
        try await hand.screen.wait(for: "INVALID_SERVER_ID")
        try await hand.connect(to: Self.unused.text)
        try await hand.screen.wait(for: "HOST_OFFLINE")
        #expect(hand.screen.has("No host is running under this Server ID. Start it on the computer, and try again."))
        network.fault = .failure(DialError(.unreachable, at: .holePunching))
        try hand.screen.tap("Connect")
        try await hand.screen.wait(for: "CONNECT_FAILED")
    }

    @Test func statusNamesTheHopAndCancelEndsIt() async throws {
        let network = TestPeers()
        network.fault = .stall(.holePunching)
        let hand = ChatHand(network)
        try await hand.connect(to: Self.unused.text)
        try await hand.screen.wait(for: "Finding a path between the networks")
        try hand.screen.tap("Cancel")
        try await hand.screen.wait(for: "Connect")
        #expect(!hand.screen.has("Finding a path between the networks"))
    }

    @Test func savedHostIsOneTapAwayAndCanBeRemoved() async throws {
        let (network, device) = (TestPeers(), TestPhone())
        let host = try await ScriptedHost(on: network)
        do {
            let hand = try await ChatHand.connected(to: host, on: network, device: device)
            try hand.screen.tap("Disconnect")
            try await hand.screen.wait(for: "Saved hosts")
            try await eventually { await hand.client.hosts.count == 1 }
            try hand.screen.tap("host \(host.id.text)")
            try await hand.screen.wait(for: "prompt")
            try hand.screen.tap("Disconnect")
            try await hand.screen.wait(for: "Remove Ada’s Mac")
            try hand.screen.tap("Remove Ada’s Mac")
            try await hand.screen.wait(for: "Remove Host")
            try hand.screen.tap("Remove Host")
            try await hand.screen.wait { !hand.screen.has("Saved hosts") }
        }
    }

    @Test func changedKeyIsShownBeforeAnythingIsSent() async throws {
        let (network, device) = (TestPeers(), TestPhone())
        let host = try await ScriptedHost(on: network, key: 7, topic: Self.unused)
        let hand = ChatHand(network, device: device)
        try await hand.connect(to: Self.unused.text)
        try await hand.screen.wait(for: "Unverified")
        try hand.screen.tap("Disconnect")
        await host.quit()
        let other = try await ScriptedHost(on: network, key: 8, topic: Self.unused)
        try await hand.connect(to: Self.unused.text)
        try await hand.screen.wait(for: "The key of this host has changed")
        #expect(hand.screen.has(host.key.description) && hand.screen.has(other.key.description) && other.messages.isEmpty)
        try hand.screen.tap("Don’t Connect")
        try await hand.screen.wait(for: "CONNECT_FAILED")
        try hand.screen.tap("Connect")
        try await hand.screen.wait(for: "Trust the New Key")
        try hand.screen.tap("Trust the New Key")
        try await hand.screen.wait(for: "prompt")
    }

    // MARK: Chat

    @Test func piecesAppearAndButtonsFollowTheState() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let hand = try await ChatHand.connected(to: host, on: network)
        #expect(try !hand.isEnabled("Send") && !hand.isEnabled("Clear"))
        try hand.send("Hello")
        let id = try await host.start().id
        try await hand.screen.wait(for: "Stop")
        #expect(!hand.screen.has("Send") && hand.screen.has("Waiting for the answer"))
        #expect(try !hand.isEnabled("Clear"))
        try await host.send(.chatProgress(id, ChatProgress(.loading, fraction: 0.4)))
        try await hand.screen.wait(for: "Loading the model")
        try await host.send(.chatChunk(id, ChatChunk("Hi ", seq: 1)))
        try await hand.screen.wait(for: "Hi")
        try await host.send(.chatChunk(id, ChatChunk("there", seq: 2)))
        try await hand.screen.wait(for: "Hi there")
        try await host.send(.chatEnd(id, .stop))
        try await hand.screen.wait(for: "Copy")
        #expect(hand.screen.has("Send") && !hand.screen.has("Stop"))
        try hand.screen.tap("Copy")
        try await hand.screen.wait(for: "Copied")
        #expect(hand.device.copied == "Hi there")
        try hand.screen.tap("Clear")
        try await hand.screen.wait(for: "Clear Transcript")
        try hand.screen.tap("Clear Transcript")
        try await hand.screen.wait { !hand.screen.has("Hi there") }
    }

    @Test func returnSendsThePromptJustTyped() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let hand = try await ChatHand.connected(to: host, on: network)
        try hand.screen.pressReturn(in: "prompt")
        try hand.screen.type("Hello", into: "prompt")
        try hand.screen.pressReturn(in: "prompt")
        #expect(try await host.start().start.prompt == "Hello")
        #expect(try hand.screen.find("prompt", .field).attributes[.value] == "")
        // While an answer is under way the text stays.
        try hand.screen.type("More", into: "prompt")
        try hand.screen.pressReturn(in: "prompt")
        #expect(try hand.screen.find("prompt", .field).attributes[.value] == "More")
    }

    /// A host's answer is shown in steps: what one page shows delays the pages of others.
    @Test(arguments: ["# a\n", "- a\n", "| a | b |\n"])
    func longAnswerIsShownInSteps(_ piece: String) async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let hand = try await ChatHand.connected(to: host, on: network)
        try hand.send("Hello")
        let id = try await host.start().id
        let start = piece.hasPrefix("|") ? "| x | y |\n|---|---|\n" : ""
        let text = start + String(repeating: piece, count: 40_000 / piece.utf8.count)
        var seq: Int64 = 0
        var rest = text[...]
        while !rest.isEmpty {
            seq += 1
            try await host.send(.chatChunk(id, ChatChunk(String(rest.prefix(12_000)), seq: seq)))
            rest = rest.dropFirst(12_000)
        }
        try await host.send(.chatEnd(id, .stop))
        try await hand.screen.wait(for: "Copy")
        try await hand.screen.wait(for: "Show More")
        let count = hand.screen.visible.count
        #expect(count < 8_000)
        try hand.screen.tap("Show More")
        #expect(hand.screen.has("Show More"))
        let longer = hand.screen.visible.count
        #expect(longer > count && longer < 2 * 8_000)
    }

    @Test func markdownIsShownWhileItStreams() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let hand = try await ChatHand.connected(to: host, on: network)
        try hand.send("Hello")
        let id = try await host.start().id
        let pieces = [
            "# Title\n\nSome **bo", "ld** and [a link](https://example.com/a).\n\n- one\n- [x] two\n\n> quo",
            "ted\n\n```swift\nlet a",
            " = 1\n", "```\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n",
        ]
        for (index, piece) in pieces.enumerated() {
            try await host.send(.chatChunk(id, ChatChunk(piece, seq: Int64(index + 1))))
            if index == 2 {
                try await hand.screen.wait(for: "let a")
                #expect(!hand.screen.has("Copy Code"))
            }
        }
        try await hand.screen.wait(for: "Copy Code")
        try await host.send(.chatEnd(id, .stop))
        try await hand.screen.wait(for: "Copy")
        for text in ["Title", "Some bold and a link.", "one", "two", "quoted", "Swift", "let a = 1", "a", "2", "•"] {
            #expect(hand.screen.has(text), "\(text)")
        }
        #expect(try hand.screen.find("a link", .link).attributes[.href]?.text == "https://example.com/a")
        try hand.screen.tap("Copy Code")
        try await eventually { await hand.device.copied == "let a = 1" }
        try hand.screen.tap("Copy")
        try await eventually { await hand.device.copied == pieces.joined() }
    }

    @Test func stopEndsTheAnswer() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let hand = try await ChatHand.connected(to: host, on: network)
        try hand.send("Hello")
        let id = try await host.start().id
        try await hand.screen.wait(for: "Stop")
        try hand.screen.tap("Stop")
        try await host.abort(of: id)
        try await host.send(.chatEnd(id, .abort))
        try await hand.screen.wait(for: "Stopped")
    }

    @Test(arguments: [
        ErrorCode.ollamaNotFound, .ollamaModelNotAvailable, .modelBusy, .generationFailed, .generationAborted, .badMessage,
        .unsupportedVersion,
    ])
    func errorOfARequestShowsItsCodeWithRetry(_ code: ErrorCode) async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let hand = try await ChatHand.connected(to: host, on: network)
        try hand.send("Hello")
        try await host.send(.error(try await host.start().id, ErrorReport(code, "The reason in words")))
        try await hand.screen.wait(for: code.rawValue)
        // The host's own words about its model.
        let isAboutModel = [ErrorCode.ollamaNotFound, .ollamaModelNotAvailable, .generationFailed].contains(code)
        #expect(hand.screen.has("The reason in words") == isAboutModel)
        try hand.screen.tap("Retry")
        _ = try await host.start(2)
    }

    @Test func thoughtsOfAnAnswerThatBrokeOffCanBeOpened() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let hand = try await ChatHand.connected(to: host, on: network)
        try hand.send("Hello")
        let id = try await host.start().id
        try await host.send(.chatChunk(id, ChatChunk("<think>\nFirst, then", seq: 1)))
        try await host.send(.error(id, ErrorReport(.generationFailed, "The model server stopped.")))
        try await hand.screen.wait(for: "The model’s thoughts")
        #expect(hand.screen.has("The model server stopped.") && !hand.screen.has("First, then"))
        try hand.screen.tap("The model’s thoughts")
        try await hand.screen.wait(for: "First, then")
    }

    @Test func unknownCodeIsShownByItsMessage() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let hand = try await ChatHand.connected(to: host, on: network)
        try hand.send("Hello")
        try await host.send(.error(try await host.start().id, ErrorReport(ErrorCode(rawValue: "NEW"), "The sentence")))
        try await hand.screen.wait(for: "The sentence")
    }

    @Test func slowAnswerOffersToWaitAndTimeoutOffersRetry() async throws {
        let (network, clock) = (TestPeers(), TestClock())
        let host = try await ScriptedHost(on: network)
        let hand = try await ChatHand.connected(to: host, on: network, clock: clock)
        try hand.send("Hello")
        let id = try await host.start().id
        try await eventually { clock.hasSleeper(for: .seconds(30)) }
        try await clock.advance(by: .seconds(25))
        try await host.send(.chatProgress(id, ChatProgress(.thinking)))
        try await hand.screen.wait(for: "Thinking")
        try await clock.advance(by: .seconds(5))
        try await hand.screen.wait(for: "Stop Waiting")
        #expect(hand.screen.has("TIMEOUT_NO_RESPONSE"))
        try hand.screen.tap("Wait")
        try await eventually { clock.hasSleeper(for: .seconds(30)) }
        try await clock.advance(by: .seconds(30))
        try await hand.screen.wait(for: "Retry")
        #expect(hand.screen.has("TIMEOUT_NO_RESPONSE"))
    }

    @Test func lostHostReturnsToTheConnectScreen() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let hand = try await ChatHand.connected(to: host, on: network)
        network.fault = .stall(.lookup)
        host.disconnect()
        try await hand.screen.wait(for: "HOST_DISCONNECTED")
        #expect(try hand.screen.find("server-id", .field).attributes[.value]?.text == host.id.text)
        network.fault = nil
        try hand.screen.tap("Cancel")
        try await hand.screen.wait(for: "Connect")
    }

    @Test func modelIsChosenInTheHeader() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let hand = try await ChatHand.connected(to: host, on: network)
        try hand.screen.tap("model")
        try await hand.screen.wait(for: "qwen")
        try hand.screen.tap("qwen")
        try await hand.screen.wait { hand.client.model == "qwen" }
    }

    // MARK: Debug

    @Test func sevenTapsOnTheHeaderOpenTheDebugScreen() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let hand = try await ChatHand.connected(to: host, on: network)
        hand.device.inputTime = .now
        for _ in 1...6 { try hand.screen.tap("title") }
        #expect(!hand.screen.has("Debug Log"))
        try hand.screen.tap("title")
        try await hand.screen.wait(for: "Debug Log")
        #expect(hand.screen.has("Last connection attempt") && hand.screen.texts.contains("received server_info"))
        try hand.screen.type("nothing of that kind", into: "filter")
        try await hand.screen.wait { !hand.screen.texts.contains("received server_info") }
        try hand.screen.type("SERVER_INFO", into: "filter")
        try await hand.screen.wait { hand.screen.texts.contains("received server_info") }
        try hand.screen.tap("Copy Log")
        try await hand.screen.wait(for: "Copied")
        #expect(hand.device.copied?.hasSuffix("received server_info") == true)
        try hand.screen.tap("Done")
        try await hand.screen.wait(for: "prompt")
        try hand.screen.tap("Disconnect")
        try await hand.screen.wait(for: "LocalLLM")
        for _ in 1...7 { try hand.screen.tap("title") }
        try await hand.screen.wait(for: "Debug Log")
    }

    @Test func koreanIsComplete() async throws {
        let hand = ChatHand(TestPeers(), languages: ["ko"])
        try await hand.screen.wait(for: "연결")
    }
}
