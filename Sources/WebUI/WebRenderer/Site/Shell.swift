import Foundation
import HTTPTypes
import Hummingbird
import ServerKit

/// The files of a page: scripts, styles, symbols, fonts. Their paths contain a version, so that browsers cache them permanently and never mix
/// the files of two releases.
struct Shell: Sendable {
    /// A hash of all files.
    let version: String
    private let files: StaticFiles
    /// The fonts by app; those of the home screen under `home`.
    private let fonts: [String: StaticFiles]
    private let worker: StaticFiles.File
    private let offline: Response

    /// - Throws: An error if a resource or a font cannot be read.
    init(apps: [WebApp], files: StaticFiles) throws {
        self.files = files
        fonts = Dictionary(uniqueKeysWithValues: try apps.map { ($0.folderName, try StaticFiles(fonts: $0.fonts)) })
        version = StaticFiles.version(of: [files] + fonts.sorted { $0.key < $1.key }.map(\.value))
        let facts = WorkerFacts(version: version, pages: Dictionary(uniqueKeysWithValues: apps.map { ($0.folder, $0.title) }))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let line = "const box = \(String(decoding: try encoder.encode(facts), as: UTF8.self));\n"
        worker = StaticFiles.File(Data((line + files.text("service-worker.js")).utf8), type: "text/javascript; charset=utf-8")
        offline = PageTemplate(files.text("offline.html")).response(["static": Self.folder(version)])
    }

    /// The constants of the service worker. A new version replaces the worker in browsers.
    private struct WorkerFacts: Encodable {
        var version: String
        /// The titles of the apps, by the paths of their pages.
        var pages: [String: String]
    }

    private static func folder(_ version: String) -> String { "/apps/static/\(version)" }
    /// The path of the files of this version.
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

    /// - Throws: 404 for files of another version.
    private func checkVersion(_ context: ServerContext) throws {
        guard try context.parameters.require("version") == version else { throw Self.notFound }
    }

    private func response(_ file: StaticFiles.File?, for request: Request) throws -> Response {
        // Templates are not served.
        guard let file, !file.type.hasPrefix("text/html") else { throw Self.notFound }
        return file.response(for: request, isVersioned: true)
    }

    private static let notFound = HTTPError(.notFound, message: PageWords.noFile)
}
