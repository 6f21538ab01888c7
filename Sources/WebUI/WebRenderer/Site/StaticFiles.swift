import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import WireKit

/// Files by name, loaded into memory.
struct StaticFiles: Sendable {
    struct File: Sendable {
        var type: String
        var bytes: ByteBuffer
        var tag: String

        /// - Throws: An error if the file cannot be read or has an unknown type.
        init(contentsOf url: URL) throws {
            guard let type = StaticFiles.types[url.pathExtension] else {
                throw CocoaError(.fileReadUnsupportedScheme, userInfo: [NSFilePathErrorKey: url.path])
            }
            self.init(try Data(contentsOf: url), type: type)
        }

        init(_ data: Data, type: String) {
            self.type = type
            bytes = ByteBuffer(bytes: data)
            tag = "\"\(StaticFiles.digest(data))\""
        }

        /// - Parameter isVersioned: True if the path identifies this content permanently. Otherwise browsers revalidate each time.
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

    /// Loads the files of the page.
    ///
    /// - Throws: An error if the resources of the program are missing.
    init() throws {
        for url in try FileManager.default.contentsOfDirectory(at: Self.resources(), includingPropertiesForKeys: nil)
        where Self.types[url.pathExtension] != nil {
            files[url.lastPathComponent] = try File(contentsOf: url)
        }
        // The offline page shows this icon.
        files["icon.svg"] = try AppIcon(app: "home").file("icon.svg")
    }

    /// Returns the folder of the resources.
    static func resources() throws -> URL {
        guard let folder = Bundle.module.url(forResource: "Resources", withExtension: nil) else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "Resources of WebRenderer"])
        }
        return folder
    }

    /// Loads the fonts of an app, and generates `fonts.css`, which names each font by its file name without extension.
    init(fonts: [URL]) throws {
        var sheet = ""
        for url in fonts {
            let file =
                url.lastPathComponent.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", "_", "."])) ?? ""
            files[url.lastPathComponent] = try File(contentsOf: url)
            sheet += "@font-face{font-family:\(CSS.quoted(url.deletingPathExtension().lastPathComponent));src:url(\"\(file)\")}\n"
        }
        files["fonts.css"] = File(Data(sheet.utf8), type: "text/css; charset=utf-8")
    }

    private static let types = [
        "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
        "html": "text/html; charset=utf-8",
        "ttf": "font/ttf", "otf": "font/otf", "woff2": "font/woff2",
    ]

    private static func digest(_ data: Data) -> String {
        SHA256.hash(data: data).prefix(12).hexadecimal
    }

    /// Returns a hash of the names and contents of all files.
    static func version(of folders: [StaticFiles]) -> String {
        let lines = folders.map { $0.files.map { "\($0) \($1.tag)\n" }.sorted().joined() }
        return digest(Data(lines.joined(separator: "\n").utf8))
    }

    subscript(name: String) -> File? { files[name.removingPercentEncoding ?? name] }

    func text(_ name: String) -> String { files[name].map { String(buffer: $0.bytes) } ?? "" }
}
