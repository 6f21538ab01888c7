import SwiftUI
import Testing

/// Flushes: their timing and number.
@MainActor
@Suite struct FlushTests {
    @Observable final class Counter: @unchecked Sendable {
        var count = 0
        var other = 0
    }

    struct Reader: View {
        let counter: Counter
        let tally: Tally
        var body: some View {
            let _ = tally.add("body")
            Text("count \(counter.count)")
            Button("tap") { counter.other += 1 }
            Text("other \(counter.other)")
        }
    }

    @Test func burstsOfChangesAreFewFlushes() async throws {
        let counter = Counter()
        let tally = Tally()
        let screen = ViewDriver(Reader(counter: counter, tally: tally))
        let mirror = Mirror(of: screen.host)
        tally.clear()
        let start = ContinuousClock.now
        await Task { @concurrent in
            for _ in 0..<1_000 {
                await MainActor.run { counter.count += 1 }
            }
        }.value
        try await screen.wait(for: "count 1,000")
        let most = Int((ContinuousClock.now - start) / ViewHost.pace) + 3
        #expect(mirror.flushes <= most)
        #expect(tally.count("body") <= most)
    }

    @Test func eventsFlushBeforeTheyReturn() throws {
        let screen = ViewDriver(Reader(counter: Counter(), tally: Tally()))
        let mirror = Mirror(of: screen.host)
        let button = try screen.find("tap", .button)
        screen.host.send(.tap, to: button.id)
        #expect(mirror.flushes == 1)
        #expect(screen.host.root.all.contains { $0.attributes[.text] == "other 1" })
        screen.host.send(.tap, to: button.id)
        #expect(mirror.flushes == 2)
    }

    @Test func stateChangesOfEffectsAreAppliedInTheSameFlush() throws {
        struct Root: View {
            @State private var first = 0
            @State private var second = 0
            @State private var third = 0
            var body: some View {
                Button("\(first) \(second) \(third)") { first += 1 }
                    .onChange(of: first) { second += 1 }
                    .onChange(of: second) { third += 1 }
            }
        }
        let screen = ViewDriver(Root())
        let mirror = Mirror(of: screen.host)
        try screen.tap("0 0 0")
        #expect(mirror.flushes == 1)
        #expect(screen.has("1 1 1"))
    }

    @Test func endlessUpdatesDoNotStarveOtherViews() async throws {
        struct Restless: View {
            @State private var count = 0
            var body: some View { Text("restless \(count)").onChange(of: count, initial: true) { count += 1 } }
        }
        struct Root: View {
            let counter: Counter
            var body: some View {
                Restless()
                Button("tap") { counter.count += 1 }
                Text("count \(counter.count)")
            }
        }
        let counter = Counter()
        let screen = ViewDriver(Root(counter: counter))
        try screen.tap("tap")
        #expect(screen.has("count 1"))
        // Other views are evaluated, and the endless one continues by itself.
        let before = try #require(screen.texts.first)
        counter.count = 5
        try await screen.wait(for: "count 5")
        try await screen.wait("another flush") { screen.texts.first != before }
        screen.host.close()
    }

    @Test func aBodyThatChangesItsOwnStateDoesNotHang() throws {
        struct Root: View {
            @State private var count = 0
            var body: some View {
                let _ = count += 1
                Text("count \(count)")
            }
        }
        let screen = ViewDriver(Root())
        #expect(screen.texts.count == 1)
        screen.host.close()
    }

    @Test func changesWaitForASlowPage() async throws {
        let counter = Counter()
        let screen = ViewDriver(Reader(counter: counter, tally: Tally()))
        let mirror = Mirror(of: screen.host)
        screen.host.defersChanges = true
        counter.count = 1
        for _ in 0..<20 { await Task.yield() }
        #expect(mirror.flushes == 0)
        counter.count = 2
        screen.host.defersChanges = false
        try await screen.wait("the change is told") { mirror.flushes == 1 }
        #expect(screen.has("count 2"))
    }

    @Test func aFlushInsideAnEffectOrTheReportIsHarmless() throws {
        final class Box { var host: ViewHost? }
        struct Root: View {
            let box: Box
            @State private var count = 0
            var body: some View {
                Button("count \(count)") { count += 1 }.onChange(of: count) { box.host?.flush() }
            }
        }
        let box = Box()
        let screen = ViewDriver(Root(box: box))
        box.host = screen.host
        var reports = 0
        screen.host.onChanges = { _, _ in
            reports += 1
            screen.host.flush()
        }
        try screen.tap("count 0")
        #expect(screen.has("count 1"))
        #expect(reports == 1)
        screen.host.onChanges = nil
        box.host = nil
    }

    @Test func closingInsideAHandlerEndsEverything() throws {
        final class Box { var host: ViewHost? }
        struct Root: View {
            let box: Box
            let tally: Tally
            @State private var count = 0
            var body: some View {
                let _ = tally.add("body")
                Button("close \(count)") {
                    count += 1
                    box.host?.close()
                    count += 1
                }
                .onDisappear { tally.add("gone") }
            }
        }
        let box = Box()
        let tally = Tally()
        let screen = ViewDriver(Root(box: box, tally: tally))
        box.host = screen.host
        try screen.tap("close 0")
        #expect(tally.log == ["body", "gone"])
        #expect(screen.visible.map(\.kind) == [.root])
    }

    @Test func withAnimationDoesNotExtendToTasksInside() async throws {
        struct Root: View {
            @State private var count = 0
            var body: some View {
                Text("count \(count)")
                Button("move") { withAnimation(.linear(duration: 2)) { count += 1 } }
                Button("jump") { count += 1 }
                Button("later") { withAnimation { _ = Task { count += 1 } } }
                Button("still") { withTransaction(Self.still) { count += 1 } }
            }
            static var still: Transaction {
                var transaction = Transaction(animation: .linear)
                transaction.disablesAnimations = true
                return transaction
            }
        }
        let screen = ViewDriver(Root())
        var motions: [Animation?] = []
        screen.host.onChanges = { motions.append($1) }
        try screen.tap("move")
        try screen.tap("jump")
        try screen.tap("later")
        try await screen.wait(for: "count 3")
        try screen.tap("still")
        #expect(motions == [.linear(duration: 2), nil, nil, nil])
    }

    /// A page with much content leaves the main actor to the others in between, and its page sees no half of it.
    @Test func longFlushTakesTurnsAndIsReportedOnce() async throws {
        struct Row: View {
            let number: Int
            let counter: Counter
            var body: some View { Text("\(number) \(counter.count)") }
        }
        struct Root: View {
            let counter: Counter
            var body: some View { ForEach(0..<100, id: \.self) { Row(number: $0, counter: counter) } }
        }
        let counter = Counter()
        let host = ViewHost(Root(counter: counter), workPerTurn: 20)
        #expect(host.workCount == 20 && host.isUnfinished)
        while host.isUnfinished { await Task.yield() }
        let mirror = Mirror(of: host)
        counter.count += 1
        var turns = 0
        repeat {
            let before = host.workCount
            host.flush()
            // One view more, with its element.
            #expect(host.workCount - before <= 21)
            #expect(mirror.flushes == (host.isUnfinished ? 0 : 1))
            turns += 1
        } while host.isUnfinished
        #expect(turns >= 10)
        #expect(host.root.all.contains { $0.attributes[.text] == "99 1" })
    }

    @Test func treeThatClosesBetweenTurnsEvaluatesNothingMore() async throws {
        struct Root: View {
            var body: some View { ForEach(0..<100, id: \.self) { Text("\($0)") } }
        }
        let host = ViewHost(Root(), workPerTurn: 20)
        host.close()
        await Task.yield()
        #expect(host.workCount == 20 && !host.isUnfinished)
    }

    /// Views with many elements, and the layout of all of them, take turns too.
    @Test func elementsCountAsWork() async throws {
        struct Block: View {
            let number: Int
            var body: some View {
                VStack {
                    Text("a")
                    Text("b")
                    Text("c")
                    Text("d")
                    Color.red.frame(maxWidth: .infinity)
                }
            }
        }
        struct Root: View {
            @State private var isShown = false
            var body: some View {
                Button("show") { isShown = true }
                if isShown { ForEach(0..<500, id: \.self) { Block(number: $0) } }
            }
        }
        let host = ViewHost(Root(), workPerTurn: 40)
        while host.isUnfinished { await Task.yield() }
        let mirror = Mirror(of: host)
        let button = try #require(host.root.all.first { $0.kind == .button })
        host.send(.tap, to: button.id)
        var turns = 0
        while host.isUnfinished {
            let before = host.workCount
            host.flush()
            #expect(host.workCount - before <= 40 + 10)
            turns += 1
            try #require(turns < 1000)
        }
        // 500 blocks of at least seven elements each.
        #expect(turns > 500 * 7 / 50 && mirror.flushes >= 1)
        #expect(mirror.differences(from: host.root) == [])
        #expect(host.root.all.filter { $0.attributes[.text] == "d" }.count == 500)
    }

    /// While the receiver of the changes reads the tree, the tree stays; the next report has what an event changed meanwhile.
    @Test func heldTreeStaysAsItIs() async throws {
        let counter = Counter()
        let host = ViewHost(Reader(counter: counter, tally: Tally()))
        let mirror = Mirror(of: host)
        host.isHeld = true
        host.lastEvent = 7
        let before = host.evaluationCount
        let button = try #require(host.root.all.first { $0.kind == .button })
        #expect(host.send(.tap, to: button.id))
        await Task.yield()
        #expect(counter.other == 1 && host.evaluationCount == before && mirror.flushes == 0 && host.lastReportedEvent == 0)
        host.isHeld = false
        while mirror.flushes == 0 { await Task.yield() }
        #expect(host.root.all.contains { $0.attributes[.text] == "other 1" } && host.lastReportedEvent == 7)
    }

    /// A page whose content changes between all turns is shown what there is, all the same.
    @Test func changesBetweenTurnsDoNotKeepAFlushFromItsEnd() async throws {
        struct Row: View {
            let number: Int
            let counter: Counter
            var body: some View { Text("\(number) \(counter.count)") }
        }
        struct Root: View {
            let counter: Counter
            var body: some View { ForEach(0..<100, id: \.self) { Row(number: $0, counter: counter) } }
        }
        let counter = Counter()
        let host = ViewHost(Root(counter: counter), workPerTurn: 20)
        while host.isUnfinished { await Task.yield() }
        let mirror = Mirror(of: host)
        counter.count += 1
        var turns = 0
        while mirror.flushes == 0 {
            host.flush()
            counter.count += 1
            turns += 1
            try #require(turns < 1000)
        }
        #expect(mirror.differences(from: host.root) == [])
    }
}
