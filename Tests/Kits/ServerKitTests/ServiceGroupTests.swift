import ServerKit
import ServiceLifecycle
import TestKit
import Testing

/// Services in the group that runs them.
@Suite struct ServiceGroupTests {
    private struct Sender: Service {
        let secret: String

        func run() async throws {}
    }

    private struct Waiting: Service {
        let starts = AsyncStream.makeStream(of: Void.self)
        let stops = AsyncStream.makeStream(of: Void.self)

        func run() async throws {
            try await withAsyncGracefulShutdownHandler {
                starts.continuation.finish()
                for await _ in stops.stream {}
            } onGracefulShutdown: {
                stops.continuation.finish()
            }
        }
    }

    /// The name is in error messages and in logs.
    @Test func nameOfAServiceHasNoneOfItsContent() {
        let configuration = ServiceGroupConfiguration.ServiceConfiguration.named(Sender(secret: "geheim"), endsGroup: true)
        #expect(configuration.serviceName == "Sender")
        #expect("\(configuration.successTerminationBehavior)" == "gracefullyShutdownGroup")
    }

    @Test func workEndsByItselfOrWithItsError() async throws {
        try await withAsyncGracefulShutdownHandler {
        } onGracefulShutdown: {
            Issue.record("nothing was shut down")
        }
        await #expect(throws: CancellationError.self) {
            try await withAsyncGracefulShutdownHandler {
                throw CancellationError()
            } onGracefulShutdown: {
            }
        }
    }

    @Test func workEndsAtAGracefulShutdown() async throws {
        let service = Waiting()
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [.named(service, endsGroup: true)], logger: .quiet))
        async let running: Void = group.run()
        // A group that is shut down before it runs throws.
        for await _ in service.starts.stream {}
        await group.triggerGracefulShutdown()
        try await running
    }
}
