package import Foundation
import WireKit

/// The folder of the installed speech engines: Whisper and Piper with a Python of their own. `Speech/install.py` describes its files.
package struct SpeechFolder: Sendable {
    /// The folder's name in the data folder of a box.
    package static let name = "talkco-engines"

    /// An installation that is complete.
    package struct Installed: Hashable, Sendable {
        /// The name of Whisper's model, such as `base`.
        package var whisper: String
        /// The name of Piper's voice, such as `en_US-joe-medium`.
        package var voice: String
        /// The paths of Whisper's model and of the voice, relative to the folder.
        var whisperPath: String
        var voicePath: String
        /// The size of the models, in bytes.
        package var size: Int
    }

    private struct Description: Decodable {
        struct Model: Decodable {
            var name: String
            var path: String
        }
        struct File: Decodable { var size: Int }
        var version: Int
        var whisper: Model
        var voice: Model
        var files: [String: File]
    }

    package let path: URL

    /// - Parameter dataFolder: The data folder of a box.
    package init(in dataFolder: URL) { path = dataFolder.appending(path: Self.name) }

    func file(_ name: String) -> String { path.appending(path: name).path }
    var python: String { file("python/bin/python3") }

    /// The complete installation; nil for none, and if files are missing or truncated.
    package var installed: Installed? {
        guard let data = try? Data(contentsOf: path.appending(path: "installed.json")),
            let description = try? WireJSON.decode(Description.self, from: data), description.version == 1,
            FileManager.default.isExecutableFile(atPath: python),
            description.files.allSatisfy({ name, expected in size(of: name) == expected.size })
        else { return nil }
        return Installed(
            whisper: description.whisper.name, voice: description.voice.name, whisperPath: description.whisper.path,
            voicePath: description.voice.path, size: description.files.values.reduce(0) { $0 + $1.size })
    }

    private func size(of name: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: file(name)))?[.size] as? Int
    }

    /// Returns the path of a program in the service's resources.
    static func program(_ name: String) -> String {
        (Bundle.module.resourceURL ?? Bundle.module.bundleURL).appending(path: "Speech/\(name)").path
    }
}
