package import Foundation
import HTTPTypes
import Hummingbird
package import Logging
package import ServerKit

/// The routes of the apps in browsers: pages, sockets, files. Mounted at the root of a box.
///
/// ```
///  GET /                the home screen        GET /socket, /manifest.webmanifest, /icon.svg, …
///  GET /apps/<name>/    an app                 GET /apps/<name>/socket, …
///  GET /apps/static/<version>/…                scripts, styles, fonts
///  GET /service-worker.js                      shows a notice while the box cannot be reached
///  GET, POST /access                           the access code, from a form or a scanned link
/// ```
package struct WebSite: Sendable {
    private let apps: [WebApp]
    private let sessions: Sessions
    private let shell: Shell
    private let page: PageTemplate
    private let entrance: Entrance

    /// - Parameters:
    ///   - apps: The apps of the box, optionally with the home screen.
    ///   - folder: The folder for the data of phones.
    ///   - keyFile: The file of the key that seals the secrets of phones, which must exist; nil for `folder` with the extension
    ///     `secret`, generated if missing.
    ///   - accessCode: The code that browsers from other machines need to become a phone; nil for none.
    ///   - asksEverybody: True if browsers on this machine need the code as well.
    /// - Throws: ``StartupError`` when a resource is missing, or the key does not open the secrets in `folder`.
    package static func build(
        apps: [WebApp], folder: URL, keyFile: URL? = nil, accessCode: AccessCode? = nil, asksEverybody: Bool = true, logger: Logger
    ) throws(StartupError) -> ServiceParts {
        let key = try PhoneKey.stored(in: keyFile, for: folder, logger: logger)
        return try build(
            apps: apps, sessions: Sessions(folder: folder, key: key, logger: logger), accessCode: accessCode,
            asksEverybody: asksEverybody)
    }

    static func build(
        apps: [WebApp], sessions: Sessions, accessCode: AccessCode? = nil, asksEverybody: Bool = true
    ) throws(StartupError) -> ServiceParts {
        do {
            let files = try StaticFiles()
            let shell = try Shell(apps: apps, files: files)
            let site = WebSite(
                apps: apps, sessions: sessions, shell: shell, page: PageTemplate(files.text("page.html")),
                entrance: Entrance(
                    code: accessCode, asksEverybody: asksEverybody, sessions: sessions,
                    page: PageTemplate(files.text("access.html")), files: shell.folder))
            return ServiceParts(
                name: "apps", responder: try site.router().buildResponder(), background: [SessionSweeper(sessions: sessions)],
                close: { await sessions.closeAll() })
        } catch {
            throw StartupError("A file that belongs to the program cannot be read: \(error.localizedDescription)")
        }
    }

    private func router() throws -> Router<ServerContext> {
        let router = Router(context: ServerContext.self)
        router.add(middleware: PageErrors())
        shell.add(to: router)
        router.get("/access") { request, _ in await entrance.form(request) }
        router.post("/access", use: entrance.answer)
        for app in apps { try add(app, to: router) }
        return router
    }

    private func add(_ app: WebApp, to router: Router<ServerContext>) throws {
        let path = String(app.folder.dropLast())
        let home = apps.contains { $0.name.isEmpty } && !app.name.isEmpty ? "/" : ""
        let values = [
            "title": app.title, "static": shell.folder, "fonts": "\(shell.folder)/\(app.folderName)", "version": shell.version,
            "socket": "\(path)/socket", "home": home, "path": path,
        ].merging(app.launch.values) { $1 }
        let pages = Dictionary(
            uniqueKeysWithValues: PageWords.all.map { words in
                let own = [
                    "lang": words.language, "homeword": words(PageWords.home), "needsscripts": words(PageWords.needsScripts),
                ]
                return (words.language, page.response(values.merging(own) { $1 }))
            })
        let icon = try AppIcon(app: app.folderName)
        for name in AppIcon.fileNames { router.get("\(path)/\(name)") { request, _ in icon.file(name).response(for: request) } }
        let manifest = try AppManifest(title: app.title, folder: app.folder, launch: app.launch).file()
        router.get("\(path)/manifest.webmanifest") { request, _ in manifest.response(for: request) }
        router.get("\(path)/") { request, _ in
            // Relative links need the trailing slash.
            if !app.name.isEmpty, request.uri.path.last != "/" {
                return Response(status: .permanentRedirect, headers: [.location: path + "/"])
            }
            guard let page = pages[PageWords.of(request).language] else { throw HTTPError(.notFound) }
            return await entrance.enter(request, page)
        }
        router.webSocket("\(path)/socket") { request, context in
            let origin = request.headers[.origin]
            guard let origin, OriginCheck.allows(request) else {
                throw HTTPError(.forbidden, message: "This socket is for pages of this box")
            }
            guard let secret = await entrance.phone(request) else {
                throw HTTPError(.unauthorized, message: "This browser is not a phone of this box yet: open the page first")
            }
            let version = request.uri.queryParameters["version"]
            let network = entrance.asks(request) ? nil : context.remoteNetwork
            return WebSocketUpgrade(maximumMessageSize: 262_144, heartbeat: sessions.limits.heartbeat) { socket in
                // Every page sends its version; other clients of the protocol may omit it.
                if let version, version != shell.version { return try await PageConnection.sendGone(socket, .outdated) }
                try await PageConnection.serve(
                    socket, app: app, phone: secret, network: network, origin: origin, from: context.remoteNetwork, in: sessions)
            }
        }
    }
}

/// A middleware that responds to errors with a line of text.
private struct PageErrors: RouterMiddleware {
    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError {
            var headers = error.headers
            headers[.contentType] = "text/plain; charset=utf-8"
            let message = PageWords.of(request)(
                error.body ?? (error.status == .notFound ? PageWords.noPage : error.status.reasonPhrase))
            return Response(status: error.status, headers: headers, body: ResponseBody(byteBuffer: .init(string: message + "\n")))
        }
    }
}
