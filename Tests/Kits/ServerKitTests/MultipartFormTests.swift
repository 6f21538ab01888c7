import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import NetworkingKit
import TestKit
import Testing

@testable import ServerKit

@Suite(.seeded) struct MultipartFormTests {
    private func parse(_ text: String, boundary: String = "b") throws -> [MultipartForm.Part] {
        try MultipartForm(parsing: Data(text.utf8), boundary: boundary).parts
    }

    private func part(_ name: String, _ content: String, filename: String? = nil, type: String? = nil) -> MultipartForm.Part {
        .init(name: name, filename: filename, contentType: type, content: Data(content.utf8))
    }

    @Test func partsOfEveryKind() throws {
        let parts = try parse(
            "--b\r\nContent-Disposition: form-data; name=\"audio\"; filename=\"a;\\\"b\\\".wav\"\r\nContent-Type: audio/wav\r\n\r\n"
                + "one\r\n--c\r\ntwo\r\n--b  \t\r\ncontent-disposition:form-data;NAME=turn_id\r\n\r\nt\r\n--b--\r\nepilogue")
        #expect(
            parts == [part("audio", "one\r\n--c\r\ntwo", filename: "a;\"b\".wav", type: "audio/wav"), part("turn_id", "t")])
        #expect(parts[1].text == "t")
    }

    @Test func writtenFormIsReadBack() async throws {
        var writer = FormWriter()
        writer.add("turn_id", "t")
        writer.add("audio", file: Data([13, 10, 45, 45, 0]), named: "audio.wav", type: "audio/wav")
        let form = try await MultipartForm(bodyOf: request(writer.body, headers: [.contentType: writer.contentType]), limit: 1_000)
        let audio = MultipartForm.Part(
            name: "audio", filename: "audio.wav", contentType: "audio/wav", content: Data([13, 10, 45, 45, 0]))
        #expect(form?.parts == [part("turn_id", "t"), audio])
    }

    @Test func emptyPartsAndForms() throws {
        let header = "--b\r\nContent-Disposition: form-data; name=x\r\n\r\n"
        #expect(try parse(header + "\r\n--b--") == [part("x", "")])
        #expect(try parse(header + "--b--") == [part("x", "")])
        #expect(try parse("--b--\r\n").isEmpty)
        #expect(try parse("preamble\r\n--b--").isEmpty)
    }

    @Test func longerLineIsNoDelimiter() throws {
        let text = "--b\r\nContent-Disposition: form-data; name=x\r\n\r\nA\r\n--bc\r\nB\n--b--\r--b--\r\n--b--"
        #expect(try parse(text) == [part("x", "A\r\n--bc\r\nB\n--b--\r--b--")])
    }

    @Test func contentIsKeptByteForByte() throws {
        var numbers = SeededGenerator(seed: Seed.current)
        for _ in 0..<50 {
            // Mostly bytes of delimiters, which are most likely to be misread.
            let bytes = (0..<Int.random(in: 0...400, using: &numbers)).map { _ in
                Array("\r\n-bc".utf8).randomElement(using: &numbers)!
            }
            let body =
                Data("--bcb\r\nContent-Disposition: form-data; name=x\r\n\r\n".utf8) + Data(bytes) + Data("\r\n--bcb--".utf8)
            guard !Data(bytes).contains("\r\n--bcb"), !bytes.starts(with: "--bcb".utf8) else { continue }
            #expect(try MultipartForm(parsing: body, boundary: "bcb").parts.map { Array($0.content) } == [bytes])
        }
    }

    @Test(arguments: [
        "", "x", "--b", "--b\r\n", "--b\r\nContent-Disposition: form-data; name=x\r\n",
        "--b\r\nContent-Disposition: form-data; name=x\r\n\r\n", "--b\r\nContent-Disposition: form-data; name=x\r\n\r\nA\r\n--",
        "--b\r\nContent-Disposition: form-data\r\n\r\nA\r\n--b--",
        "--b\r\nContent-Disposition: attachment; name=x\r\n\r\nA\r\n--b--",
        "--b\r\nno colon\r\n\r\nA\r\n--b--", "--b\r\n\r\nA\r\n--b--",
        "--b\r\nContent-Disposition: form-data; name=x\r\nContent-Transfer-Encoding: base64\r\n\r\nA\r\n--b--",
    ]) func brokenFormIsRefused(_ text: String) {
        #expect(throws: FormError.self) { try parse(text) }
    }

    @Test func limits() throws {
        let one = "--b\r\nContent-Disposition: form-data; name=x\r\n\r\nA\r\n"
        #expect(try parse(String(repeating: one, count: 32) + "--b--").count == 32)
        #expect(throws: FormError.self) { try parse(String(repeating: one, count: 33) + "--b--") }
        let long = String(repeating: "x", count: 8_200)
        #expect(throws: FormError.self) { try parse("--b\r\nContent-Disposition: form-data; name=\(long)\r\n\r\nA\r\n--b--") }
        #expect(throws: FormError.self) { try parse("--b--", boundary: "") }
        #expect(throws: FormError.self) { try parse("--b--", boundary: String(repeating: "b", count: 71)) }
    }

    @Test func boundaries() throws {
        #expect(try MultipartForm.boundary(of: "multipart/form-data; boundary=abc") == "abc")
        #expect(try MultipartForm.boundary(of: "Multipart/Form-Data;charset=utf-8; Boundary=\"a b;c\"") == "a b;c")
        #expect(try MultipartForm.boundary(of: "application/json") == nil)
        for type in ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; x=boundary"] {
            #expect(throws: FormError.self) { try MultipartForm.boundary(of: type) }
        }
    }

    private func request(_ body: Data, headers: HTTPFields) -> Request {
        Request(
            head: HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/", headerFields: headers),
            body: RequestBody(buffer: ByteBuffer(bytes: body)))
    }

    @Test func bodyOfARequest() async throws {
        let body = Data("--b\r\nContent-Disposition: form-data; name=x\r\n\r\nA\r\n--b--".utf8)
        let form = try await MultipartForm(
            bodyOf: request(body, headers: [.contentType: "multipart/form-data; boundary=b"]), limit: 1_000)
        #expect(form?["x"]?.text == "A" && form?["y"] == nil)
        #expect(try await MultipartForm(bodyOf: request(body, headers: [:]), limit: 1_000) == nil)
        #expect(try await MultipartForm(bodyOf: request(body, headers: [.contentType: "text/plain"]), limit: 1_000) == nil)
        await #expect(throws: BodyError.tooLarge(limit: 20)) {
            _ = try await MultipartForm(
                bodyOf: request(body, headers: [.contentType: "multipart/form-data; boundary=b"]), limit: 20)
        }
    }

    @Test func noInputTraps() async throws {
        let corpus = [
            "--b\r\nContent-Disposition: form-data; name=\"a\\\"\"; filename=x\r\nContent-Type: audio/wav\r\n\r\nA\r\n--b--\r\n",
            "p\r\n--b\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n--b\r\nContent-Disposition: form-data; name=c\r\n\r\nB\r\n--b--",
        ]
        try await fuzz(corpus.map { Data($0.utf8) }, count: Effort.count(5_000, soak: 200_000)) { input in
            // A slice has other indices than a whole.
            let slice = (Data([0, 1]) + input).dropFirst(2)
            let whole = try? MultipartForm(parsing: input, boundary: "b")
            let again = try? MultipartForm(parsing: slice, boundary: "b")
            try #require(again == whole)
        }
    }
}

extension Data {
    fileprivate func contains(_ text: String) -> Bool { firstRange(of: Data(text.utf8)) != nil }
}
