import Foundation
import Testing

/// `Docs/SwiftUI-Support.md` lists every type and modifier that a view can use.
@Suite struct SupportPageTests {
    @Test func everyPublicTypeAndModifierIsListed() throws {
        let page = try String(contentsOf: FloorTests.root.appending(path: "Docs/SwiftUI-Support.md"), encoding: .utf8)
        let named = Set(page.matches(of: /`([A-Za-z0-9]+)(?:\(\))?`/).map { String($0.1) })
        let declared = try SourceFile.all(below: FloorTests.root)
            .filter { $0.path.hasPrefix("Sources/WebUI/SwiftUI/") || $0.path.hasPrefix("Sources/WebUI/Charts/") }
            .flatMap { Self.declarations(in: $0) }
        #expect(declared.count > 200)
        #expect(Set(declared).subtracting(named).sorted() == [])
    }

    /// The names of public top-level types, and of functions in extensions of `View` and `ChartContent`.
    private static func declarations(in file: SourceFile) -> [String] {
        var isInView = false
        return file.code.compactMap { _, line -> String? in
            if line.hasPrefix("extension ") {
                isInView = line.hasPrefix("extension View ") || line.hasPrefix("extension ChartContent ")
            } else if line.hasPrefix("}") {
                isInView = false
            }
            guard line.contains("public ") else { return nil }
            if let type = line.prefixMatch(
                of: /(?:nonisolated )?public (?:indirect )?(?:final )?(?:struct|class|enum|protocol) ([A-Z][A-Za-z0-9]*)/)
            {
                return String(type.1)
            }
            if isInView, let function = line.prefixMatch(of: /\ {4}(?:@discardableResult )?public func ([a-z][A-Za-z0-9]*)/) {
                return String(function.1)
            }
            return nil
        }
    }
}
