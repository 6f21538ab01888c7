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

    struct Chat: View {
        let messages: [Message]
        @State private var draft = ""
        var body: some View {
            NavigationStack {
                VStack {
                    ScrollView {
                        LazyVStack(alignment: .leading) {
                            ForEach(messages) { message in
                                Bubble(message: message)
                            }
                        }
                    }
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

    /// Opens `count` sessions with 40 messages each and closes them, several times.
    /// - Returns: Bytes that one session takes, and by how much the process grew in the last round, which is what is not freed: the first ones
    ///   find the size of the heap.
    public static func sessions(_ count: Int, rounds: Int) -> (each: Int, growth: Int) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "switchboard-bench-phones")
        let app = WebApp(name: "chat", title: "Chat") { _ in Chat(messages: (0..<40).map { Message($0) }) }
        var each = 0
        var after: [Int] = []
        for _ in 0..<rounds {
            let before = residentBytes
            var phones: [BrowserPhone] = []
            var sessions: [PageSession] = []
            for number in 0..<count {
                let phone = BrowserPhone(
                    identity: "\(number)", folder: folder.appending(path: "\(number)"), logger: Logger(label: "bench"))
                phones.append(phone)
                sessions.append(PageSession(app: app, phone: phone, hello: Hello(document: "\(number)")))
            }
            each = max(each, (residentBytes - before) / count)
            for session in sessions { session.close(nil) }
            sessions = []
            phones = []
            after.append(residentBytes)
        }
        return (each, after[rounds - 1] - after[rounds - 2])
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
