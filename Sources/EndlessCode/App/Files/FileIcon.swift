import EndlessCodeWire
import HighlightKit

/// The symbols of files.
nonisolated enum FileIcon {
    /// Returns the symbol of an entry, by its kind and then by its name.
    static func symbol(of entry: FileEntry) -> String { entry.kind == .directory ? "folder.fill" : symbol(named: entry.name) }

    static func symbol(named name: String) -> String {
        let end = ending(of: name)
        if pictures.contains(end) { return "photo" }
        if sounds.contains(end) { return "waveform" }
        if keys.contains(end) { return "key" }
        switch CodeLanguage(fileName: name) {
        case .markdown, nil: return "doc.text"
        case .json, .yaml, .toml, .xml: return "slider.horizontal.3"
        case .shell, .makefile, .dockerfile: return "terminal"
        case .html, .css: return "globe"
        default: return "chevron.left.forwardslash.chevron.right"
        }
    }

    /// Returns the letters after the last dot, in lower case; empty without a dot.
    private static func ending(of name: String) -> String {
        name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    }

    private static let pictures: Set<String> = ["png", "jpg", "jpeg", "gif", "webp", "heic", "ico", "bmp", "tiff", "svg", "pdf"]
    private static let sounds: Set<String> = ["mp3", "wav", "m4a", "aac", "flac", "ogg", "mp4", "mov", "webm"]
    private static let keys: Set<String> = ["pem", "crt", "cer", "key", "p8", "p12"]
}
