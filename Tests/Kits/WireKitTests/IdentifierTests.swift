import Foundation
import Testing
import WireKit

@Suite struct IdentifierTests {
    private enum Thing {}

    @Test func randomIdentifierHas32HexadecimalDigits() {
        var generator = SystemRandomNumberGenerator()
        let ids = (0..<200).map { _ in Identifier<Thing>.random(using: &generator) }

        #expect(ids.allSatisfy { $0.isWellFormed })
        #expect(Set(ids).count == 200)
    }

    /// A generator of zeros reveals lost leading zeros.
    @Test func leadingZerosAreKept() {
        struct Zeros: RandomNumberGenerator { mutating func next() -> UInt64 { 0 } }
        var zeros = Zeros()
        #expect(Identifier<Thing>.random(using: &zeros).rawValue == String(repeating: "0", count: 32))
    }

    @Test(arguments: [
        "", "abc", String(repeating: "A", count: 32), String(repeating: "g", count: 32), String(repeating: "é", count: 16),
    ])
    func otherFormsAreNotWellFormed(_ text: String) {
        #expect(!Identifier<Thing>(text).isWellFormed)
    }

    @Test func isAPlainStringInJSON() throws {
        let data = try WireJSON.encode([Identifier<Thing>("a/b")])
        #expect(String(decoding: data, as: UTF8.self) == #"["a/b"]"#)
        #expect(try WireJSON.decode([Identifier<Thing>].self, from: data) == [Identifier("a/b")])
    }
}
