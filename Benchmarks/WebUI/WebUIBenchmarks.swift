import Foundation
import Glibc
import Logging
import SwiftUI
import WebRenderer

/// What views in a browser cost a box. In this package, because it measures what only this package sees.
@MainActor
public enum WebUIBenchmarks {
    /// One message whose text grows, as an answer of a model does.
    @MainActor @Observable
    final class Message: Identifiable {
        let id: Int
        var text: String
        init(_ id: Int) {
            self.id = id
            text = "Message \(id), some words long"
        }
    }

    @MainActor @Observable
    final class Conversation {
        var messages: [Message]
        var isOnline = true
        init(_ messages: [Message]) { self.messages = messages }
    }

    struct Chat: View {
        private let conversation: Conversation
        @State private var draft = ""

        init(messages: [Message]) { conversation = Conversation(messages) }

        var body: some View {
            NavigationStack {
                VStack {
                    ScrollView {
                        LazyVStack(alignment: .leading) {
                            ForEach(conversation.messages) { message in
                                Bubble(message: message)
                            }
                        }
                    }
                    if !conversation.isOnline || draft.count > 1_000 { Text("This cannot be sent now") }
                    TextField("Message", text: $draft, axis: .vertical)
                }
                .navigationTitle("Chat")
            }
        }
    }

    struct Bubble: View {
        let message: Message
        var body: some View {
            Text(verbatim: message.text)
                .padding(12)
                .background(.blue, in: RoundedRectangle(cornerRadius: 18))
        }
    }

    /// What one more token costs.
    public struct Token {
        /// From the change of the model to the bytes of the frame.
        public var duration: Duration
        /// Of its frame, on average.
        public var bytes: Double
    }

    /// Appends `count` tokens to the last of `rows` messages, each sent by itself.
    public static func tokens(_ count: Int, rows: Int) -> Token {
        let messages = (0..<rows).map { Message($0) }
        let host = ViewHost(Chat(messages: messages))
        defer { host.close() }
        var bytes = 0
        host.onChanges = { changes, _ in
            var frame = JSONWriter()
            frame.object { frame in
                frame.key("ops")
                frame.array { frame in
                    for change in changes { FrameWriter.write(change, to: &frame) }
                }
            }
            bytes += frame.bytes.count
        }
        let duration = ContinuousClock().measure {
            for _ in 0..<count {
                messages[rows - 1].text += " token"
                host.flush()
            }
        }
        return Token(duration: duration / count, bytes: Double(bytes) / Double(count))
    }

    /// The time to say all of a tree with `rows` messages.
    public static func snapshot(_ count: Int, rows: Int) -> Duration {
        let host = ViewHost(Chat(messages: (0..<rows).map { Message($0) }))
        defer { host.close() }
        return ContinuousClock().measure {
            for _ in 0..<count {
                var frame = JSONWriter()
                FrameWriter.write(host.root, to: &frame)
            }
        } / count
    }

    /// The memory of sessions, in bytes.
    public struct Memory {
        /// One session takes this much.
        public var each = 0
        /// One session grows by this much when 300 letters are typed in it.
        public var typed = 0
        /// The process grew by this much in the last round, which is what is not freed: the first ones find the size of the heap.
        public var growth = 0
    }

    /// Opens `count` sessions with 40 messages each and closes them, several times. In the round before the last something is typed in each.
    public static func sessions(_ count: Int, rounds: Int) async -> Memory {
        let folder = FileManager.default.temporaryDirectory.appending(path: "switchboard-bench-phones")
        let app = WebApp(name: "chat", title: "Chat") { _ in Chat(messages: (0..<40).map { Message($0) }) }
        var memory = Memory()
        var after: [Int] = []
        for round in 0..<rounds {
            let before = residentBytes
            var phones: [BrowserPhone] = []
            var sessions: [PageSession] = []
            for number in 0..<count {
                let phone = BrowserPhone(
                    identity: "\(number)", folder: folder.appending(path: "\(number)"), logger: Logger(label: "bench"))
                phones.append(phone)
                sessions.append(PageSession(app: app, phone: phone, hello: Hello(document: "\(number)")))
            }
            let opened = residentBytes
            memory.each = max(memory.each, (opened - before) / count)
            if round == rounds - 2 {
                for session in sessions { await type(300, in: session.host) }
                memory.typed = (residentBytes - opened) / count
            }
            for session in sessions { session.close(nil) }
            sessions = []
            phones = []
            after.append(residentBytes)
        }
        memory.growth = after[rounds - 1] - after[rounds - 2]
        return memory
    }

    /// Types so many letters into the field of a chat.
    private static func type(_ count: Int, in host: ViewHost) async {
        func field(_ element: Element) -> Element? {
            element.kind == .field ? element : element.pageChildren.lazy.compactMap(field).first
        }
        guard let field = field(host.root) else { return }
        for length in 1...count {
            host.send(.input, to: field.id, .text(String(repeating: "x", count: length)))
            // Has the host do what it does between two keystrokes.
            await Task.yield()
        }
    }

    /// Gives freed memory back to the system. The C library has it, its Swift module has not.
    private static func trim() {
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
    }

    private static var residentBytes: Int {
        trim()
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")[1]
        return (pages.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
