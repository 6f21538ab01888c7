import Foundation
import HTTPTypes
import NetworkingKit
import PhoneTestKit
import PlatformKit
import TalkCoClient
import TalkCoTestKit
import TalkCoWire
import TestKit
import Testing
import WireKit

/// Turns are answered once and in order, whatever the network does.
@MainActor
@Suite(.seeded) struct LineTests {
    @Test(arguments: [true, false])
    func turnsOverAThousandCutsAreAnsweredOnceAndInOrder(isSpoken: Bool) async throws {
        let box = try await TalkBox()
        let turnCount = Effort.count(60, soak: 260)
        let device = TestPhone()
        // The length of a recording is its number.
        device.speech.recordings = (0..<turnCount).map { Samples.tone(.milliseconds(400 + $0)) }
        let words = (0..<turnCount).map {
            isSpoken ? "A recording of \(device.speech.recordings[$0].count) bytes." : "This is my sentence number \($0)."
        }
        let hand = try await box.connected(device)
        let conversation = try await hand.talk()
        let session = try #require(hand.app.openSession?.id)
        let cuts = Effort.count(250, soak: 1_000)
        box.cutter.cut(cuts, of: "/chat")
        for index in 0..<turnCount {
            if isSpoken { try await hand.speak(in: conversation) } else { try await hand.say(words[index], in: conversation) }
        }
        #expect(box.tutor.heard == words)
        #expect(conversation.messages.allSatisfy { $0.state == .complete })
        let turns = words.flatMap { ["user: \($0)", "ai: \(ScriptedTutor.answer(to: $0))"] }
        #expect(Array(conversation.outline.dropFirst()) == turns)
        let segments = try await box.review(session).segments
        #expect(segments.map(\.userText) == words && segments.map(\.turnIndex) == Array(0..<turnCount))
        // No voice is played twice or in pieces that do not belong together.
        let answers = words.map { ScriptedTutor.voice(of: ScriptedTutor.answer(to: $0)) }
        for playback in device.speech.playbacks.dropFirst() {
            #expect(answers.contains { $0.starts(with: playback) })
        }
        let counts = box.cutter.counts
        #expect(counts.before > 0 && counts.head > 0 && counts.inside > counts.head)
        #expect(counts.total > cuts / 2)
    }

    @Test func fullDiskOfTheServiceIsSaidAndTheTurnGoesOn() async throws {
        let clock = TestClock()
        let box = try await TalkBox()
        let disk = FullDisk(box.network)
        let device = TestPhone()
        let service = RemoteService(address: TalkBox.address, http: disk, sockets: box.network)
        let hand = TalkPhone(
            device, TalkCo(phone: device.phone(clock: clock), service: service, backoff: .standard, random: { 0.5 }))
        try await hand.until { $0.phase == .ready && $0.engine != nil }
        disk.isFull = true
        let conversation = hand.app.conversation(on: Topic.all[0])
        conversation.startSession()
        try await hand.until { _ in conversation.phase == .failed(.serviceFull) }
        disk.isFull = false
        try await hand.begin(conversation)
        disk.isFull = true
        #expect(conversation.sendText("I like tea."))
        try await hand.until { _ in conversation.messages.last?.state == .sendingAgain(.serviceFull) }
        disk.isFull = false
        try await hand.until(advancing: clock, by: .seconds(1)) { _ in !conversation.isWaiting }
        #expect(conversation.outline.suffix(2) == ["user: I like tea.", "ai: \(ScriptedTutor.answer(to: "I like tea."))"])
    }

    @Test func lostAnswerIsShownAsSentAgainAndComesOnce() async throws {
        let clock = TestClock()
        let box = try await TalkBox()
        let hand = try await box.connected(clock: clock)
        let conversation = try await hand.talk()
        box.network.set { $0.losesReplies = "/chat" }
        #expect(conversation.sendText("I like tea."))
        try await hand.until { _ in conversation.messages.last?.state == .sendingAgain(.network) }
        #expect(!conversation.canTalk && conversation.isWaiting)
        try await eventually { box.tutor.heard == ["I like tea."] }
        box.network.set { $0.losesReplies = nil }
        // The backoff of the first failure.
        try await clock.advance(by: .seconds(1))
        try await hand.until { _ in !conversation.isWaiting }
        #expect(conversation.outline.suffix(2) == ["user: I like tea.", "ai: \(ScriptedTutor.answer(to: "I like tea."))"])
        #expect(box.tutor.heard == ["I like tea."])
    }

    /// A phone that has lost its connection, with a turn that waits to be sent again.
    private func waiting(_ clock: TestClock) async throws -> (TalkBox, TalkPhone, ConversationViewModel) {
        let box = try await TalkBox()
        let hand = try await box.connected(clock: clock)
        let conversation = try await hand.talk()
        box.network.cut()
        #expect(conversation.sendText("I like tea."))
        try await hand.until { _ in conversation.messages.last?.state == .sendingAgain(.network) }
        return (box, hand, conversation)
    }

    @Test func tapSendsAWaitingTurnAtOnce() async throws {
        let clock = TestClock()
        let (box, hand, conversation) = try await waiting(clock)
        try await eventually { clock.hasSleeper(for: .seconds(1)) }
        box.network.mend()
        conversation.retryNow()
        try await hand.until { _ in !conversation.isWaiting }
        #expect(box.tutor.heard == ["I like tea."])
    }

    @Test func discardedTurnIsForgotten() async throws {
        let (box, hand, conversation) = try await waiting(TestClock())
        conversation.discard(try #require(conversation.messages.last))
        #expect(conversation.messages.count == 1 && conversation.canTalk && !conversation.hasUnsentTurn)
        box.network.mend()
        try await hand.say("I like coffee.", in: conversation)
        #expect(box.tutor.heard == ["I like coffee."])
    }

    @Test func turnThatIsUnderWayCanBeDiscarded() async throws {
        let box = try await TalkBox()
        let hand = try await box.connected()
        let conversation = try await hand.talk()
        box.tutor.set { $0.isHeld = true }
        #expect(conversation.sendText("I like tea."))
        try await hand.until { _ in conversation.messages.count == 3 }
        conversation.discard(conversation.messages[1])
        #expect(conversation.messages.count == 1 && conversation.playing == nil)
        box.tutor.set { $0.isHeld = false }
        try await hand.say("I like coffee.", in: conversation)
        #expect(conversation.outline.dropFirst().first == "user: I like coffee.")
        #expect(conversation.messages.count == 3)
    }

    @Test func nothingIsRepeatedWhileTheAppIsAway() async throws {
        let clock = TestClock()
        let (box, hand, conversation) = try await waiting(clock)
        hand.setInFront(false)
        try await clock.advance(by: .seconds(1))
        box.network.mend()
        let calls = box.network.calls.count
        // Once all pauses have ended, nothing sleeps.
        let steps = Locked(0)
        try await clock.advance(by: .seconds(60)) {
            steps.withLock { count in
                count += 1
                return count > 20
            }
        }
        #expect(box.network.calls.count == calls)
        hand.setInFront(true)
        try await hand.until { _ in !conversation.isWaiting }
        #expect(box.tutor.heard == ["I like tea."])
    }

    @Test func silentLineIsSaidAfterThreeSecondsAndGivenUpLater() async throws {
        let clock = TestClock()
        let box = try await TalkBox()
        let hand = try await box.connected(clock: clock)
        let conversation = try await hand.talk()
        box.network.set { $0.hangs = true }
        #expect(conversation.sendText("I like tea."))
        try await eventually { clock.hasSleeper(for: .seconds(3)) }
        #expect(!conversation.isSlow)
        try await clock.advance(by: .seconds(3))
        try await hand.until { _ in conversation.isSlow }
        try await hand.until(advancing: clock, by: .seconds(3)) { _ in
            conversation.messages.last?.state == .sendingAgain(.timeout)
        }
        box.network.set { $0.hangs = false }
        try await hand.until(advancing: clock, by: .seconds(1)) { _ in !conversation.isWaiting }
        #expect(!conversation.isSlow)
        #expect(box.tutor.heard == ["I like tea."])
    }

    @Test(arguments: [true, false])
    func turnSurvivesARestartOfTheApp(reachesTheService: Bool) async throws {
        let box = try await TalkBox()
        let device = TalkBox.device()
        let first = try await box.connected(device, backoff: .standard)
        let before = try await first.talk()
        try await first.say("I like tea.", in: before)
        if reachesTheService { box.network.set { $0.losesReplies = "/chat" } } else { box.network.cut() }
        try await first.hold(before)
        before.stopRecording()
        try await first.until { _ in before.messages.last?.state == .sendingAgain(.network) }
        before.draft = "and then"
        await first.quit()

        box.network.mend()
        box.network.set { $0.losesReplies = nil }
        let second = try await box.connected(device)
        let conversation = try #require(second.app.conversation)
        #expect(second.app.openSession?.phase == .conversation)
        try await second.until { _ in conversation.phase == .open && !conversation.hasUnsentTurn }
        let spoken = "A recording of 48000 bytes."
        let outline = [
            "ai: Hello! What did you do today?", "user: I like tea.", "ai: \(ScriptedTutor.answer(to: "I like tea."))",
            "user: \(spoken)", "ai: \(ScriptedTutor.answer(to: spoken))",
        ]
        try await second.until { _ in conversation.outline == outline }
        #expect(box.tutor.heard == ["I like tea.", spoken])
        #expect(conversation.draft == "and then")
        // Recordings that were answered are removed.
        let folder = try device.phone().folder().appending(path: "turns")
        try await eventually { try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty }
    }

    @Test func talkGoesOnAfterARestartOfTheService() async throws {
        let box = try await TalkBox()
        let hand = try await box.connected()
        let conversation = try await hand.talk()
        try await hand.say("I goed home.", in: conversation)
        conversation.pause()
        try await box.restart()
        conversation.startSession()
        try await hand.say("Are you there?", in: conversation)
        #expect(conversation.phase == .open && conversation.problem == nil)
        let review = try await hand.review(conversation)
        #expect(review.segments.map(\.userText) == ["I goed home.", "Are you there?"])
    }

    @Test func talkThatAnotherDeviceEndedLeadsToTheReview() async throws {
        let box = try await TalkBox()
        let hand = try await box.connected()
        let conversation = try await hand.talk()
        try await hand.say("I goed home.", in: conversation)
        let session = try #require(hand.app.openSession?.id)
        _ = try await box.send(.delete, "/sessions/\(session.rawValue)")
        #expect(conversation.sendText("Are you there?"))
        try await hand.until { _ in conversation.phase == .closed }
        let message = try #require(conversation.messages.last)
        #expect(message.text == "Are you there?" && message.state == .failed(.sessionGone))
        #expect(!conversation.canTalk)
        let review = try await hand.review(conversation)
        #expect(review.segments.map(\.userText) == ["I goed home."])
        #expect(review.segments[0].aiMarks.count == 1)
    }

    @Test func answerThatWasStoredBeforeTheServiceRestartedIsReplayed() async throws {
        let box = try await TalkBox()
        let hand = try await box.connected(backoff: .standard)
        let conversation = try await hand.talk()
        let session = try #require(hand.app.openSession?.id)
        box.network.set { $0.losesReplies = "/chat" }
        #expect(conversation.sendText("I like tea."))
        try await eventually { try await box.review(session).segments.count == 1 }
        await box.stop()
        box.network.set { $0.losesReplies = nil }
        try await box.start()
        conversation.retryNow()
        try await hand.until { _ in !conversation.isWaiting }
        #expect(conversation.outline.suffix(2) == ["user: I like tea.", "ai: \(ScriptedTutor.answer(to: "I like tea."))"])
        #expect(box.tutor.heard == ["I like tea."])
    }

    @Test func lostReplyToTheEndStillLeadsToTheReview() async throws {
        let box = try await TalkBox()
        let hand = try await box.connected()
        let conversation = try await hand.talk()
        try await hand.say("I like tea.", in: conversation)
        let session = try #require(hand.app.openSession?.id)
        box.network.set { $0.losesReplies = "/sessions/\(session.rawValue)" }
        conversation.endConversation()
        try await hand.until { _ in conversation.problem == .network }
        #expect(conversation.phase == .open && conversation.reviewSession == nil)
        box.network.set { $0.losesReplies = nil }
        conversation.endConversation()
        try await hand.until { _ in conversation.reviewSession == session }
    }

    @Test func networkOfThePhoneThatReturnsSendsAtOnce() async throws {
        let clock = TestClock()
        let box = try await TalkBox()
        let hand = try await box.connected(clock: clock)
        let conversation = try await hand.talk()
        hand.phone.setOnline(false)
        box.network.cut()
        #expect(conversation.sendText("I like tea."))
        try await hand.until { _ in conversation.messages.last?.state == .sendingAgain(.network) }
        try await eventually { clock.hasSleeper(for: .seconds(1)) }
        box.network.mend()
        hand.phone.setOnline(true)
        try await hand.until { _ in !conversation.isWaiting }
        #expect(box.tutor.heard == ["I like tea."])
    }
}

/// A network to a service whose disk is full: it answers as ours does.
private final class FullDisk: HTTPTransport {
    private let network: any HTTPTransport
    private let state = Locked(false)
    var isFull: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    init(_ network: any HTTPTransport) { self.network = network }

    func stream(_ request: HTTPRequest, body: HTTPBody) async throws -> HTTPStream {
        guard isFull, request.method == .post else { return try await network.stream(request, body: body) }
        let isTurn = request.path?.contains("/chat") == true
        let content =
            isTurn
            ? "event: transcript\ndata: {\"text\":\"I like tea.\"}\n\n"
                + "event: failure\ndata: {\"code\":\"storage_full\"}\n\nevent: done\ndata: {}\n\n"
            : #"{"detail":"The disk of the service is full"}"#
        var head = HTTPResponse(status: HTTPResponse.Status(code: isTurn ? 200 : 507))
        head.headerFields[.contentType] = isTurn ? "text/event-stream" : "application/json"
        let sent = Locked(false)
        return HTTPStream(
            head: head,
            body: HTTPBytes {
                {
                    sent.withLock { sent in
                        defer { sent = true }
                        return sent ? nil : Data(content.utf8)
                    }
                }
            })
    }
}
