import Foundation
import Glibc
import Logging
import SwiftUI
import WebRenderer

/// The cost of views in a browser. In the main package, because it measures `package` API.
@MainActor
public enum WebUIBenchmarks {
    /// A message whose text grows, like the answer of a model.
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

    /// The cost of one more token.
    public struct Token {
        /// The time from the change of the model to the bytes of the frame.
        public var duration: Duration
        /// The average size of the token's frame, in bytes.
        public var bytes: Double
    }

    /// Appends `count` tokens to the last of `rows` messages, each in a frame of its own.
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

    /// Returns the average time of writing the whole tree with `rows` messages.
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
        /// Memory of one session.
        public var each = 0
        /// Growth of one session by 300 typed letters.
        public var typed = 0
        /// Growth of the process in the last round: memory that is not freed, since earlier rounds establish the size of the heap.
        public var growth = 0
    }

    /// Opens and closes `count` sessions with 40 messages each, in several rounds. The last round but one types into each session.
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

    /// Types `count` letters into the field of a chat.
    private static func type(_ count: Int, in host: ViewHost) async {
        func field(_ element: Element) -> Element? {
            element.kind == .field ? element : element.pageChildren.lazy.compactMap(field).first
        }
        guard let field = field(host.root) else { return }
        for length in 1...count {
            host.send(.input, to: field.id, .text(String(repeating: "x", count: length)))
            // Lets the host flush between two keystrokes.
            await Task.yield()
        }
    }

    /// Returns freed memory to the system. The C library has this function; its Swift module does not.
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
