package import Hummingbird
package import ServiceLifecycle

/// A system's service, ready to be mounted below a prefix or at the root of a server.
///
/// A service is a function `build(configuration) -> ServiceParts`: it opens its store and declares its routes, but owns no port and starts
/// nothing. The responder contains everything that differs between systems: the form of its errors (404, 405 and 422 included), its CORS
/// headers and its `/health`.
package struct ServiceParts: Sendable {
    /// The path prefix and the name in metrics. Short and lower-case.
    package var name: String
    /// Answers requests with paths relative to the service's root.
    package var responder: any HTTPResponder<ServerContext>
    /// Work that runs while the server runs and ends gracefully with it.
    package var background: [any Service]
    /// A message for the operator, which the box prints once it listens; nil for none.
    package var note: String?
    /// Called after everything else has ended; closes the store.
    package var close: @Sendable () async -> Void

    package init(
        name: String, responder: any HTTPResponder<ServerContext>, background: [any Service] = [],
        close: @escaping @Sendable () async -> Void = {}
    ) {
        self.name = name
        self.responder = responder
        self.background = background
        self.close = close
    }

    /// Opens parts in order, runs `body` with them, and closes all opened parts in reverse order, whatever the result.
    package static func opening<Value>(
        _ openings: [() async throws -> ServiceParts], _ body: ([ServiceParts]) async throws -> Value
    ) async throws -> Value {
        var opened: [ServiceParts] = []
        let result: Result<Value, any Error>
        do {
            for open in openings { opened.append(try await open()) }
            result = .success(try await body(opened))
        } catch {
            result = .failure(error)
        }
        for parts in opened.reversed() { await parts.close() }
        return try result.get()
    }
}
