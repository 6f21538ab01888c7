import EndlessCodeAgents
import Foundation
import WireKit

/// A coding agent that prints timestamps: the prompt `count 100 rate 50` makes 100 lines, 50 a second, and rate 0 means without a
/// pause. The agent speaks `stream-json` on standard input and output, as ``ClaudeDriver`` reads it.
public enum StampingAgent {
    /// The environment variable that makes the program of the benchmarks run as the agent.
    public static let variable = "STAMPING_AGENT"

    /// Runs until the input ends.
    public static func run() async throws {
        while let line = readLine() {
            guard let message = try? WireJSON.decode(JSONValue.self, from: Data(line.utf8)) else { continue }
            switch message["type"]?.string {
            case "control_request":
                write([
                    "type": .string("control_response"),
                    "response": .object([
                        "subtype": .string("success"), "request_id": message["request_id"] ?? .null, "response": .object([:]),
                    ]),
                ])
            case "user":
                let numbers = (message["message"]?["content"]?.string ?? "").split(separator: " ").compactMap { Int($0) }
                if numbers.count == 2 { try await say(numbers[0], rate: numbers[1]) }
            default: break
            }
        }
    }

    private static func say(_ count: Int, rate: Int) async throws {
        var next = ContinuousClock.now
        for _ in 0..<count {
            if rate > 0 {
                next += .seconds(1) / rate
                try await Task.sleep(until: next)
            }
            let block: JSONValue = .object(["type": .string("text"), "text": .string(Stamp.now.text)])
            write([
                "type": .string("assistant"), "parent_tool_use_id": .null,
                "message": .object(["id": .string(UUID().uuidString), "content": .array([block])]),
            ])
        }
        write([
            "type": .string("result"), "subtype": .string("success"), "is_error": .bool(false), "result": .string("done"),
            "duration_ms": .integer(1),
        ])
    }

    private static func write(_ message: [String: JSONValue]) {
        try? FileHandle.standardOutput.write(contentsOf: Data((JSONValue.object(message).text + "\n").utf8))
    }
}

/// A time of the monotonic clock, which all processes share, inside a text.
struct Stamp {
    private static let mark = "stamp:"

    private let nanoseconds: UInt64

    static var now: Stamp {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Stamp(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    private init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// Reads the stamp inside a text; nil if there is none.
    init?(in text: String) {
        guard let mark = text.firstRange(of: Self.mark),
            let nanoseconds = UInt64(text[mark.upperBound...].prefix(while: \.isNumber))
        else { return nil }
        self.nanoseconds = nanoseconds
    }

    var text: String { "\(Self.mark)\(nanoseconds) and some more words, as an agent says them." }
    var age: Duration { .nanoseconds(Int64(clamping: Self.now.nanoseconds &- nanoseconds)) }
}
