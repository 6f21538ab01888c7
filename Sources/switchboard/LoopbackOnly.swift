import HTTPTypes
import Hummingbird
import ServerKit

/// A service that answers this machine only, because tokens would travel unencrypted.
///
/// A proxy on this machine is trusted to terminate TLS.
struct LoopbackOnly: HTTPResponder {
    typealias Context = ServerContext

    private struct Failure: Encodable {
        struct Reason: Encodable {
            var code = "TLS_REQUIRED"
            var message = "This server answers other machines over TLS only. Its operator can set --tls-cert and --tls-key."
        }
        var error = Reason()
    }

    private let service: any HTTPResponder<ServerContext>

    init(_ service: any HTTPResponder<ServerContext>) { self.service = service }

    func respond(to request: Request, context: ServerContext) async throws -> Response {
        guard context.isFromThisMachine else { return try .json(Failure(), status: .forbidden) }
        return try await service.respond(to: request, context: context)
    }
}
