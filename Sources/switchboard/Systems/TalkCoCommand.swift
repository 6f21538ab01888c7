import ArgumentParser
import Foundation
import ServerKit
import TalkCoService
import TalkCoWire
import WireKit

/// `switchboard talkco`.
struct TalkCoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: TalkCoService.name, abstract: "Give the tutor ears and a voice.", subcommands: [EnginesCommand.self])
}

/// `switchboard talkco engines`.
struct EnginesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engines", abstract: "Show, install or remove the engines that hear free speech and speak.",
        discussion: """
            Whisper hears, Piper speaks: both on this machine, without an account. Without an
            option, the command shows what is there and what an installation needs.

              switchboard talkco engines --install

            The packages come from the index that pip is configured to use, and only with the
            digests that this program knows. They go into the data folder, into a Python of
            their own. An installation that was interrupted is repeated with the same command:
            what is whole is kept. A running box uses the engines at once.

            A folder of your own has a model for faster-whisper (model.bin, config.json,
            tokenizer.json), or several in folders with their names, and may have a voice for
            Piper (a file .onnx with its .onnx.json):

              switchboard talkco engines --install --models ~/models --model small
            """)

    @Flag(help: "Install the engines, or other models.")
    var install = false

    @Flag(help: "Remove the engines and all that belongs to them.")
    var remove = false

    @Option(help: ArgumentHelp("Whisper's model. [default: base, or the only one in --models]", valueName: "name"))
    var model: String?

    @Option(help: ArgumentHelp("Take the models from this folder, without network.", valueName: "folder"))
    var models: String?

    @Option(help: ArgumentHelp("Take the Python packages from this folder, without network.", valueName: "folder"))
    var wheels: String?

    @Option(
        help: ArgumentHelp(
            "The data folder of the box. [env: SWITCHBOARD_DATA, default: \(ServeConfiguration.standardDataFolder.path)]",
            valueName: "folder"))
    var data: String?

    func validate() throws {
        for (name, value) in [("model", model), ("models", models), ("wheels", wheels), ("data", data)] {
            if value?.isEmpty == true { throw ValidationError("--\(name) has no value") }
        }
        if install, remove { throw ValidationError("--install and --remove exclude each other") }
        if !install, let option = [("model", model), ("models", models), ("wheels", wheels)].first(where: { $0.1 != nil }) {
            throw ValidationError("--\(option.0) needs --install")
        }
        if let model, model.contains("/") || model.hasPrefix(".") {
            throw ValidationError("--model is \"\(model)\"; expected a name, such as base. --models names a folder")
        }
    }

    func run() async throws {
        let folder = data ?? ProcessInfo.processInfo.environment["SWITCHBOARD_DATA"].flatMap { $0.isEmpty ? nil : $0 }
        let dataFolder = folder.map { URL(filePath: $0) } ?? ServeConfiguration.standardDataFolder
        let speech = SpeechFolder(in: dataFolder)
        let installer = SpeechInstaller(speech)
        let progress = InstallationProgress()
        do {
            if install {
                try PrivateFiles.ensureFolder(dataFolder)
                let options = SpeechInstaller.Options(
                    model: model, models: models.map { URL(filePath: $0).path }, wheels: wheels.map { URL(filePath: $0).path })
                try await installer.install(options, report: progress.show)
            } else if remove {
                try await installer.remove(report: progress.show)
            } else if let installed = speech.installed {
                progress.write(
                    "Whisper \(installed.whisper) hears, Piper \(installed.voice) speaks: \(installed.size.inBytes) of models in \(speech.path.path)"
                )
                progress.write("Remove them with: \(Self.command(dataFolder)) --remove")
            } else {
                progress.write("Not installed. The tutor hears only the sentences that it offers.")
                try await installer.plan(report: progress.show)
                progress.write("Install with: \(Self.command(dataFolder)) --install")
            }
        } catch let failure as SpeechInstaller.Failure {
            progress.end()
            throw StartupError(failure.description)
        }
    }

    /// Returns the command for a data folder.
    private static func command(_ dataFolder: URL) -> String {
        let isStandard = dataFolder.standardizedFileURL == ServeConfiguration.standardDataFolder.standardizedFileURL
        return "switchboard talkco engines\(isStandard ? "" : " --data \(dataFolder.path.quotedForShell)")"
    }

    /// Returns the row of `serve` about the tutor's present abilities.
    static func note(about info: EngineInfo, in dataFolder: URL) -> String {
        let hearing =
            switch info.hearing {
            case .anything: "hears free speech"
            case .choices: "hears only the sentences that it offers"
            case .nothing: "does not hear"
            }
        let follows = info.kind == .builtIn ? "follows a script" : "follows up with \(info.name)"
        let ears = info.hearing == .anything ? "" : "; for free speech: \(command(dataFolder)) --install"
        // The last part of a name such as "Built-in tutor, voice by Piper".
        let voice =
            info.speaks ? info.kind == .builtIn ? info.name.split(separator: ", ").last ?? "speaks" : "speaks" : "has no voice"
        return "Tutor: \(hearing), \(voice), \(follows)\(ears)"
    }
}

/// The progress of an installation on standard output: one line that changes in a terminal, else a line for each step.
private final class InstallationProgress: Sendable {
    private struct State {
        var step = 0
        /// The last shown progress of the downloads in tenths; -1 before the first.
        var tenth = -1
        var isLineOpen = false
    }

    private let state = Locked(State())
    private let isTerminal = isatty(STDOUT_FILENO) == 1

    @Sendable func show(_ event: SpeechInstaller.Event) {
        switch event {
        case .need(let download, let disk, let free, let memory):
            write(
                disk == 0
                    ? "Everything is there already."
                    : "Needs \(download.inBytes) of downloads, \(disk.inBytes) of disk (\(free.inBytes) free) and \(memory.inBytes) of memory."
            )
        case .step(let step, let count, let text, let progress): show(step, count, text, progress)
        case .done(let text):
            end()
            write(text + ".")
        }
    }

    private func show(_ step: Int, _ count: Int, _ text: String, _ progress: SpeechInstaller.Event.Progress?) {
        let tenth = progress.map(\.tenth) ?? -1
        let isNew = state.withLock { state in
            defer { (state.step, state.tenth) = (step, tenth) }
            return state.step != step || state.tenth != tenth
        }
        let size = progress.map { ": \($0.done.inBytes) of \($0.total.inBytes)" } ?? ""
        let line = "[\(step)/\(count)] \(text)\(size)"
        if isTerminal {
            state.withLock { $0.isLineOpen = true }
            write("\r\u{1B}[K\(line)", terminator: "")
        } else if isNew {
            write(line)
        }
    }

    /// Ends the line that changes.
    func end() {
        let wasOpen = state.withLock { state in
            defer { state.isLineOpen = false }
            return state.isLineOpen
        }
        if wasOpen { write("") }
    }

    // A closed standard output cannot be reported anywhere.
    func write(_ text: String, terminator: String = "\n") {
        try? FileHandle.standardOutput.write(contentsOf: Data((text + terminator).utf8))
    }
}

extension Int {
    /// A number of bytes in words, such as `378 MB`.
    fileprivate var inBytes: String {
        self >= 1_000_000_000
            ? String(format: "%.1f GB", Double(self) / 1e9) : "\(Swift.max(self > 0 ? 1 : 0, self / 1_000_000)) MB"
    }
}

extension SpeechInstaller.Event.Progress {
    /// The downloaded part in tenths, from 0 to 10.
    fileprivate var tenth: Int { total > 0 ? done * 10 / total : 10 }
}
