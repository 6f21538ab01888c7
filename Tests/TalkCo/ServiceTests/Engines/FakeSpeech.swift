import Foundation
import TestKit

@testable import TalkCoService

/// An installation of the speech engines with real Python, and with modules that stand in for Whisper and Piper.
enum FakeSpeech {
    static let python = ChildProgram.find("python3", in: ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin") ?? ""

    /// True where Python can run the programs and make an environment.
    static let isSupported: Bool = {
        #if os(Linux)
            let check = Process()
            check.executableURL = URL(filePath: python.isEmpty ? "/bin/false" : python)
            check.arguments = ["-c", "import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))"]
            (check.standardError, check.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
            guard (try? check.run()) != nil else { return false }
            check.waitUntilExit()
            return check.terminationStatus == 0
        #else
            return false
        #endif
    }()
    static let requirement = "there is no Python 3.11 to 3.14 with the module venv"

    /// Hears `I heard you.`, and `overlap` when two recordings are heard at once. The prompt `die` ends the program.
    static let whisper = """
        import collections, os, time
        Segment = collections.namedtuple("Segment", "start end text avg_logprob no_speech_prob")
        working = False
        class WhisperModel:
            def __init__(self, *arguments, **options):
                pass
            def transcribe(self, file, initial_prompt=None, **options):
                global working
                if initial_prompt == "die":
                    os._exit(3)
                text = " overlap" if working else " I heard you."
                working = True
                time.sleep(0.05)
                working = False
                return iter([Segment(0, 1, text, -0.1, 0.0)]), None
        """

    /// Speaks a tenth of a second for each text.
    static let piper = """
        import types
        class SynthesisConfig:
            def __init__(self, length_scale=1):
                self.length_scale = length_scale
        class PiperVoice:
            config = types.SimpleNamespace(sample_rate=22050, length_scale=1)
            @staticmethod
            def load(path):
                open(path).close()
                return PiperVoice()
            def synthesize(self, text, configuration):
                yield types.SimpleNamespace(audio_int16_bytes=b"\\0\\x10" * 2205)
        """

    /// Writes a complete installation, without packages.
    static func install(_ folder: SpeechFolder) async throws {
        _ = try await Program.tool(python, ["-I", "-m", "venv", "--without-pip", folder.file("python")])
        let libraries = try FileManager.default.contentsOfDirectory(atPath: folder.file("python/lib"))
        for (module, source) in [("faster_whisper", whisper), ("piper", piper)] {
            try write(source, folder.file("python/lib/\(libraries.first ?? "")/site-packages/\(module).py"))
        }
        let files = ["models/whisper/base/model.bin", "models/voice/joe/joe.onnx"]
        for file in files { try write("x", folder.file(file)) }
        let list = files.map { "\"\($0)\": {\"size\": 1, \"sha256\": null}" }.joined(separator: ", ")
        try write(
            """
            {"version": 1, "whisper": {"name": "base", "path": "models/whisper/base"},
             "voice": {"name": "joe", "path": "models/voice/joe/joe.onnx"}, "files": {\(list)}}
            """, folder.file("installed.json"))
    }

    static func write(_ text: String, _ path: String) throws {
        let file = URL(filePath: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
}
