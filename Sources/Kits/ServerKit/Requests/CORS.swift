package import HTTPTypes
import Hummingbird
package import HummingbirdCore

/// CORS headers for an API that is open to every origin because it authenticates by bearer token, never by cookie.
///
/// A preflight is answered with 204. Every other reply, errors included, carries `Access-Control-Allow-Origin: *`.
/// Source: Fetch standard, section 3.2 (CORS protocol).
package struct OpenCORS: RouterMiddleware {
    package typealias Context = ServerContext

    private let preflight: HTTPFields

    package init(methods: [HTTPRequest.Method], headers: [HTTPField.Name], maximumAge: Duration = .seconds(86_400)) {
        preflight = [
            .accessControlAllowOrigin: "*",
            .accessControlAllowMethods: methods.map(\.rawValue).joined(separator: ", "),
            .accessControlAllowHeaders: headers.map(\.rawName).joined(separator: ", "),
            .accessControlMaxAge: "\(maximumAge.components.seconds)",
        ]
    }

    package func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        if request.method == .options { return Response(status: .noContent, headers: preflight) }
        var response = try await next(request, context)
        response.headers[.accessControlAllowOrigin] = "*"
        return response
    }
}
