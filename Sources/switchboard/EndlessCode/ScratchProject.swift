import Foundation
import Logging
import Subprocess
import SystemTypes

/// A small project to try things in, where phones cannot break anything of the user's.
///
/// A git repository with one commit, a changed file and a new one, so that lists and diffs have something to show.
enum ScratchProject {
    /// The name of the folder, which phones show.
    private static let name = "Scratch"

    /// Creates the project below `folder` if it is missing. Changes that agents make in it stay.
    ///
    /// - Parameter folder: An existing folder.
    /// - Returns: The absolute path of the project.
    /// - Throws: Errors of the file system. Without `git`, the project is a plain folder with files.
    static func ensure(in folder: URL, logger: Logger) async throws -> String {
        let project = folder.appending(path: name)
        if FileManager.default.fileExists(atPath: project.path) { return project.path }
        // The project appears as a whole or not at all.
        let new = folder.appending(path: ".new-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: new, withIntermediateDirectories: true)
        do {
            try write(files, in: new)
            try await commit(new, logger)
            try write(changes, in: new)
            try FileManager.default.moveItem(at: new, to: project)
        } catch {
            try? FileManager.default.removeItem(at: new)
            throw error
        }
        return project.path
    }

    private static func write(_ files: [String: String], in folder: URL) throws {
        for (path, text) in files {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    /// Makes the first commit, independent of the user's own git settings.
    private static func commit(_ folder: URL, _ logger: Logger) async throws {
        let author = ["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"].map { ($0, "Switchboard") }
        let addresses = ["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"].map { ($0, "switchboard@localhost") }
        let others = [
            ("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1"), ("HOME", folder.path),
            ("PATH", ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"),
        ]
        let variables = (author + addresses + others).compactMap { name, value in
            Environment.Key(rawValue: name).map { ($0, value) }
        }
        for arguments in [
            ["init", "--quiet", "--template=", "--initial-branch=main"], ["add", "--all"],
            ["commit", "--quiet", "--message=Start"],
        ] {
            do {
                let result = try await Subprocess.run(
                    .name("git"), arguments: Arguments(arguments),
                    environment: .custom(Dictionary(variables) { $1 }), workingDirectory: FilePath(folder.path),
                    output: .discarded, error: .discarded)
                guard result.terminationStatus.isSuccess else {
                    return logger.notice("The scratch project is no git repository", metadata: ["git": "\(arguments[0]) failed"])
                }
            } catch let error as SubprocessError {
                return logger.notice("The scratch project is no git repository", metadata: ["error": "\(error)"])
            }
        }
    }

    private static let files = [
        "README.md": """
        # Scratch

        A project to try EndlessCode in. Nothing here matters: ask the agent to change it.

        - `greeting.swift` prints a greeting
        - `count.py` counts words
        - `notes/ideas.md` has ideas

        """,
        "greeting.swift": """
        /// A greeting in the language of the reader.
        func greeting(for language: String) -> String {
            switch language {
            case "ko": "안녕하세요"
            default: "Hello"
            }
        }

        print(greeting(for: "en"))

        """,
        "count.py": """
        import sys
        from collections import Counter


        def count(text: str) -> Counter[str]:
            # Words, whatever their case.
            return Counter(text.lower().split())


        if __name__ == "__main__":
            for word, number in count(sys.stdin.read()).most_common(10):
                print(f"{number:5} {word}")

        """,
        "notes/ideas.md": """
        # Ideas

        | idea | size |
        | --- | --- |
        | greet in more languages | small |
        | count sentences too | medium |

        """,
    ]

    /// Changes since the commit.
    private static let changes = [
        "greeting.swift": """
        /// A greeting in the language of the reader.
        func greeting(for language: String) -> String {
            switch language {
            case "ko": "안녕하세요"
            case "fr": "Bonjour"
            default: "Hello"
            }
        }

        print(greeting(for: "fr"))

        """,
        "notes/today.md": """
        - Greet in French

        """,
    ]
}
