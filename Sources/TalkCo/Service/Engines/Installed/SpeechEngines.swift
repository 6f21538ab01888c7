import Foundation
import HTTPTypes
package import Logging
import NIOTransport
import NetworkingKit
import ServiceLifecycle
import WireKit

/// The installed Whisper and Piper, as a child process of the box: `Speech/speech.py` on a Unix socket.
///
/// ```
///   absent ──▶ starting ──▶ running ──▶ (exit, hang, removal) ──▶ backoff ──▶ starting
/// ```
package final class SpeechEngines: Service, Sendable {
    package enum State: Hashable, Sendable {
        case absent
        case starting(SpeechFolder.Installed)
        case running(SpeechFolder.Installed)
    }

    /// The intervals and timeouts, which are shorter in tests.
    struct Pace: Sendable {
        /// The interval of checks of the folder.
        var look = Duration.seconds(2)
        /// The interval of checks that the program answers.
        var check = Duration.seconds(5)
        /// Timeout of such a check, after which the program counts as hung. Long, because the program may be busy with its work.
        var silence = Duration.seconds(15)
        var firstBackoff = Duration.seconds(1)
        var lastBackoff = Duration.seconds(60)
    }

    /// Maximum length of a socket's path, in bytes: `sun_path` of macOS has 104, with the terminating zero.
    private static let maximumSocketLength = 103

    package let folder: SpeechFolder
    /// The path of the socket, constant for this process.
    package let socket: String
    private let pace: Pace
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let http: AsyncHTTP
    private let current = Locked(State.absent)

    package convenience init(_ folder: SpeechFolder, logger: Logger) {
        self.init(folder, pace: Pace(), logger: logger)
    }

    init(_ folder: SpeechFolder, pace: Pace, clock: any Clock<Duration> = ContinuousClock(), logger: Logger) {
        (self.folder, self.pace, self.clock, self.logger) = (folder, pace, clock, logger)
        let own = folder.file("speech.socket")
        socket =
            own.utf8.count <= Self.maximumSocketLength
            ? own : FileManager.default.temporaryDirectory.appending(path: "talkco-\(UUID().uuidString)").path
        http = AsyncHTTP(socket: socket, idleTimeout: pace.silence)
    }

    package var state: State { current.withLock { $0 } }

    package var isRunning: Bool {
        if case .running = state { true } else { false }
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var backoff = self.pace.firstBackoff
            while !Task.isCancelled {
                guard let installed = self.folder.installed else {
                    self.set(.absent)
                    backoff = self.pace.firstBackoff
                    try? await self.clock.sleep(for: self.pace.look)
                    continue
                }
                self.set(.starting(installed))
                let wasUseful = await self.runProgram(installed)
                // The models may just have been replaced.
                if self.folder.installed != installed || Task.isCancelled { continue }
                self.set(.starting(installed))
                backoff = wasUseful ? self.pace.firstBackoff : min(backoff * 2, self.pace.lastBackoff)
                try? await self.clock.sleep(for: backoff)
            }
        }
        set(.absent)
        unlink(socket)
    }

    /// Sets the state to `starting` if the engines were just installed; the next check of the folder starts the program.
    func lookNow() async {
        if let installed = folder.installed { current.withLock { if $0 == .absent { $0 = .starting(installed) } } }
    }

    private func set(_ state: State) { current.withLock { $0 = state } }

    // MARK: Program

    /// Runs the program until it exits, hangs or is replaced; returns true if the program has answered a check.
    private func runProgram(_ installed: SpeechFolder.Installed) async -> Bool {
        let program = LeashedProgram(
            path: folder.python,
            arguments: [
                "-I", SpeechFolder.program("speech.py"), "--whisper", folder.file(installed.whisperPath), "--voice",
                folder.file(installed.voicePath), "--socket", socket,
            ], environment: ["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/dev/null"])
        let wasUseful = Locked(false)
        let (ready, isReady) = AsyncStream.makeStream(of: Void.self)
        await withTaskGroup { group in
            group.addTask {
                do {
                    let ending = try await program.run { line in
                        if line == "Ready" { isReady.yield() }
                    }
                    self.logger.warning(
                        "The speech engines ended, and are started again", metadata: ["talkco.reason": "\(ending.reason)"])
                } catch is CancellationError {
                } catch {
                    self.logger.warning("The speech engines cannot be started", metadata: ["talkco.reason": "\(error)"])
                }
            }
            group.addTask {
                await ready.first { true }
                guard !Task.isCancelled else { return }
                self.set(.running(installed))
                self.logger.info(
                    "The speech engines run",
                    metadata: ["talkco.whisper": "\(installed.whisper)", "talkco.voice": "\(installed.voice)"])
                await self.watch(installed) { wasUseful.withLock { $0 = true } }
            }
            // When one task ends, the other is cancelled, and the program is killed.
            await group.next()
            self.set(.starting(installed))
            group.cancelAll()
        }
        return wasUseful.withLock { $0 }
    }

    /// Returns when the program does not answer any more, or its models were removed or replaced.
    private func watch(_ installed: SpeechFolder.Installed, didAnswer: () -> Void) async {
        while !Task.isCancelled {
            try? await clock.sleep(for: pace.check)
            guard !Task.isCancelled else { return }
            guard folder.installed == installed else {
                logger.info("The speech engines were removed or replaced")
                return
            }
            guard await answers() else {
                if !Task.isCancelled { logger.warning("The speech engines do not answer, and are started again") }
                return
            }
            didAnswer()
        }
    }

    private func answers() async -> Bool {
        do {
            let request = try HTTPRequest(.get, "/models", below: Self.address)
            return try await withTimeout(pace.silence, clock: clock) { [http] in
                try await http.send(request).head.status.kind == .successful
            }
        } catch {
            return false
        }
    }

    /// The base of the program's paths. The connection goes to the socket, not to this host.
    static let address = URL(string: "http://localhost/v1")!
}
