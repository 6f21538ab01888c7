import Foundation
import WireKit

/// Scripts of a Realtime server with a fault or a habit.
package enum RealtimeScripts {
    /// The script of a name on the command line; nil for an unknown one.
    package static func named(_ name: String) -> RealtimeStandIn.Script? {
        switch name {
        case "late": late
        case "error", "failing": failing
        case "busy": refusing
        case "broken": breaking
        case "silent": silent
        case "stalling": stalling
        case "unreadable": unreadable
        case "firehose": firehose
        default: nil
        }
    }

    private static func transcript(_ exchange: RealtimeExchange) -> String? {
        guard case .audio = exchange.input else { return nil }
        return StandInTutor.transcripts[exchange.number % StandInTutor.transcripts.count]
    }

    /// The transcript comes after the end of the response.
    package static let late: RealtimeStandIn.Script = { exchange in
        try await exchange.created()
        try await exchange.answer(StandInTutor.answer(exchange.number), transcript: nil)
        if let text = transcript(exchange) { try await exchange.transcript(text) }
    }

    /// The response fails after its first audio; the next one works.
    package static let failing: RealtimeStandIn.Script = { exchange in
        guard exchange.number % 2 == 1 else { return try await RealtimeStandIn.talk(exchange) }
        try await exchange.created()
        try await exchange.audio(StandInTutor.voice("Well"))
        try await exchange.done("failed")
    }

    /// An error event instead of a response; the next one works.
    package static let refusing: RealtimeStandIn.Script = { exchange in
        guard exchange.number % 2 == 1 else { return try await RealtimeStandIn.talk(exchange) }
        try await exchange.error("rate_limit_exceeded", "Rate limit reached")
    }

    /// The connection ends in the middle of an answer.
    package static let breaking: RealtimeStandIn.Script = { exchange in
        guard exchange.number % 2 == 1 else { return try await RealtimeStandIn.talk(exchange) }
        try await exchange.created()
        try await exchange.audio(StandInTutor.voice("Well"))
        exchange.hangUp()
    }

    /// Nothing at all after the greeting.
    package static let silent: RealtimeStandIn.Script = { exchange in
        guard exchange.input != .nothing else { return try await RealtimeStandIn.talk(exchange) }
        await Gate().wait()
    }

    /// Silence in the middle of an answer; the greeting works.
    package static let stalling: RealtimeStandIn.Script = { exchange in
        guard exchange.input != .nothing else { return try await RealtimeStandIn.talk(exchange) }
        try await exchange.created()
        try await exchange.audio(StandInTutor.voice("Well"))
        await Gate().wait()
    }

    /// Half events, events of unknown types, and things that are no events, between those of an answer.
    package static let unreadable: RealtimeStandIn.Script = { exchange in
        try await exchange.created()
        try await exchange.raw(#"{"type":"response.output_audio.delta","delta":"AAAA"#)
        try await exchange.raw("[]")
        try await exchange.raw("")
        try await exchange.send("response.magic.delta", ["response_id": .string(exchange.responseID), "delta": .integer(3)])
        try await exchange.send(
            "response.output_audio.delta", ["response_id": .string(exchange.responseID), "delta": .string("%%%")])
        try await exchange.answer(StandInTutor.answer(exchange.number), transcript: transcript(exchange))
    }

    /// Ten seconds of audio as fast as the client reads them.
    package static let firehose: RealtimeStandIn.Script = { exchange in
        try await exchange.created()
        let second = Data(repeating: 1, count: 48_000)
        for _ in 0..<10 { try await exchange.audio(second) }
        try await exchange.text("That was fast.")
        if let text = transcript(exchange) { try await exchange.transcript(text) }
        try await exchange.done()
    }
}
