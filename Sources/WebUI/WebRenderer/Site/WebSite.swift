public import Foundation
import HTTPTypes
import Hummingbird
public import Logging
public import ServerKit

/// Apps in browsers: their pages, their sockets, their files. To be mounted at the root of a box.
///
/// ```
///  GET /                    the home screen        GET /socket
///  GET /apps/<name>/        an app                 GET /apps/<name>/socket
///  GET /apps/static/<file>  scripts and styles     GET /apps/<name>/fonts/<file>
/// ```
public struct WebSite: Sendable {
    private let apps: [WebApp]
    private let sessions: Sessions
    private let files: StaticFiles
    private let logger: Logger

    /// - Parameters:
    ///   - apps: Those the box offers; one without a name is the home screen.
    ///   - folder: Where phones keep what they keep.
    /// - Throws: ``StartupError`` when a file that comes with the program is missing.
    public static func build(apps: [WebApp], folder: URL, logger: Logger) throws(StartupError) -> ServiceParts {
        try build(apps: apps, sessions: Sessions(folder: folder, logger: logger), logger: logger)
    }

    static func build(apps: [WebApp], sessions: Sessions, logger: Logger) throws(StartupError) -> ServiceParts {
        do {
            let site = WebSite(apps: apps, sessions: sessions, files: try StaticFiles(), logger: logger)
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
        router.get("/apps/static/:file") { request, context in
            try files.response(context.parameters.require("file"), for: request)
        }
        for app in apps { try add(app, to: router) }
        return router
    }

    private func add(_ app: WebApp, to router: Router<ServerContext>) throws {
        let path = app.name.isEmpty ? "" : "/apps/\(app.name)"
        let sessions = sessions
        let template = PageTemplate(template: files.text("page.html"))
        let home = apps.contains { $0.name.isEmpty } && !app.name.isEmpty ? "/" : ""
        router.get("\(path)/") { request, _ in
            // Links inside an app are relative to its folder.
            if !app.name.isEmpty, request.uri.path.last != "/" {
                return Response(status: .permanentRedirect, headers: [.location: path + "/"])
            }
            let page = template.page(title: app.title, base: "/apps", socket: "\(path)/socket", home: home, language: "en")
            var response = Response(
                status: .ok,
                headers: [
                    .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
                    .contentSecurityPolicy: PageTemplate.contentSecurityPolicy, .referrerPolicy: "no-referrer",
                ], body: ResponseBody(byteBuffer: .init(string: page)))
            let cookie = PhoneCookie(request)
            if let secret = cookie.secret, await !sessions.isForgotten(secret) { return response }
            response.headers[.setCookie] = cookie.set(Secret.make())
            return response
        }
        router.webSocket("\(path)/socket") { request, _ in
            let host = request.head.authority
            guard request.headers[.origin] != nil, OriginCheck.allows(origin: request.headers[.origin], host: host) else {
                throw HTTPError(.forbidden, message: "This socket is for pages of this box")
            }
            guard let secret = PhoneCookie(request).secret, await !sessions.isForgotten(secret) else {
                throw HTTPError(.unauthorized, message: "This browser is not a phone of this box yet: open the page first")
            }
            return WebSocketUpgrade(maximumMessageSize: 262_144) { socket in
                try await PageConnection.serve(socket, app: app, phone: secret, in: sessions)
            }
        }
    }
}

/// The cookie that makes a browser a phone. Cookies do not tell ports apart, so the name has it.
struct PhoneCookie {
    private let name: String
    private let isSecure: Bool
    let secret: String?

    init(_ request: Request) {
        let port = request.head.authority.flatMap { $0.split(separator: ":").last }.flatMap { Int($0) } ?? 0
        let name = "switchboard-phone-\(port)"
        self.name = name
        isSecure = request.head.scheme == "https"
        secret = request.headers[values: .cookie].lazy
            .flatMap { $0.split(separator: ";") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .first { $0.hasPrefix(name + "=") }
            .map { String($0.dropFirst(name.count + 1)) }
            .flatMap { Secret.isWellFormed($0) ? $0 : nil }
    }

    /// Lax: a link from elsewhere opens the same phone. The socket checks where its page comes from.
    func set(_ secret: String) -> String {
        "\(name)=\(secret); Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")"
    }
}

/// Errors of pages and files as a line of text.
private struct PageErrors: RouterMiddleware {
    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError {
            var headers = error.headers
            headers[.contentType] = "text/plain; charset=utf-8"
            let message = error.body ?? (error.status == .notFound ? "There is no such page" : error.status.reasonPhrase)
            return Response(status: error.status, headers: headers, body: ResponseBody(byteBuffer: .init(string: message + "\n")))
        }
    }
}

extension HTTPField.Name {
    fileprivate static let contentSecurityPolicy = Self("Content-Security-Policy")!
    fileprivate static let referrerPolicy = Self("Referrer-Policy")!
}
