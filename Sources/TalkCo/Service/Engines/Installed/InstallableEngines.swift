import Foundation
package import Logging
package import TalkCoWire
import WireKit

/// The engines for free speech, which may be installed while the service runs, and are used as long as they run.
package final class InstallableEngines: Sendable {
    private struct Installing {
        var task: Task<Void, Never>?
        var text: String?
        var progress: SpeechInstaller.Event.Progress?
        var failure: String?
    }

    package let speech: SpeechEngines
    /// The engines that are used while ``speech`` runs.
    let engines: Engines
    /// True if pages in browsers on this machine may install the engines. False behind a proxy, which hides the browser's address.
    private let allowsPages: Bool
    private let installer: SpeechInstaller
    private let logger: Logger
    private let installing = Locked(Installing())

    package init(
        _ speech: SpeechEngines, used engines: Engines, allowsPages: Bool, installer: SpeechInstaller? = nil, logger: Logger
    ) {
        (self.speech, self.engines, self.allowsPages, self.logger) = (speech, engines, allowsPages, logger)
        self.installer = installer ?? SpeechInstaller(speech.folder)
    }

    /// The description of the engines that are used while ``speech`` runs.
    package var info: EngineInfo { engines.info }

    /// Returns the state for a caller.
    ///
    /// - Parameter isPageHere: True for a page in a browser on this machine.
    func installation(isPageHere: Bool) -> EngineInstallation {
        let now = installing.withLock { $0 }
        let state: EngineInstallation.State =
            switch speech.state {
            case _ where now.task != nil: .installing
            case .absent: .absent
            case .starting: .starting
            case .running: .running
            }
        var installation = EngineInstallation(state: state, isAllowed: allowsPages && isPageHere)
        guard installation.isAllowed else { return installation }
        switch state {
        case .installing:
            installation.text = now.text
            (installation.done, installation.total) = (now.progress?.done, now.progress?.total)
        case .absent:
            installation.text = now.failure
            installation.hasFailed = now.failure == nil ? nil : true
        case .starting, .running: break
        }
        return installation
    }

    /// Starts an installation, unless one is running or the engines are installed.
    ///
    /// - Throws: ``TalkError`` for a caller that is not allowed to.
    func install(isPageHere: Bool) throws {
        guard allowsPages, isPageHere else {
            throw TalkError(
                .forbidden,
                "Only a page of the app in a browser on this machine may install engines. On the machine: switchboard talkco engines --install"
            )
        }
        guard speech.state == .absent else { return }
        installing.withLock { now in
            guard now.task == nil else { return }
            now = Installing(task: Task { await self.run() }, text: "Preparing")
        }
    }

    private func run() async {
        do {
            try await installer.install { event in
                guard case .step(_, _, let text, let progress) = event else { return }
                self.installing.withLock { ($0.text, $0.progress) = (text, progress) }
            }
            await speech.lookNow()
            installing.withLock { $0 = Installing() }
        } catch {
            logger.warning("The speech engines were not installed", metadata: ["talkco.reason": "\(error)"])
            installing.withLock { $0 = Installing(failure: error is CancellationError ? nil : "\(error)") }
        }
    }

    /// Cancels a running installation. Its complete parts are kept.
    func close() async {
        let task = installing.withLock { $0.task }
        task?.cancel()
        await task?.value
    }
}

extension Engines {
    /// Returns these engines, replaced by others while a condition is true. A conversation keeps the engine that opened it.
    func replaced(by others: Engines, while condition: @escaping @Sendable () -> Bool) -> Engines {
        Engines(
            info: info, speech: ReplacedEngine(engine: speech, other: others.speech, usesOther: condition), judge: judge,
            voice: others.voice.map { ReplacedVoice(voice: voice, other: $0, usesOther: condition) } ?? voice, help: help)
    }
}

private struct ReplacedEngine: SpeechEngine {
    let engine: any SpeechEngine
    let other: any SpeechEngine
    let usesOther: @Sendable () -> Bool

    func open(_ brief: TalkBrief) async throws -> any Conversation {
        try await (usesOther() ? other : engine).open(brief)
    }
}

private struct ReplacedVoice: Voice {
    let voice: (any Voice)?
    let other: any Voice
    let usesOther: @Sendable () -> Bool

    private var current: any Voice { usesOther() ? other : voice ?? other }

    func speech(_ text: String) -> AsyncThrowingStream<Data, any Error> { current.speech(text) }
    func speech(_ text: String, pace: Pace, for network: CallerNetwork) -> AsyncThrowingStream<Data, any Error> {
        current.speech(text, pace: pace, for: network)
    }
    func speechAhead(_ text: String, pace: Pace, for network: CallerNetwork) -> AsyncThrowingStream<Data, any Error> {
        current.speechAhead(text, pace: pace, for: network)
    }
    func check() async throws { try await current.check() }
}
