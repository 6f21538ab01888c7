import Foundation
import SwiftUI
import TestKit
import Testing
import WireKit

@testable import WebRenderer

/// Almost valid frames: the page continues or is closed with a code, and the next page works.
@Suite(.seeded) struct FuzzTests {
    /// A view with a handler for every kind of event.
    struct Everything: View {
        @State private var count = 0
        @State private var isOn = false
        @State private var draft = ""
        @State private var place = CGPoint.zero
        @State private var isShown = false

        var body: some View {
            NavigationStack {
                List {
                    Button("more") { count += 1 }.onAppear { isOn = false }
                    Text(verbatim: "count \(count)").onTapGesture(count: 2) { count += 2 }.onLongPressGesture { count += 3 }
                    Toggle("switch", isOn: $isOn)
                    TextField("draft", text: $draft).onSubmit { count += 1 }
                    // Apps convert positions to integers.
                    Text(verbatim: "at \(Int(place.x)) \(Int(place.y))").gesture(DragGesture().onChanged { place = $0.location })
                        .simultaneousGesture(MagnifyGesture().onEnded { count += Int($0.magnification * 10) })
                    Button("sheet") { isShown = true }
                    NavigationLink("next") { Text("next page") }
                }
                .refreshable { count += 1 }
                .sheet(isPresented: $isShown) { Text("sheet") }
            }
        }
    }

    private static let hello =
        #"{"hello":{"session":null,"document":"doc","scheme":"dark","languages":["ko-KR","en"],"timeZone":"Asia/Seoul","width":390,"height":844,"active":true,"network":"local"}}"#

    private static var events: [String] {
        let names = ["tap", "double", "long", "press", "focus", "blur", "back", "dismiss", "refresh", "submit", "appear"]
        return names.enumerated().map { #"{"e":"\#($1)","i":\#($0 + 2),"s":\#($0 + 1)}"# } + [
            #"{"e":"input","i":9,"s":2,"v":"half a sen"}"#, #"{"e":"input","i":7,"s":3,"v":1}"#,
            #"{"e":"drag","i":11,"s":4,"v":{"x":1,"y":-2.5,"sx":0,"sy":0,"vx":1e3,"vy":0,"end":1}}"#,
            #"{"e":"pinch","i":11,"s":4,"v":{"m":1.5,"v":0.1,"x":1,"y":2,"ax":0.5,"ay":0.25,"end":1}}"#,
            #"{"e":"place","i":4,"s":4,"v":12}"#,
            #"{"e":"phase","i":0,"s":5,"v":"background"}"#, #"{"e":"scheme","i":0,"s":6,"v":"dark"}"#,
            #"{"e":"size","i":0,"s":7,"v":[390,844]}"#, #"{"e":"network","i":0,"s":8,"v":"none"}"#,
            #"{"e":"notification","i":0,"s":9,"v":"tag"}"#, #"{"reply":1,"v":{"a":1}}"#, #"{"reply":2,"error":"denied"}"#,
        ]
    }

    @Test func framesAreReadOrRefusedAndValuesBounded() async throws {
        let corpus = (Self.events + [Self.hello]).map { Data($0.utf8) }
        try await fuzz(corpus, count: Effort.count(10_000, soak: 100_000)) { input in
            guard let frame = try? PageFrame(String(decoding: input, as: UTF8.self)) else { return }
            switch frame.value {
            case .number(let number): try #require(number.isFinite)
            case .drag(let report):
                for side in [report.location.x, report.location.y, report.start.x, report.velocity.width, report.velocity.height] {
                    try #require(abs(side) <= 1e6)
                }
            case .pinch(let report):
                try #require(report.magnification >= 1e-3 && report.magnification <= 1e3)
                for side in [report.velocity, report.start.x, report.anchor.y] { try #require(abs(side) <= 1e6) }
            default: break
            }
        }
    }

    private func open<Value: Sendable>(
        _ site: TestSite, _ body: @escaping @Sendable (WebSocketProbe) async throws -> Value
    ) async throws -> Value {
        let headers = ["Cookie": "switchboard-phone-\(site.port)=\(Secret.make())", "Origin": "http://127.0.0.1:\(site.port)"]
        return try await WebSocketProbe.open(port: site.port, "/apps/test/socket", headers: headers, limit: .seconds(30), body)
    }

    /// Closes the connection, and returns the close code of the box.
    private static func end(_ socket: WebSocketProbe) async throws -> UInt16? {
        // The box may have closed already.
        try? await socket.send(.close(1000))
        while true {
            let frame = try await socket.receive()
            if frame.opcode == 8 { return frame.closeCode }
        }
    }

    @Test func hellos() async throws {
        try await TestSite.run { _ in
            Everything()
        } body: { site in
            try await fuzz([Data(Self.hello.utf8)], count: Effort.count(60, soak: 2000)) { input in
                let code = try await open(site) { socket async throws in
                    try await socket.send(.init(opcode: 1, payload: Array(input)))
                    return try await Self.end(socket)
                }
                // Normal closure, invalid UTF-8, or no hello.
                try #require([1000, 1007, 1008].contains(code))
            }
            try await expectService(of: site)
        }
    }

    /// Several events on one page, one on each line.
    @Test func eventsOfPages() async throws {
        let scripts = [Self.events, Self.events.reversed()].map { $0.joined(separator: "\n") }
        try await TestSite.run { _ in
            Everything()
        } body: { site in
            try await fuzz(scripts.map { Data($0.utf8) }, count: Effort.count(60, soak: 2000)) { input in
                let frames = input.split(separator: UInt8(ascii: "\n"))
                let code = try await open(site) { socket async throws in
                    try await socket.send(.text(Self.hello))
                    // The box may have closed already.
                    for frame in frames { try? await socket.send(.init(opcode: 1, payload: Array(frame))) }
                    return try await Self.end(socket)
                }
                try #require(code == (frames.allSatisfy { String(validating: $0, as: UTF8.self) != nil } ? 1000 : 1007))
            }
            try await expectService(of: site)
        }
    }

    private func expectService(of site: TestSite) async throws {
        try await site.page { page in
            try await page.tap("more")
            try await page.wait(for: "count 1")
        }
    }
}
