import Foundation
import NetworkingKit
import Testing

/// Frames that end with a newline.
@Suite struct NewlineFramingTests {
    private func frames(_ framing: inout NewlineFraming, _ text: String) throws -> [NewlineFraming.Frame] {
        try framing.receive(Data(text.utf8))
    }

    @Test func framesAreTheSameHoweverTheBytesAreSplit() throws {
        let bytes = Data("{\"a\":1}\n\n{\"b\":\"é\"}\n{}\ntail".utf8)
        let expected: [NewlineFraming.Frame] = ["{\"a\":1}", "{\"b\":\"é\"}", "{}"].map { .complete(Data($0.utf8)) }
        for size in 1...bytes.count {
            var framing = NewlineFraming()
            var found: [NewlineFraming.Frame] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                found += try framing.receive(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(found == expected)
            #expect(framing.isInsideFrame)
        }
    }

    @Test func emptyFramesAreDropped() throws {
        var framing = NewlineFraming()
        #expect(try frames(&framing, "\n\n\nx\n\n") == [.complete(Data("x".utf8))])
        #expect(!framing.isInsideFrame)
    }

    @Test func frameOfTheLimitIsComplete() throws {
        var framing = NewlineFraming(maximumFrameSize: 4)
        #expect(
            try frames(&framing, "abcd\nabcde\nab\n") == [.complete(Data("abcd".utf8)), .oversized, .complete(Data("ab".utf8))])
    }

    @Test func oversizedFrameIsReportedOnceAndSkipped() throws {
        var framing = NewlineFraming(maximumFrameSize: 4)
        #expect(try frames(&framing, "abcd").isEmpty)
        #expect(try frames(&framing, "e") == [.oversized])
        for _ in 0..<10 { #expect(try frames(&framing, "more").isEmpty) }
        #expect(try frames(&framing, "end\nnext\n") == [.complete(Data("next".utf8))])
    }

    @Test func streamWithoutNewlinesIsGivenUp() throws {
        var framing = NewlineFraming(maximumFrameSize: 4, maximumUnframedSize: 10)
        #expect(try frames(&framing, "0123456789") == [.oversized])
        let error = #expect(throws: TransportError.self) { try frames(&framing, "x") }
        #expect(error?.code == .tooLarge)
    }

    @Test func newlineStartsTheCountAnew() throws {
        var framing = NewlineFraming(maximumFrameSize: 4, maximumUnframedSize: 10)
        for _ in 0..<10 { #expect(try frames(&framing, "12345678\n") == [.oversized]) }
    }
}
