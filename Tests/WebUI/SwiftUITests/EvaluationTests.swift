import Dispatch
import Foundation
import SwiftUI
import Synchronization
import Testing

/// The components that a change evaluates.
@MainActor
@Suite struct EvaluationTests {
    @Observable final class Message: Identifiable {
        let id: Int
        var text: String
        var stars = 0
        init(_ id: Int) {
            self.id = id
            text = "message \(id)"
        }
    }

    @Observable final class Chat {
        var messages = (0..<100).map(Message.init)
        var title = "chat"
    }

    struct Row: View {
        let message: Message
        let tally: Tally
        var body: some View {
            let _ = tally.add("row \(message.id)")
            Text(verbatim: message.text)
        }
    }

    struct Screen: View {
        let chat: Chat
        let tally: Tally
        var body: some View {
            let _ = tally.add("screen")
            Text(verbatim: chat.title)
            List(chat.messages) { Row(message: $0, tally: tally) }
        }
    }

    @Test func aMessageThatGrowsEvaluatesItsOwnRowOnly() {
        let chat = Chat()
        let tally = Tally()
        let screen = ViewDriver(Screen(chat: chat, tally: tally))
        let mirror = Mirror(of: screen.host)
        tally.clear()
        for word in [" one", " two", " three"] {
            chat.messages[40].text += word
            screen.host.flush()
        }
        #expect(tally.log == Array(repeating: "row 40", count: 3))
        #expect(mirror.changes.compactMap(\.suffix) == [" one", " two", " three"])
        #expect(mirror.changes.count == 3)
    }

    @Test func aNewMessageEvaluatesTheListAndItsRow() {
        let chat = Chat()
        let tally = Tally()
        let screen = ViewDriver(Screen(chat: chat, tally: tally))
        let mirror = Mirror(of: screen.host)
        tally.clear()
        chat.messages.append(Message(100))
        screen.host.flush()
        #expect(tally.log == ["screen", "row 100"])
        #expect(mirror.changes.count == 1)
    }

    @Test func unreadPropertiesEvaluateNothing() {
        let chat = Chat()
        let tally = Tally()
        let screen = ViewDriver(Screen(chat: chat, tally: tally))
        tally.clear()
        chat.messages[3].stars += 1
        screen.host.flush()
        #expect(tally.log.isEmpty)
    }

    @Test func readsOfAChildDoNotTrackItsParent() {
        struct Child: View {
            let message: Message
            let tally: Tally
            var body: some View {
                let _ = tally.add("child")
                Text(verbatim: message.text)
            }
        }
        struct Parent: View {
            let message: Message
            let tally: Tally
            var body: some View {
                let _ = tally.add("parent")
                VStack { Child(message: message, tally: tally) }
                Text("\(message.stars) stars")
            }
        }
        let message = Message(0)
        let tally = Tally()
        let screen = ViewDriver(Parent(message: message, tally: tally))
        tally.clear()
        message.text = "new"
        screen.host.flush()
        #expect(tally.log == ["child"])
        tally.clear()
        message.stars = 2
        screen.host.flush()
        #expect(tally.log == ["parent"])
        #expect(screen.texts == ["new", "2 stars"])
    }

    @Test func onlyBitwiseEqualChildrenAreSkipped() throws {
        struct Pair { var flag: Bool, number: Int, letter: Character? }
        struct Child: View {
            let flag: Bool
            let pair: Pair
            let small: UInt8
            let message: Message
            let tally: Tally
            @State private var own = 0
            var body: some View {
                let _ = tally.add("child")
                Text(verbatim: "\(flag) \(pair.flag) \(pair.number) \(pair.letter.map(String.init) ?? "-") \(small) \(message.id)")
            }
        }
        struct Root: View {
            let tally: Tally
            @State private var round = 0
            @State private var flag = false
            @State private var pair = Pair(flag: false, number: 1, letter: nil)
            @State private var small: UInt8 = 1
            @State private var message = Message(0)
            var body: some View {
                Button("again") { round += 1 }
                Button("flag") { flag = true }
                Button("inner flag") { pair.flag = true }
                Button("number") { pair.number = 2 }
                Button("letter") { pair.letter = "x" }
                Button("small") { small = 2 }
                Button("message") { message = Message(7) }
                Text("round \(round)")
                Child(flag: flag, pair: pair, small: small, message: message, tally: tally)
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        for _ in 0..<5 { try screen.tap("again") }
        #expect(screen.has("round 5"))
        #expect(tally.count("child") == 1)
        for (count, name) in ["flag", "inner flag", "number", "letter", "small", "message"].enumerated() {
            try screen.tap(name)
            #expect(tally.count("child") == count + 2, "\(name)")
        }
        #expect(screen.texts.last == "true true 2 x 2 7")
    }

    @Test func changedConditionsAreFollowed() {
        struct Root: View {
            let first: Message
            let second: Message
            let tally: Tally
            var body: some View {
                let _ = tally.add("body")
                Text(verbatim: first.stars > 0 ? first.text : second.text)
            }
        }
        let (first, second, tally) = (Message(1), Message(2), Tally())
        let screen = ViewDriver(Root(first: first, second: second, tally: tally))
        #expect(screen.texts == ["message 2"])
        first.stars = 1
        #expect(screen.texts == ["message 1"])
        tally.clear()
        second.text = "nobody sees this"
        screen.host.flush()
        #expect(tally.log.isEmpty)
    }

    @Test func aModelThatAHandlerReadsIsNotTracked() throws {
        struct Root: View {
            let message: Message
            let tally: Tally
            var body: some View {
                let _ = tally.add("body")
                Button("star") { message.stars += 1 }
                    .onAppear { if message.stars == 0 { message.stars = 0 } }
                    .onChange(of: 1) { tally.add(message.text) }
            }
        }
        let (message, tally) = (Message(1), Tally())
        let screen = ViewDriver(Root(message: message, tally: tally))
        try screen.tap("star")
        try screen.tap("star")
        #expect(message.stars == 2)
        #expect(tally.log == ["body"])
    }

    @Observable final class Counter: @unchecked Sendable { var count = 0 }

    @Test func aModelChangedOnAnotherThreadIsShown() async throws {
        struct Root: View {
            let counter: Counter
            var body: some View { Text("count \(counter.count)") }
        }
        let counter = Counter()
        let screen = ViewDriver(Root(counter: counter))
        await Task { @concurrent in counter.count = 5 }.value
        try await screen.wait(for: "count 5")
    }

    /// A model that is read while another thread changes it.
    final class SlowCounter: Observable, Sendable {
        private let (isChanging, mayChange) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        private let registrar = ObservationRegistrar()
        private let value = Atomic(0)

        var count: Int {
            registrar.access(self, keyPath: \.count)
            return value.load(ordering: .relaxed)
        }

        /// Begins a change on another thread.
        func begin(_ count: Int) {
            Thread.detachNewThread {
                self.registrar.withMutation(of: self, keyPath: \.count) {
                    self.isChanging.signal()
                    self.mayChange.wait()
                    self.value.store(count, ordering: .relaxed)
                }
            }
            isChanging.wait()
        }

        func end() { mayChange.signal() }
    }

    @Test func aModelReadDuringAChangeIsShownAfterIt() async throws {
        struct Root: View {
            let counter: SlowCounter
            @State private var stars = 0
            var body: some View { Button("\(stars) stars, count \(counter.count)") { stars += 1 } }
        }
        let counter = SlowCounter()
        let screen = ViewDriver(Root(counter: counter))
        counter.begin(5)
        try screen.tap("0 stars, count 0")
        #expect(screen.has("1 stars, count 0"))
        counter.end()
        try await screen.wait(for: "1 stars, count 5")
    }

    /// Registrations of Observation cannot be removed one by one, and must not accumulate.
    @Test func evaluationsLeakNothingIntoLongLivedObjects() throws {
        struct Reader: View {
            let message: Message
            let tally: Tally
            @State private var count = 0
            var body: some View {
                let _ = tally.add("reader")
                Button(String(count)) { count += 1 }
                Text(verbatim: message.text)
            }
        }
        let (message, tally) = (Message(1), Tally())
        let screen = ViewDriver(Reader(message: message, tally: tally))
        for count in 0..<2_000 { try screen.tap(String(count)) }
        // Each outdated registration would request another evaluation.
        let evaluations = tally.count("reader")
        #expect(evaluations >= 2_001 && evaluations < 2_050)
        message.text = "done"
        #expect(screen.has("done"))
        #expect(tally.count("reader") == evaluations + 1)
    }

    /// A registration of Observation stays in each object that was read until the object changes.
    @Test func typingLeaksNoTracking() throws {
        struct Composer: View {
            let message: Message
            let tally: Tally
            @State private var draft = ""
            var body: some View {
                let _ = tally.add("composer")
                Text(verbatim: "\(message.text) \(message.stars)")
                TextField("draft", text: $draft)
            }
        }
        let (message, tally) = (Message(1), Tally())
        let screen = ViewDriver(Composer(message: message, tally: tally))
        for count in 1...1_000 { try screen.type(String(repeating: "x", count: count), into: "draft") }
        // The tracking of the first evaluation of a component, and of a type, has no tracker.
        #expect(screen.host.tracking.leftoverCount <= 2)
        #expect(tally.count("composer") <= 1_002)
        message.stars = 5
        #expect(screen.has("message 1 5"))
    }

    @Test func removedViewsLeaveABoundedNumberOfTrackings() throws {
        struct Part: View {
            let message: Message
            var body: some View { Text(verbatim: message.text) }
        }
        struct Whole: View {
            let message: Message
            @State private var isShown = false
            var body: some View {
                Button("turn") { isShown.toggle() }
                if isShown { Part(message: message) }
            }
        }
        let message = Message(1)
        let screen = ViewDriver(Whole(message: message))
        for _ in 0..<999 { try screen.tap("turn") }
        #expect(screen.host.tracking.leftoverCount <= 65)
        message.text = "done"
        #expect(screen.has("done"))
    }

    @Test func modelsDoNotRetainAClosedTree() {
        final class Canary {}
        struct Reader: View {
            let message: Message
            let canary: Canary
            var body: some View { Text(verbatim: message.text) }
        }
        let message = Message(1)
        weak var host: ViewHost?
        weak var canary: Canary?
        do {
            let object = Canary()
            canary = object
            let tree = ViewHost(Reader(message: message, canary: object))
            host = tree
            tree.close()
        }
        #expect(host == nil)
        #expect(canary == nil)
        message.text = "later"
    }
}
