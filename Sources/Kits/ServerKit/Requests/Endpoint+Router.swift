import HTTPTypes
public import Hummingbird
public import HummingbirdCore
public import WireKit

extension RouterMethods where Context == ServerContext {
    /// Adds the route of an endpoint that both sides share.
    public func on<Body, Reply>(
        _ endpoint: Endpoint<Body, Reply>, answer: @escaping @Sendable (Request, ServerContext) async throws -> Response
    ) {
        on(RouterPath(endpoint.path), method: HTTPRequest.Method(rawValue: endpoint.method.rawValue)!) { request, context in
            try await answer(request, context)
        }
    }
}
