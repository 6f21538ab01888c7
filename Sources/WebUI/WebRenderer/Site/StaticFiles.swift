import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Files by name, read once.
struct StaticFiles: Sendable {
    struct File: Sendable {
        var type: String
        var bytes: ByteBuffer
        var tag: String

        init(_ data: Data, type: String) {
            self.type = type
            bytes = ByteBuffer(bytes: data)
            tag = "\"\(StaticFiles.digest(data))\""
        }

        /// - Parameter isVersioned: Whether the address is of this very file for good. Otherwise browsers ask each time whether it
        ///   changed.
        func response(for request: Request, isVersioned: Bool = false) -> Response {
            let headers: HTTPFields = [
                .contentType: type, .eTag: tag,
                .cacheControl: isVersioned ? "public, max-age=31536000, immutable" : "no-cache",
            ]
            if request.headers[.ifNoneMatch]?.contains(tag) == true { return Response(status: .notModified, headers: headers) }
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: bytes))
        }
    }
    private var files: [String: File] = [:]

    /// The files of the page.
    ///
    /// - Throws: When the files that come with the program are not there.
    init() throws {
        guard let folder = Bundle.module.url(forResource: "Resources", withExtension: nil) else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "Resources of WebRenderer"])
        }
        for url in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            guard let type = Self.types[url.pathExtension] else { continue }
            files[url.lastPathComponent] = File(try Data(contentsOf: url), type: type)
        }
        files["icon.svg"] = File(Data(AppIcon.box.svg.utf8), type: "image/svg+xml")
    }

    /// The fonts of an app, and a style sheet `fonts.css` that names each by its file's name without extension.
    init(fonts: [URL]) throws {
        var sheet = ""
        for url in fonts {
            guard let type = Self.types[url.pathExtension] else {
                throw CocoaError(.fileReadUnsupportedScheme, userInfo: [NSFilePathErrorKey: url.path])
            }
            let file =
                url.lastPathComponent.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", "_", "."])) ?? ""
            files[url.lastPathComponent] = File(try Data(contentsOf: url), type: type)
            sheet += "@font-face{font-family:\(CSS.quoted(url.deletingPathExtension().lastPathComponent));src:url(\"\(file)\")}\n"
        }
        files["fonts.css"] = File(Data(sheet.utf8), type: "text/css; charset=utf-8")
    }

    private static let types = [
        "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml",
        "html": "text/html; charset=utf-8",
        "ttf": "font/ttf", "otf": "font/otf", "woff2": "font/woff2",
    ]

    private static func digest(_ data: Data) -> String {
        SHA256.hash(data: data).prefix(12).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Says the same only of the same files.
    static func version(of folders: [StaticFiles]) -> String {
        let lines = folders.map { $0.files.map { "\($0) \($1.tag)\n" }.sorted().joined() }
        return digest(Data(lines.joined(separator: "\n").utf8))
    }

    subscript(name: String) -> File? { files[name.removingPercentEncoding ?? name] }

    func text(_ name: String) -> String { files[name].map { String(buffer: $0.bytes) } ?? "" }
}
