import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The files of the page, read once. Browsers ask each time whether they changed.
struct StaticFiles: Sendable {
    struct File: Sendable {
        var type: String
        var bytes: ByteBuffer
        var tag: String
    }
    private let files: [String: File]

    /// - Throws: When the files that come with the program are not there.
    init() throws {
        guard let folder = Bundle.module.url(forResource: "Resources", withExtension: nil) else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "Resources of WebRenderer"])
        }
        var files: [String: File] = [:]
        for url in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            guard let type = Self.types[url.pathExtension] else { continue }
            files[url.lastPathComponent] = try Self.file(url, type)
        }
        self.files = files
    }

    /// The fonts of an app, and a style sheet `fonts.css` that names each by its file's name without extension.
    init(fonts: [URL]) throws {
        var files: [String: File] = [:]
        var sheet = ""
        for url in fonts {
            guard let type = Self.types[url.pathExtension] else {
                throw CocoaError(.fileReadUnsupportedScheme, userInfo: [NSFilePathErrorKey: url.path])
            }
            let file =
                url.lastPathComponent.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", "_", "."])) ?? ""
            files[url.lastPathComponent] = try Self.file(url, type)
            sheet +=
                "@font-face{font-family:\(CSS.quoted(url.deletingPathExtension().lastPathComponent));src:url(\"fonts/\(file)\")}\n"
        }
        files["fonts.css"] = Self.file(Data(sheet.utf8), "text/css; charset=utf-8")
        self.files = files
    }

    private static let types = [
        "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml",
        "html": "text/html; charset=utf-8",
        "ttf": "font/ttf", "otf": "font/otf", "woff2": "font/woff2",
    ]

    private static func file(_ url: URL, _ type: String) throws -> File { file(try Data(contentsOf: url), type) }

    private static func file(_ data: Data, _ type: String) -> File {
        let tag = SHA256.hash(data: data).prefix(12).map { String($0, radix: 16) }.joined()
        return File(type: type, bytes: ByteBuffer(bytes: data), tag: "\"\(tag)\"")
    }

    subscript(name: String) -> File? { files[name] }

    func text(_ name: String) -> String { files[name].map { String(buffer: $0.bytes) } ?? "" }

    /// - Throws: 404.
    func response(_ name: String, for request: Request) throws -> Response {
        // Templates are not pages.
        guard let file = files[name.removingPercentEncoding ?? name], !file.type.hasPrefix("text/html") else {
            throw HTTPError(.notFound, message: "There is no such file")
        }
        let headers: HTTPFields = [.contentType: file.type, .eTag: file.tag, .cacheControl: "no-cache"]
        if request.headers[.ifNoneMatch]?.contains(file.tag) == true { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: file.bytes))
    }
}
