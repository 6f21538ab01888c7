import HTTPTypes
package import Hummingbird
package import HummingbirdCore
package import WireKit

extension RouterMethods where Context == ServerContext {
    /// Adds a route for an endpoint that client and service share.
    package func on<Body, Reply>(
        _ endpoint: Endpoint<Body, Reply>, handler: @escaping @Sendable (Request, ServerContext) async throws -> Response
    ) {
        on(RouterPath(endpoint.path), method: HTTPRequest.Method(rawValue: endpoint.method.rawValue)!, use: handler)
    }
}
