import EndlessCodeWire
import Foundation
import TestKit
import Testing
import WireKit

/// The ends of `switchboard endlesscode host`: SIGTERM, and SIGKILL with a new start.
@Suite struct EndlessCodeKillTests {
    let folders: CodingHost.Folders

    init() throws { folders = try CodingHost.Folders() }

    /// A host with an agent that asks for a permission, and ignores the end of its input and every polite signal.
    private func waiting() async throws -> (CodingHost, Session.ID, PromptRequest, [String]) {
        let (options, environment) = try StubAgent.prepare(folders, isStubborn: true)
        let host = try await CodingHost(folders, options, environment: environment)
        let phone = try await host.client.phone()
        let session = try await host.client.start()
        try await phone.prompt("build", to: session.id)
        let request = try await phone.promptRequest()
        return (host, session.id, request, try await StubAgent.note("pids", folders, lines: 3))
    }

    /// The frames that a phone with `seq` has missed.
    private func missed(_ host: CodingHost, _ id: Session.ID, after seq: Int64) async throws -> [ServerFrame] {
        let end = try await host.client.session(id).lastSeq
        let phone = try await host.client.phone(after: [id: seq])
        var frames: [ServerFrame] = []
        while (frames.last?.position?.seq ?? seq) < end { frames.append(try await phone.next()) }
        return frames
    }

    @Test func sigtermEndsAgentsAndHostWithinTenSeconds() async throws {
        let (host, id, request, processes) = try await waiting()
        let start = ContinuousClock.now
        let ending = try await host.terminate()
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(ending.status == 0 && ending.output.hasSuffix("Stopped.\n"), "\(ending)")
        #expect(!StubAgent.isAlive(processes))

        let again = try await CodingHost(folders, ["--driver", "demo"])
        #expect(try await again.client.session(id).state == .paused)
        let frames = try await missed(again, id, after: request.seq)
        #expect(frames.withdrawn == [request.promptId])
        #expect(!frames.states.contains(.crashed))
        #expect(try await again.terminate().status == 0)
    }

    @Test func killedHostLeavesNoAgentAndEverySessionResumes() async throws {
        let (host, id, request, processes) = try await waiting()
        try await host.kill()
        // It would wait for the dead host forever.
        #expect(StubAgent.isAlive(processes))

        let (options, environment) = try StubAgent.prepare(folders)
        let again = try await CodingHost(folders, options, environment: environment)
        #expect(!StubAgent.isAlive(processes))
        let frames = try await missed(again, id, after: request.seq)
        #expect(frames.withdrawn == [request.promptId])
        #expect(frames.results == ["interrupted"] && frames.states.last == .paused && !frames.states.contains(.crashed))
        #expect(try await again.client.session(id).activity == .idle)
        let audit = try String(contentsOfFile: "\(folders.data)/endlesscode-audit.jsonl", encoding: .utf8)
        #expect(audit.contains(request.promptId.rawValue) && audit.contains(#""outcome":"withdrawn""#))

        #expect(try await again.client.resume(id).state == .active)
        let phone = try await again.client.phone()
        try await phone.prompt("build again", to: id)
        let second = try await phone.promptRequest()
        #expect(second.promptId != request.promptId)
        #expect(try await again.terminate().status == 0)
    }

    @Test func conversationGoesOnAfterAKill() async throws {
        let host = try await CodingHost(folders, ["--driver", "demo"])
        let phone = try await host.client.phone()
        let session = try await host.client.start()
        try await phone.prompt("list files", to: session.id)
        #expect(try await phone.finishTurn().isError == false)
        try await host.kill()
        let again = try await CodingHost(folders, ["--driver", "demo"])
        #expect(try await again.client.session(session.id).state == .paused)
        #expect(try await again.client.resume(session.id).state == .active)
        let other = try await again.client.phone(after: [session.id: again.client.session(session.id).lastSeq])
        try await other.prompt("earlier", to: session.id)
        #expect(try await other.readTurn().texts.contains { $0.contains("list files") })
        #expect(try await again.terminate().status == 0)
    }
}

extension [ServerFrame] {
    fileprivate var withdrawn: [PromptRequest.ID] {
        compactMap { if case .promptResolved(let resolved) = $0, resolved.outcome == .withdrawn { resolved.promptId } else { nil } }
    }

    fileprivate var states: [Session.State] {
        compactMap { if case .sessionState(let change) = $0 { change.state } else { nil } }
    }

    fileprivate var results: [String] {
        compactMap {
            if case .output(let output) = $0, case .result(let result) = output.message.content { result.reason } else { nil }
        }
    }
}
