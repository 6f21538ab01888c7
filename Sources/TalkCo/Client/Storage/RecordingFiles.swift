import Foundation
import PlatformKit
import TalkCoWire
import WireKit

/// The recordings of turns without an answer, as files in the folder of the phone. Nothing here runs on the main actor.
struct RecordingFiles: Sendable {
    let phone: Phone

    private func folder() throws -> URL {
        let folder = try phone.folder().appending(path: "turns")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// The folder, if anything was stored on the phone.
    private var storedFolder: URL? { phone.storedFolder()?.appending(path: "turns") }

    // The identifiers are safe file names: UUIDs that this phone has generated.
    private func file(of turn: Turn.ID, in folder: URL) -> URL { folder.appending(path: "\(turn.rawValue).pcm") }

    /// - Parameter samples: In `SpeechFormat`.
    @concurrent func write(_ samples: Data, of turn: Turn.ID) async throws {
        try samples.write(to: file(of: turn, in: folder()), options: .atomic)
    }

    @concurrent func read(_ turn: Turn.ID) async throws -> Data { try Data(contentsOf: file(of: turn, in: folder())) }

    @concurrent func remove(_ turn: Turn.ID) async {
        // A file that cannot be removed now is removed at the next start.
        if let folder = storedFolder { try? FileManager.default.removeItem(at: file(of: turn, in: folder)) }
    }

    /// Removes the recordings of all other turns.
    @concurrent func removeAll(except turns: Set<Turn.ID>) async {
        guard let folder = storedFolder,
            let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        else { return }
        for file in files where !turns.contains(Turn.ID(file.deletingPathExtension().lastPathComponent)) {
            try? FileManager.default.removeItem(at: file)
        }
    }
}
