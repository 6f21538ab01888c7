public import Hummingbird
public import ServiceLifecycle

/// What a system's service is made of, ready to be mounted below a prefix or alone at the root of a server.
///
/// A service is a function `build(configuration) -> ServiceParts`: it opens its store and declares its routes, but owns no
/// port and starts nothing. The responder brings everything that differs between systems: the shape of its errors (404, 405
/// and 422 included), its CORS and its `/health`.
public struct ServiceParts: Sendable {
    /// Short and lower-case: the prefix it is mounted below, and its name in metrics.
    public var name: String
    /// Answers requests whose paths begin at the service's own root.
    public var responder: any HTTPResponder<ServerContext>
    /// What runs for as long as the server runs, and ends gracefully with it.
    public var background: [any Service]
    /// Called once everything else has ended: close the store here.
    public var close: @Sendable () async -> Void

    public init(
        name: String, responder: any HTTPResponder<ServerContext>, background: [any Service] = [],
        close: @escaping @Sendable () async -> Void = {}
    ) {
        self.name = name
        self.responder = responder
        self.background = background
        self.close = close
    }

    /// Opens parts one after another, runs `body` with them, and closes all that were opened, the last first, however that ends.
    public static func opening<Value>(
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
