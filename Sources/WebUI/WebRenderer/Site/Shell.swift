import Foundation
import HTTPTypes
import Hummingbird
import ServerKit

/// What a page is made of before its app says anything: scripts, styles, symbols, fonts. Their addresses have a version in them, so a
/// browser may keep them for good and never shows those of another box or release.
struct Shell: Sendable {
    /// Of all files together.
    let version: String
    private let files: StaticFiles
    /// By app, the home screen as `home`.
    private let fonts: [String: StaticFiles]
    private let worker: StaticFiles.File
    private let offline: Response

    /// - Throws: When a file that comes with the program, or a font, cannot be read.
    init(apps: [WebApp], files: StaticFiles) throws {
        self.files = files
        fonts = Dictionary(uniqueKeysWithValues: try apps.map { ($0.folderName, try StaticFiles(fonts: $0.fonts)) })
        version = StaticFiles.version(of: [files] + fonts.sorted { $0.key < $1.key }.map(\.value))
        let facts = WorkerFacts(version: version, pages: apps.map(\.folder))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let line = "const box = \(String(decoding: try encoder.encode(facts), as: UTF8.self));\n"
        worker = StaticFiles.File(Data((line + files.text("service-worker.js")).utf8), type: "text/javascript; charset=utf-8")
        offline = PageTemplate(files.text("offline.html")).response(["static": Self.folder(version)])
    }

    /// What the service worker is told. A new version makes it a new one.
    private struct WorkerFacts: Encodable {
        var version: String
        var pages: [String]
    }

    private static func folder(_ version: String) -> String { "/apps/static/\(version)" }
    /// Where the files of this version are.
    var folder: String { Self.folder(version) }

    func add(to router: Router<ServerContext>) {
        router.get("/service-worker.js") { request, _ in worker.response(for: request) }
        router.get("/apps/static/:version/:name") { request, context in
            try checkVersion(context)
            let name = try context.parameters.require("name")
            if name == "offline.html" { return offline }
            return try response(files[name], for: request)
        }
        router.get("/apps/static/:version/:name/:file") { request, context in
            try checkVersion(context)
            return try response(fonts[context.parameters.require("name")]?[context.parameters.require("file")], for: request)
        }
    }

    /// - Throws: 404 for files of another version: what is there now is not what was asked for.
    private func checkVersion(_ context: ServerContext) throws {
        guard try context.parameters.require("version") == version else { throw Self.notFound }
    }

    private func response(_ file: StaticFiles.File?, for request: Request) throws -> Response {
        // Templates are not pages.
        guard let file, !file.type.hasPrefix("text/html") else { throw Self.notFound }
        return file.response(for: request, isVersioned: true)
    }

    private static let notFound = HTTPError(.notFound, message: PageWords.noFile)
}
