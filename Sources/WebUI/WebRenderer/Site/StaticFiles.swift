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

    init(fonts: [URL]) throws {
        files = try Dictionary(
            fonts.compactMap { url in try Self.types[url.pathExtension].map { (url.lastPathComponent, try Self.file(url, $0)) } },
            uniquingKeysWith: { first, _ in first })
    }

    private static let types = [
        "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml",
        "html": "text/html; charset=utf-8",
        "ttf": "font/ttf", "otf": "font/otf", "woff2": "font/woff2",
    ]

    private static func file(_ url: URL, _ type: String) throws -> File {
        let data = try Data(contentsOf: url)
        let tag = SHA256.hash(data: data).prefix(12).map { String($0, radix: 16) }.joined()
        return File(type: type, bytes: ByteBuffer(bytes: data), tag: "\"\(tag)\"")
    }

    subscript(name: String) -> File? { files[name] }

    func text(_ name: String) -> String { files[name].map { String(buffer: $0.bytes) } ?? "" }

    /// - Throws: 404.
    func response(_ name: String, for request: Request) throws -> Response {
        guard let file = files[name] else { throw HTTPError(.notFound, message: "There is no such file") }
        let headers: HTTPFields = [.contentType: file.type, .eTag: file.tag, .cacheControl: "no-cache"]
        if request.headers[.ifNoneMatch]?.contains(file.tag) == true { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: file.bytes))
    }
}
