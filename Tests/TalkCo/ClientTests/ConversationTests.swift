import Foundation
import HTTPTypes
import PhoneTestKit
import PlatformKit
import TalkCoClient
import TalkCoTestKit
import TalkCoWire
import TestKit
import Testing
import WireKit

/// Talking with the tutor.
@MainActor
@Suite struct ConversationTests {
    @Test func chosenTopicGreetsWithWordsAndVoice() async throws {
        let box = try await TalkBox()
        let hand = try await box.connected()
        let conversation = hand.app.conversation(on: Topic.all[1])
        #expect(conversation.phase == .idle && hand.app.openSession == nil)
        try await hand.begin(conversation)
        let greeting = "Hello! What did you do today?"
        #expect(conversation.outline == ["ai: \(greeting)"])
        #expect(hand.app.openSession?.topic?.id == Topic.all[1].id)
        try await hand.until { _ in conversation.playing == nil }
        #expect(hand.phone.speech.playbacks == [ScriptedTutor.voice(of: greeting)])
        #expect(hand.phone.speech.finished == [0])
    }

    @Test func greetingPlaysWhileItArrives() async throws {
        let (box, hand, conversation) = try await TalkBox.greeting()
        #expect(conversation.phase == .open && conversation.isWaiting)
        #expect(conversation.playing == conversation.messages.first?.id)
        box.tutor.set { $0.isHeld = false }
        try await hand.until { _ in hand.phone.speech.finished == [0] }
    }

    @Test func pageThatIsReloadedDuringTheGreetingGoesOn() async throws {
        let box = try await TalkBox()
        box.tutor.set { $0.isHeld = true }
        let hand = try await box.connected()
        let conversation = hand.app.conversation(on: Topic.all[0])
        conversation.startSession()
        try await hand.until { _ in !conversation.messages.isEmpty }
        await hand.quit()
        box.tutor.set { $0.isHeld = false }
        let again = TalkPhone(hand.phone, hand.app)
        try await again.until { _ in !conversation.isWaiting && conversation.messages.first?.state == .complete }
        try await again.say("I like tea.", in: conversation)
        #expect(conversation.messages.map(\.role) == [.ai, .user, .ai])
    }

    @Test func recordedTurnShowsItsWordsAndPlaysTheAnswer() async throws {
        let box = try await TalkBox()
        box.tutor.set { $0.transcript = { _ in "I goed shopping." } }
        let hand = try await box.connected()
        let conversation = try await hand.talk()
        try await hand.speak(in: conversation)
        let answer = ScriptedTutor.answer(to: "I goed shopping.")
        #expect(conversation.outline.dropFirst() == ["user: I goed shopping.", "ai: \(answer)"])
        #expect(conversation.messages.allSatisfy { $0.state == .complete })
        #expect(conversation.messages[1].isSpoken)
        try await hand.until { _ in conversation.playing == nil }
        #expect(hand.phone.speech.playbacks.last == ScriptedTutor.voice(of: answer))
    }

    @Test func recordingTravelsAsAWaveFileWithItsTurn() async throws {
        let box = try await TalkBox()
        let hand = try await box.connected()
        let samples = Samples.tone()
        let conversation = try await hand.talk()
        try await hand.speak(in: conversation)
        let index = try #require(box.network.requests.firstIndex { $0.path?.hasSuffix("/chat") == true })
        let body = box.network.bodies[index]
        #expect(box.network.requests[index].headerFields[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
        let head = try #require(body.range(of: Data("RIFF".utf8)))
        let file = body[head.lowerBound...]
        #expect(file.dropFirst(44).prefix(samples.count) == samples)
        let form = String(decoding: body.prefix(400), as: UTF8.self)
        #expect(form.contains("name=\"audio\"; filename=\"audio.wav\"\r\nContent-Type: audio/wav"))
        #expect(form.contains("name=\"turn_id\""))
        #expect(box.tutor.heard == ["A recording of \(samples.count) bytes."])
    }

    @Test func typedTurnIsAnswered() async throws {
        let box = try await TalkBox()
        let hand = try await box.connected()
        let conversation = try await hand.talk()
        conversation.draft = "  I like tea.  "
        #expect(conversation.canSend)
        conversation.sendDraft()
        #expect(conversation.draft == "")
        try await hand.until { _ in !conversation.isWaiting }
        #expect(conversation.outline.suffix(2) == ["user: I like tea.", "ai: \(ScriptedTutor.answer(to: "I like tea."))"])
        #expect(!conversation.messages[1].isSpoken)
    }

    @Test func blankAndLongTextsAreNotSent() async throws {
        let box = try await TalkBox()
        let hand = try await box.connected()
        let conversation = try await hand.talk()
        #expect(!conversation.sendText("  \n"))
        #expect(conversation.problem == .textEmpty)
        #expect(!conversation.sendText(String(repeating: "a", count: 4_001)))
        #expect(conversation.problem == .textTooLong)
        conversation.draft = String(repeating: "a", count: 4_001)
        #expect(conversation.isDraftTooLong && !conversation.canSend)
        #expect(conversation.messages.count == 1)
    }

    @Test func engineWithChoicesIsAnsweredByReadingOneAloud() async throws {
        let box = try await TalkBox(hearing: .choices)
        let hand = try await box.connected()
        try await hand.until { $0.isMicrophoneAvailable }
        let silent = try await hand.talk()
        #expect(silent.choices.isEmpty && !silent.canRecord && silent.canTalk)
        hand.app.leave()

        box.tutor.set { $0.choices = ["I stayed at home.", "I went out."] }
        let conversation = try await hand.talk()
        #expect(conversation.choices == ["I stayed at home.", "I went out."] && conversation.canRecord)
        box.tutor.set { $0.transcript = { _ in "I went out." } }
        try await hand.speak(in: conversation)
        #expect(box.tutor.heard == ["I went out."])
        // A tap on a choice is a typed turn.
        try await hand.say("I stayed at home.", in: conversation)
        #expect(box.tutor.heard == ["I went out.", "I stayed at home."])
    }

    @Test func phoneRecognizesSpeechThatTheEngineCannotHear() async throws {
        let box = try await TalkBox(hearing: .nothing)
        let device = TalkBox.device()
        device.speech.recognized = " I like tea. "
        let hand = try await box.connected(device)
        let conversation = try await hand.talk()
        try await hand.speak(in: conversation)
        #expect(conversation.outline.dropFirst().first == "user: I like tea.")
        #expect(conversation.messages[1].isSpoken)
        #expect(box.network.calls.contains { $0.hasSuffix("/chat/text") } && !box.network.calls.contains { $0.hasSuffix("/chat") })

        device.speech.recognized = ""
        try await hand.speak(in: conversation)
        #expect(conversation.problem == .nothingHeard && conversation.messages.last?.state == .notUnderstood)
        #expect(box.tutor.heard == ["I like tea."])
    }

    @Test func engineAndPhoneThatHearNothingLeaveTyping() async throws {
        let box = try await TalkBox(hearing: .nothing)
        let device = TalkBox.device()
        let hand = try await box.connected(device)
        let conversation = try await hand.talk()
        try await hand.until { $0.isMicrophoneAvailable }
        #expect(!conversation.canRecord && conversation.canTalk)
    }

    @Test func recordingStopsTheVoice() async throws {
        let (box, hand, conversation) = try await TalkBox.greeting()
        try await hand.hold(conversation)
        #expect(conversation.playing == nil)
        try await hand.until { _ in hand.phone.speech.stopped == [0] }
        // The turn waits for the end of the greeting, and is answered after it.
        conversation.stopRecording()
        try await hand.until { _ in conversation.messages.count == 2 }
        box.tutor.set { $0.isHeld = false }
        try await hand.until { _ in !conversation.isWaiting }
        #expect(conversation.messages.map(\.role) == [.ai, .user, .ai])
        try await hand.until { _ in hand.phone.speech.playbacks.count == 2 }
    }

    @Test func answerPlaysAgainFromMemory() async throws {
        let box = try await TalkBox()
        let hand = try await box.connected()
        let conversation = try await hand.talk()
        try await hand.until { _ in conversation.playing == nil }
        let greeting = conversation.messages[0]
        #expect(conversation.canPlay(greeting))
        conversation.playAgain(greeting)
        try await hand.until { _ in hand.phone.speech.finished == [0, 1] }
        #expect(hand.phone.speech.playbacks[1] == ScriptedTutor.voice(of: greeting.text))
        #expect(!box.network.calls.contains { $0.hasSuffix("/speech") })
    }

    @Test func voiceOfAnEarlierStartIsRequestedAgain() async throws {
        let box = try await TalkBox()
        let device = TestPhone()
        let first = try await box.connected(device)
        try await first.say("I like tea.", in: try await first.talk())
        await first.quit()
        let second = try await box.connected(device)
        let conversation = try #require(second.app.conversation)
        try await second.until { _ in conversation.phase == .open }
        let answer = try #require(conversation.messages.last)
        // The first start has played the same voice.
        let count = device.speech.playbacks.count
        conversation.playAgain(answer)
        try await second.until { _ in
            device.speech.playbacks.count > count && device.speech.playbacks.last == ScriptedTutor.voice(of: answer.text)
        }
        #expect(box.network.calls.contains { $0.hasSuffix("/speech") })
    }

    @Test func serviceWithoutAVoiceOffersNoPlayback() async throws {
        let box = try await TalkBox(speaks: false)
        box.tutor.set { $0.speaks = false }
        let hand = try await box.connected()
        let conversation = try await hand.talk()
        #expect(!conversation.canPlay(conversation.messages[0]))
        #expect(hand.phone.speech.playbacks.isEmpty)
    }

    @Test func mutedPhoneSaysThatItCannotPlay() async throws {
        let box = try await TalkBox()
        let device = TestPhone()
        device.speech.isMuted = true
        let hand = try await box.connected(device)
        let conversation = try await hand.talk()
        try await hand.until { _ in conversation.problem == .cannotPlay }
        #expect(conversation.phase == .open)
        device.speech.isMuted = false
        conversation.playAgain(conversation.messages[0])
        try await hand.until { _ in device.speech.finished == [0] }
    }

    @Test func turnWithoutAnAnswerIsSentAgainAsAnotherOne() async throws {
        let box = try await TalkBox()
        box.tutor.set { $0.unanswered = ["Hm."] }
        let hand = try await box.connected()
        let conversation = try await hand.talk()
        try await hand.say("Hm.", in: conversation)
        let message = try #require(conversation.messages.last)
        #expect(message.role == .user && message.state == .failed(.noAnswer))
        #expect(conversation.canTalk)
        box.tutor.set { $0.unanswered = [] }
        conversation.retry(message)
        try await hand.until { _ in !conversation.isWaiting }
        #expect(conversation.outline.suffix(2) == ["user: Hm.", "ai: \(ScriptedTutor.answer(to: "Hm."))"])
        #expect(conversation.messages.count == 3)
    }

    @Test func wordsAreShownBeforeTheVoiceHasEnded() async throws {
        let box = try await TalkBox()
        box.tutor.set { $0.writesFirst = true }
        let hand = try await box.connected()
        let conversation = try await hand.talk()
        box.tutor.set { $0.isHeld = true }
        #expect(conversation.sendText("Hm."))
        let answer = "ai: \(ScriptedTutor.answer(to: "Hm."))"
        try await hand.until { _ in conversation.outline.last == answer }
        #expect(conversation.isWaiting && conversation.messages.last?.state == .underWay)
        box.tutor.set { $0.isHeld = false }
        try await hand.until { _ in !conversation.isWaiting }
        #expect(conversation.outline.last == answer && conversation.messages.count == 3)
        let voices = [conversation.messages[0].text, ScriptedTutor.answer(to: "Hm.")].map { ScriptedTutor.voice(of: $0) }
        try await hand.until { _ in hand.phone.speech.playbacks == voices }
    }

    @Test func reasonOfTheServiceIsKeptWithTheTurn() async throws {
        let box = try await TalkBox()
        box.tutor.set { ($0.unanswered, $0.reason) = (["Hm."], "The chat server has no model.") }
        let hand = try await box.connected()
        let conversation = try await hand.talk()
        try await hand.say("Hm.", in: conversation)
        #expect(conversation.messages.last?.state == .failed(.unanswered("The chat server has no model.")))
        #expect(conversation.problem == nil)
    }

    @Test func recordingIsKeptWhenTheEngineFails() async throws {
        let box = try await TalkBox()
        box.tutor.set {
            $0.failureCount = 1
            $0.transcript = { _ in "I like tea." }
        }
        let hand = try await box.connected()
        let conversation = try await hand.talk()
        try await hand.speak(in: conversation)
        let message = try #require(conversation.messages.last)
        #expect(message.role == .user && message.state == .failed(.unanswered("The engine has failed.")))
        #expect(message.problem?.reason == "The engine has failed." && message.problem?.code == TalkCoProblem.noAnswer.code)
        #expect(conversation.messages.count == 2 && conversation.hasUnsentTurn && conversation.canTalk)
        conversation.retry(message)
        try await hand.until { _ in !conversation.isWaiting }
        #expect(conversation.outline.suffix(2) == ["user: I like tea.", "ai: \(ScriptedTutor.answer(to: "I like tea."))"])
        #expect(conversation.messages.count == 3 && !conversation.hasUnsentTurn)
    }

    @Test func recordingWithoutWordsStaysAndCanBeHeardAndSentAgain() async throws {
        let box = try await TalkBox()
        box.tutor.set { $0.transcript = { _ in "" } }
        let hand = try await box.connected()
        let conversation = try await hand.talk()
        try await hand.speak(in: conversation)
        #expect(conversation.problem == .nothingHeard)
        let message = try #require(conversation.messages.last)
        #expect(message.role == .user && message.text.isEmpty && message.state == .notUnderstood && !conversation.hasUnsentTurn)
        #expect(try await box.review(try #require(hand.app.openSession?.id)).segments.isEmpty)

        conversation.playAgain(message)
        try await hand.until { _ in hand.phone.speech.playbacks.last == Samples.tone() }
        #expect(conversation.canSendAgain(message))
        box.tutor.set { $0.transcript = { _ in "I like tea." } }
        conversation.sendAgain(message)
        try await hand.until { _ in conversation.messages.count == 3 && !conversation.isWaiting }
        #expect(conversation.outline.dropFirst() == ["user: I like tea.", "ai: \(ScriptedTutor.answer(to: "I like tea."))"])
    }

    /// A tutor that says so in words, as the built-in one does.
    @Test func misheardRecordingStaysAboveTheAnswer() async throws {
        let box = try await TalkBox()
        box.tutor.set { ($0.transcript, $0.answersSilence) = ({ _ in "" }, true) }
        let hand = try await box.connected()
        let conversation = try await hand.talk()
        try await hand.speak(in: conversation)
        #expect(conversation.messages.map(\.role) == [.ai, .user, .ai] && conversation.messages[1].state == .notUnderstood)
        conversation.discard(conversation.messages[1])
        #expect(conversation.messages.map(\.role) == [.ai, .ai])
    }

    @Test func slowReplayIsAThirdLonger() async throws {
        let box = try await TalkBox()
        let hand = try await box.connected()
        let conversation = try await hand.talk()
        try await hand.until { _ in conversation.playing == nil }
        let normal = try #require(hand.phone.speech.playbacks.last)
        conversation.playAgain(conversation.messages[0], slowly: true)
        try await hand.until { _ in hand.phone.speech.playbacks.count == 2 && conversation.playing == nil }
        let expected = normal.count * 4 / 3
        #expect((expected - 8...expected + 8).contains(hand.phone.speech.playbacks[1].count))
    }

    @Test func refusedEngineIsReportedInItsWordsAndTriedAgain() async throws {
        let box = try await TalkBox()
        box.tutor.set { $0.refusal = "The key for the model is wrong." }
        let hand = try await box.connected()
        let conversation = hand.app.conversation(on: Topic.all[0])
        conversation.startSession()
        try await hand.until { _ in conversation.phase == .failed(.engine("The key for the model is wrong.")) }
        #expect(hand.app.openSession == nil)
        box.tutor.set { $0.refusal = nil }
        try await hand.begin(conversation)
        #expect(conversation.messages.count == 1)
    }

    @Test func unreachableServiceFailsTheStartAtOnce() async throws {
        let box = try await TalkBox()
        let hand = try await box.connected()
        box.network.cut()
        let conversation = hand.app.conversation(on: Topic.all[0])
        conversation.startSession()
        try await hand.until { _ in conversation.phase == .failed(.network) }
        box.network.mend()
        try await hand.begin(conversation)
    }

    @Test func anotherTopicClosesTheConversationBefore() async throws {
        let box = try await TalkBox()
        let hand = try await box.connected()
        let first = try await hand.talk(about: Topic.all[0])
        let session = try #require(hand.app.openSession?.id)
        let second = try await hand.talk(about: Topic.all[1])
        #expect(first.isOver && first !== second)
        #expect(hand.app.conversation === second)
        try await eventually { try await box.review(session).status != .active }
    }
}
