import Foundation
import SwiftUI
import TestKit
import Testing
import WireKit

@testable import WebRenderer

/// A page without a browser: speaks the protocol over a real socket and maintains the tree.
actor PageProbe {
    struct Node {
        var kind: String
        var parent: Int
        var props: [String: JSONValue]
        var children: [Int]
    }
    private let socket: WebSocketProbe
    private(set) var nodes: [Int: Node] = [:]
    private(set) var session: String?
    private(set) var isResumed: Bool?
    private(set) var ack = 0
    /// The scene values to keep.
    private(set) var scene: [String: JSONValue] = [:]
    private(set) var gone: String?
    /// The sequence numbers of dropped late events.
    private(set) var late: Set<Int> = []
    /// The sequence numbers of events that the box came to late.
    private(set) var slow: Set<Int> = []
    /// The unanswered requests for capabilities.
    private(set) var requests: [(number: Int, name: String, value: JSONValue)] = []
    /// The received frames of streams.
    private(set) var binary: [StreamFrame] = []
    private(set) var frames = 0
    private(set) var bytes = 0
    private var sequence = 0

    /// The page's clock at the hello, in milliseconds. An event with an earlier time is late by the difference, at least.
    static let openingTime = 100_000

    init(_ socket: WebSocketProbe) { self.socket = socket }

    /// Opens a socket, sends `hello` and waits for the first frame.
    static func open<Value: Sendable>(
        port: Int, app: String = "test", cookie: String? = nil, session: String? = nil, document: String = "doc",
        from sequence: Int = 0, hello: [String: JSONValue] = [:],
        _ body: @escaping @Sendable (PageProbe) async throws -> Value
    ) async throws -> Value {
        let secret = cookie ?? Secret.make()
        let headers = [
            "Cookie": "switchboard-phone-\(port)=\(secret)", "Origin": "http://127.0.0.1:\(port)",
        ]
        return try await WebSocketProbe.open(port: port, app.isEmpty ? "/socket" : "/apps/\(app)/socket", headers: headers) {
            socket in
            let page = PageProbe(socket)
            await page.start(at: sequence)
            let usual: [String: JSONValue] = [
                "session": session.map(JSONValue.string) ?? .null, "document": .string(document), "scheme": .string("dark"),
                "languages": .array([.string("ko-KR"), .string("en")]), "active": .bool(true),
                "t": .integer(Int64(Self.openingTime)),
            ]
            try await page.write(.object(["hello": .object(usual.merging(hello) { _, given in given })]))
            try await page.receive()
            return try await body(page)
        }
    }

    private func start(at sequence: Int) { self.sequence = sequence }

    func write(_ value: JSONValue) async throws {
        try await socket.send(.text(String(decoding: WireJSON.encode(value), as: UTF8.self)))
    }
    func send(_ frame: StreamFrame) async throws { try await socket.send(.binary(Array(frame.bytes))) }
    func send(bytes: [UInt8]) async throws { try await socket.send(.binary(bytes)) }

    /// Agrees to the stream that the box requests next.
    ///
    /// - Returns: The number of the stream.
    func acceptStream() async throws -> UInt32 {
        try await wait { $0.requests.contains { $0.name == "stream.open" } }
        let request = requests.remove(at: requests.firstIndex { $0.name == "stream.open" }!)
        try await write(.object(["reply": .integer(Int64(request.number)), "v": .bool(true)]))
        guard case .object(let fields) = request.value, case .integer(let id)? = fields["id"] else {
            throw Missing(what: "id", texts: [])
        }
        return UInt32(id)
    }

    /// Takes the first request for a capability, if there is one.
    func takeRequest(_ name: String) -> (number: Int, name: String, value: JSONValue)? {
        requests.firstIndex { $0.name == name }.map { requests.remove(at: $0) }
    }

    /// Takes the next binary frame, and waits for it.
    func nextBinary() async throws -> StreamFrame {
        try await wait { !$0.binary.isEmpty }
        return binary.removeFirst()
    }

    func write(text: String) async throws { try await socket.send(.text(text)) }

    /// - Parameter time: On the page's clock, in milliseconds.
    func send(_ event: String, _ id: Int, _ value: JSONValue? = nil, sequence: Int? = nil, at time: Int? = nil) async throws {
        self.sequence = sequence ?? self.sequence + 1
        var fields: [String: JSONValue] = ["e": .string(event), "i": .integer(Int64(id)), "s": .integer(Int64(self.sequence))]
        fields["v"] = value
        fields["t"] = time.map { .integer(Int64($0)) }
        try await write(.object(fields))
    }

    func tap(_ text: String) async throws { try await send("tap", try find(text)) }

    /// Receives frames until `condition` holds.
    func wait(until condition: @Sendable (isolated PageProbe) throws -> Bool) async throws {
        while try !condition(self) { try await receive() }
    }
    func wait(for text: String) async throws { try await wait { $0.texts.contains(text) } }
    func waitForAck() async throws { try await wait { $0.ack >= $0.sequence } }

    /// The nearest element around the text that handles events, or the text itself.
    func find(_ text: String) throws -> Int {
        for (id, node) in nodes {
            let isLabel = node.props["t"] == .string(text) || node.props["l"] == .string(text)
            guard isLabel else { continue }
            var current = id
            while current != 0 {
                if nodes[current]?.props["on"] != nil { return current }
                current = nodes[current]?.parent ?? 0
            }
            return id
        }
        throw Missing(what: text, texts: texts)
    }

    struct Missing: Error {
        var what: String
        var texts: [String]
    }

    var texts: [String] {
        nodes.sorted { $0.key < $1.key }.compactMap { if case .string(let text)? = $0.value.props["t"] { text } else { nil } }
    }

    func value(of id: Int) -> JSONValue? { nodes[id]?.props["val"] }

    // MARK: Frames

    func receive() async throws {
        var frame = try await socket.receive()
        // A busy machine may take longer than a heartbeat.
        while frame.opcode == 9 {
            try await socket.send(.pong(frame.payload))
            frame = try await socket.receive()
        }
        if frame.opcode == 2 {
            binary.append(try #require(StreamFrame(Data(frame.payload))))
            return
        }
        guard frame.opcode == 1 else { throw Ended(closeCode: frame.closeCode) }
        frames += 1
        bytes += frame.payload.count
        guard case .object(let fields) = try WireJSON.decode(JSONValue.self, from: Data(frame.payload)) else { return }
        if case .integer(let ack)? = fields["ack"] { self.ack = Int(ack) }
        if case .object(let scene)? = fields["scene"] { self.scene = scene }
        if case .array(let late)? = fields["late"] {
            for case .integer(let number) in late { self.late.insert(Int(number)) }
        }
        if case .array(let slow)? = fields["slow"] {
            for case .integer(let number) in slow { self.slow.insert(Int(number)) }
        }
        if case .string(let gone)? = fields["gone"] { self.gone = gone }
        if case .string(let session)? = fields["session"] { self.session = session }
        if case .bool(let isResumed)? = fields["resumed"] { self.isResumed = isResumed }
        if case .array(let request)? = fields["ask"], case .integer(let number) = request[0], case .string(let name) = request[1] {
            requests.append((Int(number), name, request[2]))
        }
        if let root = fields["root"] {
            nodes = [:]
            _ = add(root, to: 0)
            // A new tree counts from 1 again.
            if isResumed == false { sequence = 0 }
        }
        if case .array(let ops)? = fields["ops"] { for op in ops { apply(op) } }
    }

    struct Ended: Error {
        var closeCode: UInt16?
    }

    private func add(_ node: JSONValue, to parent: Int) -> Int {
        guard case .object(let fields) = node, case .integer(let id)? = fields["i"], case .string(let kind)? = fields["k"] else {
            return 0
        }
        var props: [String: JSONValue] = [:]
        if case .object(let given)? = fields["p"] { props = given }
        nodes[Int(id)] = Node(kind: kind, parent: parent, props: props, children: [])
        if case .array(let children)? = fields["c"] {
            let ids = children.map { add($0, to: Int(id)) }
            nodes[Int(id)]?.children = ids
        }
        return Int(id)
    }

    private func apply(_ op: JSONValue) {
        guard case .array(let parts) = op, case .string(let name) = parts[0] else { return }
        func number(_ index: Int) -> Int { if case .integer(let number) = parts[index] { Int(number) } else { -1 } }
        switch name {
        case "a":
            guard case .string(let old)? = nodes[number(1)]?.props["t"], case .string(let suffix) = parts[2] else { return }
            nodes[number(1)]?.props["t"] = .string(old + suffix)
        case "p":
            guard case .object(let props) = parts[2] else { return }
            for (name, value) in props { nodes[number(1)]?.props[name] = value == .null ? nil : value }
        case "i": place(add(parts[3], to: number(1)), in: number(1), before: number(2))
        case "m": place(number(3), in: number(1), before: number(2))
        case "r": remove(number(1))
        default: break
        }
    }

    private func place(_ id: Int, in parent: Int, before: Int) {
        nodes[parent]?.children.removeAll { $0 == id }
        let index = nodes[parent]?.children.firstIndex(of: before) ?? nodes[parent]?.children.endIndex ?? 0
        nodes[parent]?.children.insert(id, at: index)
    }

    private func remove(_ id: Int) {
        guard let node = nodes.removeValue(forKey: id) else { return }
        nodes[node.parent]?.children.removeAll { $0 == id }
        for child in node.children { remove(child) }
    }
}
