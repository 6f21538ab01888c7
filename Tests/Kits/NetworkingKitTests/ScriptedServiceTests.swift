import Foundation
import HTTPTypes
import NetworkingKit
import TestKit
import Testing
import WireKit

@Suite struct ScriptedServiceTests {
    private struct Item: Codable, Hashable { var name: String }

    private static let item = Endpoint<Item, Item>(.put, "/items/:id")

    private func service(_ serve: @escaping @Sendable (ScriptedService.Peer) async -> Void = { _ in }) throws -> ScriptedService {
        ScriptedService(
            [
                .init(Self.item) { call in
                    let item = try call.body(of: Self.item)
                    return try .json(Item(name: "\(call.parameters["id"] ?? "") \(item.name)"))
                }
            ], refusal: try .json(Item(name: "no"), status: 403), serve: serve)
    }

    private func send(_ method: HTTPRequest.Method, _ path: String, _ service: ScriptedService) async throws -> HTTPReply {
        let request = try HTTPRequest(method, path, below: ScriptedService.address)
        return try await service.send(request, body: .data(WireJSON.encode(Item(name: "b"))))
    }

    @Test func callsAreAnsweredByTheirRoute() async throws {
        let reply = try await send(.put, "/items/a%20c?x=1", service())
        #expect(reply.head.status == .ok)
        #expect(try WireJSON.decode(Item.self, from: reply.body) == Item(name: "a c b"))
    }

    @Test(arguments: [(HTTPRequest.Method.get, "/items/a"), (.put, "/items"), (.put, "/items/a/b"), (.put, "/others/a")])
    func otherCallsAreRefused(_ method: HTTPRequest.Method, _ path: String) async throws {
        let reply = try await send(method, path, service())
        #expect(reply.head.status == .forbidden)
        #expect(try WireJSON.decode(Item.self, from: reply.body) == Item(name: "no"))
    }

    @Test func socketCarriesTextsBothWaysUntilItIsClosed() async throws {
        let ended = Locked(false)
        let service = try service { peer in
            peer.write("hello")
            for await text in peer.texts { peer.write("you said \(text)") }
            ended.withLock { $0 = true }
        }
        let socket = try await service.connect(HTTPRequest(.get, "/line", below: ScriptedService.address))
        #expect(try await socket.receive() == .text("hello"))
        try await socket.send(.text("hi"))
        #expect(try await socket.receive() == .text("you said hi"))
        socket.close(.normal)
        #expect(try await socket.receive() == nil)
        try await eventually { ended.withLock { $0 } }
    }

    @Test func reactionsRunWhileASocketIsOpen() async {
        let reactions = ScriptedReactions()
        let (runs, counter) = AsyncStream.makeStream(of: Int.self)
        reactions.add { counter.yield(0) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await reactions.run() }
            group.addTask {
                while !Task.isCancelled {
                    reactions.add { counter.yield(1) }
                    await Task.yield()
                }
            }
            // What was added before is not run.
            #expect(await runs.first { _ in true } == 1)
            group.cancelAll()
        }
    }
}
