import Foundation
import TestKit
import Testing

/// The traces that pages leave on a box.
@Suite struct BrowserTracesTests {
    /// The apps, with a text that each of them shows once it has what it needs from its service.
    private static let apps = [
        ("", "Pager2077"), ("pager2077", "A PAGER FOR FRIENDS"), ("simbridge", "Password"), ("localllm", "Try it here"),
        ("endlesscode", "Scratch"),
        ("talkco", "Daily life"),
    ]

    /// Opens the page of an app as a new phone, and waits until it shows `text`.
    private func open(_ app: String, _ port: Int, until text: String) async throws {
        let secret = String((0..<43).map { _ in "ABCDEFGHIJKLMNOPQRSTUVWXYZ".randomElement()! })
        let headers = ["Cookie": "switchboard-phone-\(port)=\(secret)", "Origin": "http://127.0.0.1:\(port)"]
        let path = app.isEmpty ? "/socket" : "/apps/\(app)/socket"
        try await WebSocketProbe.open(port: port, path, headers: headers) { socket async throws in
            let hello = #"{"hello":{"session":null,"document":"d","scheme":"light","languages":["en"],"active":true,"t":1}}"#
            try await socket.send(.text(hello))
            while true {
                let frame = try await socket.receive()
                if frame.text.contains(text) { return }
                // What the phone is asked for, such as permissions, it does not have.
                if let question = frame.text.firstMatch(of: /"ask":\[([0-9]+),/) {
                    try await socket.send(.text(#"{"reply":\#(question.1),"v":false}"#))
                }
                #expect(frame.opcode == 1, "\(app) was closed before it showed \"\(text)\"")
            }
        }
    }

    @Test func openedAppsLeaveNothingBehind() async throws {
        let folder = try TemporaryFolder()
        let box = try await Program("switchboard", ["serve", "--data", folder.file("data"), "--port", "0"])
        let port = try #require(try await box.line()?.split(separator: ":").last.flatMap { Int($0) })
        for _ in 1...3 {
            for (app, text) in Self.apps { try await open(app, port, until: text) }
        }
        // The end saves whatever waits to be saved.
        box.send(SIGTERM)
        #expect(try await box.end().status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("data/phones")) == ["key-id"])
    }
}
