#if os(Linux)
    import Foundation
    import Testing

    /// `Docs/SwiftUI-API.md` lists what the apps use of SwiftUI and Charts, and no symbol is newer than iOS 17. The index of the build that
    /// made these tests says what they use.
    @Suite struct SwiftUIListTests {
        static let page = FloorTests.root.appending(path: "Docs/SwiftUI-API.md")

        @Test func appsUseOnlyListedSymbolsOfTheFloor() async throws {
            let check = try await Script.run("swiftui-api", "--check")
            #expect(check.status == 0, "\(check.output)")
        }

        @Test func wrongListIsRefused() async throws {
            let changes = [
                ("| `Divider.init()` | 13 | `@MainActor init()` |\n", "", "Divider.init() is used and not listed"),
                ("| `Divider` |", "| `Divided` |", "Divided is listed and not used"),
                ("| `Spacer` | 13 |", "| `Spacer` | 18 |", "Spacer needs iOS 18, and the apps run on iOS 17"),
                ("| `Toggle` | 13 |", "| `Toggle` | 17.1 |", "Toggle needs iOS 17.1, and the apps run on iOS 17"),
                ("| `Circle` | 13 |", "| `Circle` | ? |", "Circle has no version: see Apple's documentation"),
                ("| `Capsule` | 13 |", "| `Capsule` | 14 |", "Capsule is listed with iOS 14, and Apple's interface says 13"),
            ]
            var text = try String(contentsOf: Self.page, encoding: .utf8)
            for (row, change, _) in changes {
                try #require(text.contains(row))
                text.replace(row, with: change)
            }
            let copy = FileManager.default.temporaryDirectory.appending(path: "swiftui-api-\(UUID()).md")
            defer { try? FileManager.default.removeItem(at: copy) }
            try text.write(to: copy, atomically: true, encoding: .utf8)
            let check = try await Script.run("swiftui-api", "--check", copy.path)
            #expect(check.status == 1)
            for (_, _, fault) in changes { #expect(check.output.contains(fault), "\(check.output)") }
        }
    }
#endif
