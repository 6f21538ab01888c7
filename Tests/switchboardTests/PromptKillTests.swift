import EndlessCodeWire
import Foundation
import TestKit
import Testing
import WireKit

/// Kills of a host in mid-turn: every accepted prompt reaches the agent, and none that the agent has taken up is told again.
@Suite(.seeded) struct PromptKillTests {
    private static let kills = Effort.count(5, soak: 20)
    private static let promptsPerKill = 4

    let folders: CodingHost.Folders

    init() throws { folders = try CodingHost.Folders() }

    @Test(arguments: [true, false])
    func promptsOfAKilledHostReachTheAgent(_ namesPrompts: Bool) async throws {
        let agent = try RecordingAgent(folders, namesPrompts: namesPrompts)
        var numbers = SeededGenerator(seed: Seed.current)
        var host = try await agent.host()
        let session = try await host.client.start().id
        var texts: [String] = []
        /// The number of kills that a prompt has met before the agent had it.
        var kills: [String: Int] = [:]
        for round in 0..<Self.kills {
            let new = (0..<Self.promptsPerKill).map { "prompt \(round * Self.promptsPerKill + $0)" }
            texts += new
            let told = agent.lines("told").count
            try await accept(new, host, session)
            // At once; or in the middle of the first turns.
            let moment = Int.random(in: 0...2, using: &numbers)
            try await eventually { agent.lines("told").count >= told + moment }
            try await host.kill()
            host = try await agent.host()
            for text in try await prompts(host, session).filter({ $0.delivery != nil }).map(\.content) {
                kills[text, default: 0] += 1
            }
            // The phone's repeat is known.
            #expect(try await host.client.resume(session).state == .active)
            try await accept(new, host, session, again: true)
        }
        try await eventually { [host] in try await prompts(host, session).allSatisfy { $0.delivery != .queued } }
        // Two kills before the agent had it: the user sends it again.
        let givenUp = try await prompts(host, session).filter { $0.delivery == .undelivered }.map(\.content)
        for text in givenUp { kills[text, default: 0] += 1 }
        try await accept(givenUp, host, session, again: true)
        try await eventually { [host] in try await prompts(host, session).allSatisfy { $0.delivery == nil } }
        #expect(Set(try await prompts(host, session).map(\.content)) == Set(texts))
        let told = agent.lines("told").reduce(into: [:]) { $0[$1, default: 0] += 1 }
        for text in texts {
            #expect((1...1 + (kills[text] ?? 0)).contains(told[text] ?? 0), "\(text)")
        }
        // An agent that keeps the ids of its prompts answers each once.
        let played = agent.lines("played").map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "" }
        if namesPrompts { #expect(played.sorted() == texts.sorted()) }
        #expect(try await host.terminate().status == 0)
    }

    /// Sends prompts, and waits until each is stored.
    private func accept(_ texts: [String], _ host: CodingHost, _ session: Session.ID, again: Bool = false) async throws {
        let phone = try await host.client.phone()
        for text in texts {
            try await phone.send(
                .userMessage(
                    UserMessage(
                        sessionId: session, content: text, timestamp: .now, messageId: UserMessage.ID(Self.id(of: text)))))
        }
        // This frame is answered after they are stored, and maybe before the phone gets them as events.
        try await phone.send(
            .promptResponse(PromptAnswer(sessionId: session, promptId: PromptRequest.ID("none"), selectedOptions: ["x"])))
        var stored: Set<String> = []
        var isAnswered = false
        while !isAnswered || !again && stored != Set(texts) {
            switch try await phone.next() {
            case .output(let output):
                if case .chat(let chat) = output.message.content, chat.role == .user { stored.insert(chat.content) }
            case .error(let error):
                #expect(error.code == .promptClosed)
                isAnswered = true
            default: break
            }
        }
    }

    /// The same UUID for the same text.
    private static func id(of text: String) -> String {
        let number = text.split(separator: " ").last ?? ""
        return "6f1c1d0a-0000-4000-8000-" + String(repeating: "0", count: 12 - number.count) + number
    }

    private func prompts(_ host: CodingHost, _ session: Session.ID) async throws -> [Chat] {
        let page: HistoryPage = try await host.client.call(.get, "/api/v1/sessions/\(session)/history")
        return page.messages.compactMap { logged in
            if case .chat(let chat) = logged.message.content, chat.role == .user { chat } else { nil }
        }
    }
}

/// An agent that writes down which prompts it is told, and answers each in a turn.
private struct RecordingAgent {
    private static let script = #"""
        #!/bin/bash
        notes=$AGENT_NOTES
        member() { [[ $line =~ \"$1\":\"([^\"]*)\" ]]; printf '%s' "${BASH_REMATCH[1]}"; }
        while IFS= read -r line; do
            case $line in
            *'"subtype":"initialize"'*)
                printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":{}}}\n' "$(member request_id)" ;;
            *'"type":"user"'*)
                id=$(member uuid) text=$(member content)
                echo "$text" >>"$notes/told"
                if grep -q "^$id " "$notes/played" 2>/dev/null; then
                    is_known=1
                else
                    is_known= ; echo "$id $text" >>"$notes/played"
                fi
                repeat='{"type":"user","isReplay":true,"uuid":"'$id'","message":{"role":"user","content":"'$text'"}}'
                if [ -n "$AGENT_NAMES_PROMPTS" ]; then
                    [ -n "$is_known" ] && { echo "$repeat"; continue; }
                    echo '{"type":"command_lifecycle","command_uuid":"'$id'","state":"queued"}'
                    echo "$repeat"
                fi
                echo '{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"Answer to '$text'"}]}}'
                sleep 0.1
                echo '{"type":"result","subtype":"success","is_error":false,"duration_ms":1,"result":"ok"}' ;;
            esac
        done
        """#

    private let folders: CodingHost.Folders
    private let program: String
    private let environment: [String: String]

    init(_ folders: CodingHost.Folders, namesPrompts: Bool) throws {
        self.folders = folders
        program = try folders.program("recording", Self.script)
        let notes = folders.all.file("notes")
        try FileManager.default.createDirectory(atPath: notes, withIntermediateDirectories: true)
        environment = ["AGENT_NOTES": notes, "AGENT_NAMES_PROMPTS": namesPrompts ? "1" : ""]
    }

    func host() async throws -> CodingHost {
        try await CodingHost(folders, ["--program", program], environment: environment)
    }

    /// The lines of one of its notes: `told`, `played`.
    func lines(_ note: String) -> [String] {
        let text = try? String(contentsOfFile: folders.all.file("notes/\(note)"), encoding: .utf8)
        return (text ?? "").split(separator: "\n").map(String.init)
    }
}
