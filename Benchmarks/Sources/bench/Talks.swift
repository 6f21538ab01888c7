import Foundation
import TalkCoBenchmarks

/// TalkCo: the service as a process, phones and the servers of models in this process.
enum Talks {
    private static let learnerCount = 20
    private static let turns = 400
    private static let roundCount = 50
    private static let warmUpCount = 10
    private static let pause: Duration = .milliseconds(50)
    private static let readings = 15
    private static let recording = TalkModels.recording(seconds: 3)

    static func measure(_ table: Table, _ folder: URL) async throws {
        try await TalkModels.run(.stamped) { models in
            let realtime = try Programs.talk(
                folder.appending(path: "realtime"), ["TALK_ENGINE": "realtime", "OPENAI_BASE_URL": models.absoluteString])
            let (one, many) = try await answers(realtime)
            rows(
                table, "added to the first audio of a Realtime model", one.map(\.firstAudioAge), many.map(\.firstAudioAge), "50 ms")
        }
        try await TalkModels.run(.stamped) { models in
            let address = models.absoluteString
            let pipeline = try Programs.talk(
                folder.appending(path: "pipeline"),
                ["TALK_ENGINE": "pipeline", "TRANSCRIPTION_URL": address, "CHAT_URL": address, "SPEECH_URL": address])
            let (one, many) = try await answers(pipeline)
            rows(
                table, "recording to first audio, pipeline of instant models", one.map(\.firstAudioTime), many.map(\.firstAudioTime)
            )
        }
        try await TalkModels.run(.firehose) { models in
            let service = try Programs.talk(
                folder.appending(path: "firehose"), ["TALK_ENGINE": "realtime", "OPENAI_BASE_URL": models.absoluteString])
            let rounds = try await talks(service).map(round)
            let (rate, cpuTime) = try await Rounds.saturate(service, rounds)
            table.row("turns a second, \(learnerCount) learners, 10 s of audio each, without pauses", rate.shown)
            table.row("CPU of the service for such a turn", cpuTime.shown)
        }
        try await builtIn(table, folder)
    }

    private static func rows(_ table: Table, _ name: String, _ one: [Duration], _ many: [Duration], _ target: String = "") {
        for (percentile, fraction) in [("p50", 0.5), ("p99", 0.99)] {
            let (base, figure) = (one.percentile(fraction), many.percentile(fraction))
            table.row("\(name), one turn at a time, \(percentile)", base.shown, "1", percentile == "p99" ? target : "")
            table.row(
                "\(name), \(learnerCount) turns at once, \(percentile)", figure.shown, figure.of(base),
                percentile == "p99" ? target : "")
        }
    }

    private static func talks(_ service: ServerProcess) async throws -> [Talk] {
        let phone = TalkPhone(service.address)
        var talks: [Talk] = []
        for _ in 0..<learnerCount { talks.append(try await phone.startTalk()) }
        return talks
    }

    private static func round(_ talk: Talk) -> Round {
        {
            var talk = talk
            return try await talk.say(recording).totalTime
        }
    }

    /// Returns the answers to turns of one learner, one after the other, and to turns of all learners at once.
    private static func answers(_ service: ServerProcess) async throws -> (one: [HeardAnswer], many: [HeardAnswer]) {
        let talks = try await talks(service)
        let one = try await rounds(warmUpCount + turns, talks.prefix(1)).dropFirst(warmUpCount)
        return (Array(one), try await rounds(roundCount, talks[...]))
    }

    private static func rounds(_ count: Int, _ talks: ArraySlice<Talk>) async throws -> [HeardAnswer] {
        var answers: [HeardAnswer] = []
        for _ in 0..<count {
            answers += try await withThrowingTaskGroup(of: HeardAnswer.self) { group in
                for talk in talks {
                    group.addTask {
                        var talk = talk
                        return try await talk.say(recording)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try await Task.sleep(for: pause)
        }
        return answers
    }

    /// Measures the built-in tutor, if the programs for speech are installed: a learner reads a choice aloud, in the tutor's voice.
    private static func builtIn(_ table: Table, _ folder: URL) async throws {
        let service = try Programs.talk(folder.appending(path: "built-in"), ["TALK_ENGINE": "built-in"])
        let phone = TalkPhone(service.address)
        guard try await phone.canTalk() else { return table.row("built-in tutor", "no programs for speech") }
        var answers: [HeardAnswer] = []
        var (talk, understood, cpuTime) = (try await phone.startTalk(), 0, Duration.zero)
        for _ in 0..<readings {
            if talk.choices.isEmpty { talk = try await phone.startTalk() }
            guard let choice = talk.choices.first else { throw ServerProcess.Unexpected(output: "no choices") }
            let reading = try await phone.recording(of: choice)
            let before = service.cpuTime
            let answer = try await talk.say(reading)
            cpuTime += service.cpuTime - before
            if answer.transcript == choice {
                understood += 1
            } else {
                // The tutor would offer the same sentence again, and the service's voice says it the same way.
                talk.choices = []
            }
            answers.append(answer)
        }
        let heard = answers.map(\.transcriptTime).median
        let first = answers.map { $0.firstAudioTime - $0.transcriptTime }.median
        let whole = answers.map(\.totalTime).median
        table.row("built-in tutor, a choice read aloud: recognition, p50", heard.shown, "1")
        table.row("then its answer's first audio, p50", first.shown, first.of(heard))
        table.row("the whole turn, p50", whole.shown, whole.of(heard))
        table.row("choices recognized of \(readings)", understood.shown)
        table.row("CPU of the service for such a turn, without its programs", (cpuTime / readings).shown)
    }
}
