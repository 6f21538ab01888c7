import Foundation
import NIOTransport
import TalkCoStandIns
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// Sentences, news and queues of the outside engines.
@Suite struct EngineTextTests {
    private func sentences(_ text: String, by size: Int) -> [String] {
        var splitter = SentenceSplitter()
        var rest = text[...]
        var sentences: [String] = []
        while !rest.isEmpty {
            sentences += splitter.receive(String(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return sentences + [splitter.finish()].compactMap { $0 }
    }

    @Test(arguments: [
        ("Hello! How are you? Fine", ["Hello!", "How are you?", "Fine"]),
        ("Mr. Lin paid 3.50 dollars. J. Smith did not.", ["Mr. Lin paid 3.50 dollars.", "J. Smith did not."]),
        ("She said \"Go!\" and left. It was 5 p.m. when I.", ["She said \"Go!\"", "and left.", "It was 5 p.m. when I."]),
        ("Wait... what?! No.\nYes", ["Wait...", "what?!", "No.", "Yes"]), ("你好。 Good", ["你好。", "Good"]),
        ("*Well*, **that** is `it`.", ["Well, that is it."]), ("", []), (" \n ", []),
    ])
    func sentencesAreTheSameHoweverTheTextArrives(text: String, expected: [String]) {
        for size in [1, 2, 3, 7, 100] { #expect(sentences(text, by: size) == expected, "pieces of \(size)") }
    }

    @Test func endlessSentenceIsSplit() {
        let text = String(repeating: "word ", count: 200)
        let found = sentences(text, by: 9)
        #expect(found.count == 4 && found.allSatisfy { $0.count <= 300 })
        #expect(found.joined(separator: " ") + " " == text)
        #expect(sentences(String(repeating: "a", count: 700), by: 50).map(\.count) == [300, 300, 100])
    }

    // MARK: Words for a voice

    @Test(arguments: [
        ("- Apples", "Apples"), ("* **Pears**", "Pears"), ("1. Go home", "Go home"), ("12) Sleep", "Sleep"), ("• Rest", "Rest"),
        ("## A heading", "A heading"), ("> quoted", "quoted"), ("- [x] Done", "Done"), ("a) First", "First"), ("**1.** One", "One"),
        ("See [the menu](https://example.com/a?b=c_d \"title\").", "See the menu."), ("![A cat](cat.png)", "A cat"),
        ("Read https://example.com/x?y=1.", "Read the link."), ("Look: <http://a.b/c> now", "Look: the link now"),
        ("At www.example.org, today", "At the link, today"),
        ("Write to mei.lin@example.com!", "Write to mei dot lin at example dot com!"),
        ("Great 🎉!", "Great!"), ("👨‍👩‍👧‍👦 My family 👍🏽", "My family"), ("I ❤️ tea ☕️.", "I tea."), ("🇹🇼 Taiwan", "Taiwan"),
        ("1️⃣ One", "One"), ("Nice :) Really ;-)", "Nice Really"), ("I <3 it", "I it"), ("<b>Bold</b> words", "Bold words"),
        ("a\u{200B}b\u{202E}c", "abc"), ("🎉🎉", ""), ("---", ""), ("...", ""), ("| A | B |", "A, B"),
        ("In 1990. Yes", "In 1990. Yes"), ("It costs $3.50 & more", "It costs $3.50 & more"), ("I. am", "I. am"), ("你好。", "你好。"),
        ("→ Go on", "Go on"), ("It's 3 < 4", "It's 3 < 4"),
    ])
    func wordsForAVoiceAreWhatIsSaid(text: String, expected: String) {
        #expect(SpeechText.of(text) == expected)
        #expect(SpeechText.of(SpeechText.of(text)) == expected)
    }

    @Test func listIsSpokenLineByLine() {
        let list = "Try these:\n1. Order tea.\n2. Pay at the counter.\n\n- Smile 😀\n* Say *thank you*.\nI was born in 1990. Really."
        let expected = [
            "Try these:", "Order tea.", "Pay at the counter.", "Smile", "Say thank you.", "I was born in 1990.", "Really.",
        ]
        for size in [1, 3, 200] { #expect(sentences(list, by: size) == expected, "pieces of \(size)") }
    }

    // MARK: Transcripts

    @Test(arguments: [
        "[Music]", "(silence)", "[BLANK_AUDIO]", " [ Silence ] ", "*sighs*", "♪♪", "♪ la la la ♪", "Thank you for watching.",
        "Thanks for watching!", "THANK YOU FOR WATCHING!", "Thanks for watching! Thanks for watching! Thanks for watching!",
        "Please subscribe to my channel.", "Subtitles by the Amara.org community", "(upbeat music) [Applause]", "<|nospeech|>",
        "See you in the next video.", "ご視聴ありがとうございました", "시청해주셔서 감사합니다.", "谢谢观看！", ".", "...", "", "- [Music]", ">>",
        "Don't forget to like and subscribe!", "（笑）", "you you", "You. You. You.",
    ])
    func noiseIsNoTranscript(text: String) {
        #expect(NonSpeech.removed(from: text).isEmpty)
    }

    @Test(arguments: [
        ("I like music.", "I like music."), ("Thank you.", "Thank you."), ("Music.", "Music."), ("You.", "You."), ("3.5", "3.5"),
        (" Hello.\n", "Hello."), ("[Music] Hello, how are you?", "Hello, how are you?"),
        ("I like dogs. Thanks for watching!", "I like dogs."), ("(coughs) Yes, I do.", "Yes, I do."),
        ("Thank you for watching my dog last week.", "Thank you for watching my dog last week."), ("我不知道。", "我不知道。"),
        ("Well - you know.", "Well - you know."), ("What? No! Really.", "What? No! Really."),
    ])
    func wordsAreKept(text: String, expected: String) {
        #expect(NonSpeech.removed(from: text) == expected)
    }

    /// screenpipe/screenpipe#4070, wassgha/rescript#13: a recognizer that repeats itself.
    @Test(
        arguments: [
            ("you you you you you you you", ""), ("You. You. You. You. You. You. You.", ""),
            ("Thank you. Thank you. Thank you. Thank you.", ""),
            (
                "I'm sorry, a little bit of a little bit of a little bit of a little bit of a little bit of a little bit",
                "I'm sorry, a little bit of"
            ),
            ("Yes, I think so. Okay, okay, okay, okay, okay, okay, okay.", "Yes, I think so. Okay,"),
            ("No, no, no!", "No, no, no!"), ("It is very, very, very good.", "It is very, very, very good."),
            ("Bye bye. Bye bye. Bye bye.", "Bye bye. Bye bye. Bye bye."), ("ha ha ha ha", "ha ha ha ha"),
        ])
    func loopsAreNoSpeech(text: String, expected: String) { #expect(NonSpeech.removed(from: text) == expected) }

    // MARK: News

    @Test func feedsOfBothFormatsAreRead() {
        let atom = """
            <feed><title>All</title><entry a="b"><title type="html">One &amp;lt;b&amp;gt;big&amp;lt;/b&amp;gt; thing</title>
            <updated>2026-11-25</updated><summary>Text</summary></entry><entry><title></title></entry></feed>
            """
        #expect(NewsFeed.items(in: atom) == [NewsFeed.Item(title: "One big thing", published: "2026-11-25", summary: "Text")])
        let rss = "<rss><item><titles>no</titles><title><![CDATA[A <i>b</i>]]></title></item><item><title>cut off"
        #expect(NewsFeed.items(in: rss) == [NewsFeed.Item(title: "A b", published: nil, summary: nil)])
        for text in ["", "<html>", "<item", "<item>", "<item></item>"] { #expect(NewsFeed.items(in: text).isEmpty) }
    }

    private func call(_ arguments: String, name: String = "search_news") throws -> RealtimeCall {
        try #require(
            RealtimeCall(
                .object([
                    "type": .string("function_call"), "call_id": .string("c"), "name": .string(name),
                    "arguments": .string(arguments),
                ])))
    }

    @Test func queryIsEncodedInTheAddress() async throws {
        let servers = ModelServers()
        let answer = try await servers.run { base in
            let address = base.deletingLastPathComponent().absoluteString + "news?q={query}&hl=en"
            return await NewsSearch(at: address, http: AsyncHTTP(), clock: ContinuousClock()).answer(
                try call(#"{"query":"a&b 台"}"#))
        }
        #expect(servers.received(.news).map(\.query) == ["q=a%26b%20%E5%8F%B0&hl=en"])
        #expect(answer.contains("New night market opens"))
    }

    @Test func failedSearchTellsTheModel() async throws {
        let none = NewsSearch(at: nil, http: AsyncHTTP(), clock: ContinuousClock())
        #expect(await none.answer(try call(#"{"query":"x"}"#)).contains("No news source is set"))
        let gone = NewsSearch(at: "http://127.0.0.1:1/{query}", http: AsyncHTTP(), clock: ContinuousClock())
        #expect(await gone.answer(try call(#"{"query":"x"}"#)).contains("not available"))
        #expect(await gone.answer(try call(#"{"query":" "}"#)).contains("missing"))
        #expect(await gone.answer(try call("{}", name: "delete_everything")).contains("There is no function"))
        let servers = ModelServers()
        for fault in [HTTPFault.status(500), .body("<html>")] {
            servers.set(.news, fault)
            let answer = try await servers.run { base in
                let address = base.deletingLastPathComponent().absoluteString + "news?q={query}"
                return await NewsSearch(at: address, http: AsyncHTTP(), clock: ContinuousClock()).answer(
                    try call(#"{"query":"x"}"#))
            }
            #expect(answer == #"{"results":[]}"# || answer.contains("not available"))
        }
    }

    // MARK: Queues

    @Test func writerWaitsForItsReader() async throws {
        let sent = Locked(0)
        let stream = BoundedStream<Int>.make(capacity: 2) { send in
            for number in 0..<10 {
                try await send(number)
                sent.withLock { $0 = number + 1 }
            }
        }
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == 0)
        try await eventually { sent.withLock { $0 } == 3 }
        var rest: [Int] = []
        while let number = try await iterator.next() { rest.append(number) }
        #expect(rest == Array(1..<10) && sent.withLock { $0 } == 10)
    }

    @Test func errorComesAfterTheLastElement() async throws {
        let stream = BoundedStream<Int>.make { send in
            try await send(1)
            throw EngineError(.failed, "broken")
        }
        var found: [Int] = []
        let error = await #expect(throws: EngineError.self) { for try await number in stream { found.append(number) } }
        #expect(error?.description == "broken" && found == [1])
    }

    @Test func releasedStreamCancelsItsTask() async throws {
        let ended = Gate()
        do {
            let stream = BoundedStream<Int>.make { send in
                defer { ended.open() }
                for number in 0... { try await send(number) }
            }
            for try await number in stream where number == 3 { break }
        }
        try await within { await ended.wait() }
        #expect(ended.isOpen)
    }

    @Test func cancelledReaderCancelsTheTask() async throws {
        let (began, ended) = (Gate(), Gate())
        let stream = BoundedStream<Int>.make { _ in
            defer { ended.open() }
            began.open()
            await Gate().wait()
            try Task.checkCancellation()
        }
        let reader = Task { for try await _ in stream {} }
        await began.wait()
        reader.cancel()
        try await within { await ended.wait() }
        _ = await reader.result
        #expect(ended.isOpen)
    }

    @Test func silenceLimitStartsAnewWithEverySign() async throws {
        let clock = TestClock()
        let (heard, end) = (Gate(), Gate())
        let result = Task {
            try await Silence.limited(to: .seconds(30), by: clock, of: "The server") { didHear in
                await heard.wait()
                didHear()
                end.open()
                await Gate().wait()
            }
        }
        try await eventually { clock.hasSleeper(for: .seconds(30)) }
        try await clock.advance(by: .seconds(20))
        heard.open()
        try await within { await end.wait() }
        try await clock.advance(by: .seconds(10))
        try await eventually { clock.hasSleeper(for: .seconds(20)) }
        try await clock.advance(by: .seconds(20))
        let error = await #expect(throws: EngineError.self) { try await result.value }
        #expect(error?.code == .timedOut && error?.description == "The server said nothing for 30 seconds.")
    }
}
