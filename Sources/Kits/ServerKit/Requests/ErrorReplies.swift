package import Hummingbird
package import HummingbirdCore
import Logging

/// A service's middleware that gives every failure below it the form of the contract.
package protocol ErrorReplies: RouterMiddleware where Context == ServerContext {
    /// - Returns: nil for a failure that the contract does not know. It is logged, and answered by ``unexpectedFailure()``.
    func reply(to error: any Error, _ request: Request, _ context: ServerContext) throws -> Response?

    func unexpectedFailure() throws -> Response
}

extension ErrorReplies {
    package func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error where error is PeerGone || error is CancellationError {
            // The client has disconnected.
            throw error
        } catch {
            if let reply = try reply(to: error, request, context) { return reply }
            context.logger.error("Unexpected failure", metadata: ["error": "\(error)"])
            return try unexpectedFailure()
        }
    }
}
