import EndlessCodeAgents
import Testing

@Suite struct AgentLineReaderTests {
    private func read(_ chunks: [[UInt8]]) -> [AgentLine] {
        var reader = AgentLineReader()
        var lines: [AgentLine] = []
        for chunk in chunks {
            reader.append(chunk)
            while let line = reader.next() { lines.append(line) }
        }
        if let rest = reader.finish() { lines.append(rest) }
        return lines
    }

    @Test func linesAreTheSameHoweverTheyAreCut() {
        let text = Array("{\"a\":1}\n\n  \n{\"b\":\"é한\"}\r\n{\"half\"".utf8)
        let expected: [AgentLine] = ["{\"a\":1}", "{\"b\":\"é한\"}", "{\"half\""].map { .text($0, isLarge: false) }
        for length in 1...text.count {
            let chunks = stride(from: 0, to: text.count, by: length).map { Array(text[$0..<min($0 + length, text.count)]) }
            #expect(read(chunks) == expected)
        }
    }

    @Test func invalidUTF8IsReplaced() {
        #expect(read([[0x22, 0xff, 0xfe, 0x22, 0x0a]]) == [.text("\"\u{fffd}\u{fffd}\"", isLarge: false)])
    }

    @Test func lineOverOneMebibyteIsLarge() {
        let limit = AgentLineReader.largeLineLength
        for (length, isLarge) in [(limit, false), (limit + 1, true)] {
            #expect(
                read([[UInt8](repeating: 0x61, count: length) + [0x0a]]) == [
                    .text(String(repeating: "a", count: length), isLarge: isLarge)
                ])
        }
    }

    @Test func lineOverTheLimitIsDroppedUpToTheNextBreak() {
        let chunk = [UInt8](repeating: 0x61, count: 1_048_576)
        let lines = read([Array("first\n".utf8)] + [[UInt8]](repeating: chunk, count: 20) + [Array("rest\nlast\n".utf8)])
        let dropped = AgentDroppedLine(reason: .tooLong, beginning: String(repeating: "a", count: 200))
        #expect(lines == [.text("first", isLarge: false), .dropped(dropped), .text("last", isLarge: false)])
    }

    @Test func droppedLineAtTheEndIsReportedOnce() {
        let lines = read([[UInt8](repeating: 0x61, count: AgentLineReader.maximumLineLength + 1)])
        #expect(lines.count == 1)
        #expect(read([[UInt8](repeating: 0x61, count: AgentLineReader.maximumLineLength + 1) + [0x0a]]).count == 1)
    }

    @Test func errorTailKeepsTheLastLines() {
        var tail = ErrorTail()
        for number in 0..<1000 { tail.append(Array("line \(number)\n".utf8)) }
        #expect(tail.text.split(separator: "\n").count == ErrorTail.maximumLineCount)
        #expect(tail.text.hasSuffix("line 999"))
        tail.append([UInt8](repeating: 0xff, count: 100_000))
        #expect(tail.text.utf8.count <= ErrorTail.maximumLength * 3)
    }
}
