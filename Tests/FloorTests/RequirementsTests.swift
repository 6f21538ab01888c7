import Foundation
import Testing

/// `Docs/Requirements.md` and `Docs/Threat-Model.md` cite only files and tests that exist.
@Suite struct RequirementsTests {
    private static let all = Result { try TestCatalog(root: FloorTests.root) }
    private let catalog: TestCatalog

    init() throws { catalog = try Self.all.get() }

    @Test func everyRequirementNamesItsFileAndItsTests() throws {
        let rows = try Document("Docs/Requirements.md").rows(columns: 5)
        #expect(rows.count > 150)
        for row in rows {
            let (item, file, tests, state) = (row.cells[0], row.cells[2].quoted.first, row.cells[3].quoted, row.cells[4])
            let place = "\(row.place) (row \(item))"
            #expect(["done", "stand-in", "browsers", "later", "Apple"].contains(state), "\(place): unknown state \(state)")
            if ["done", "stand-in", "browsers"].contains(state) {
                #expect(file != nil && !tests.isEmpty, "\(place): \(state), but without a file or a test")
            }
            if let file {
                #expect(exists("Sources/\(row.section)/\(file)"), "\(place): no file Sources/\(row.section)/\(file)")
                // No Client and no App has been compiled for an iPhone.
                let isOnPhones = file.hasPrefix("Client/") || file.hasPrefix("App/")
                #expect(!(isOnPhones && state == "done"), "\(place): done in browsers only")
            }
            for problem in tests.compactMap({ catalog.problem(with: $0, folder: row.section) }) {
                Issue.record("\(place): \(problem)")
            }
        }
    }

    @Test func everyDefenceNamesItsFilesAndItsTests() throws {
        // The attack, the defence, the files, the tests.
        let rows = try Document("Docs/Threat-Model.md").rows(columns: 4)
        #expect(rows.count > 30)
        for row in rows {
            let (files, tests) = (row.cells[2].quoted, row.cells[3].quoted)
            #expect(!files.isEmpty && !tests.isEmpty, "\(row.place): without a file or a test")
            for file in files { #expect(exists("Sources/\(file)"), "\(row.place): no file Sources/\(file)") }
            for problem in tests.compactMap({ catalog.problem(with: $0) }) { Issue.record("\(row.place): \(problem)") }
        }
    }

    private func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: FloorTests.root.appending(path: path).path)
    }

    // MARK: The check itself

    @Test func testsAreFoundInSwiftAndInPython() {
        let swift = """
            /// A suite.
            @Suite(.seeded) struct ChatTests {
                @Test(arguments: [
                    ("a", 1),
                ]) func first(text: String) {}
                private func helper() {}
                @Test func second() async throws {}
            }
            extension OtherTests { @Test func third() {} }
            """
        #expect(
            TestCatalog.tests(in: swift, path: "Pager/AppTests/ChatTests.swift")
                == ["Pager/AppTests/ChatTests/first", "Pager/AppTests/ChatTests/second", "Pager/AppTests/OtherTests/third"])
        #expect(
            TestCatalog.tests(in: "def test_one(page):\n    def test_inner(): pass\n", path: "Home/Browser/test_home.py")
                == ["Home/Browser/test_home/test_one"])
    }

    @Test func aCitationNamesExactlyOneTest() {
        let catalog = TestCatalog(["A/AppTests/Words/sameInAll", "B/AppTests/Words/sameInAll", "A/AppTests/Chat/draftsAreKept"])
        #expect(catalog.problem(with: "Chat/draftsAreKept") == nil)
        #expect(catalog.problem(with: "Words/sameInAll", folder: "A") == nil)
        #expect(catalog.problem(with: "B/AppTests/Words/sameInAll") == nil)
        #expect(catalog.problem(with: "Words/sameInAll")?.contains("several tests") == true)
        #expect(catalog.problem(with: "Chat/draftsAreLost") == "no test `Chat/draftsAreLost`; near: `Chat/draftsAreKept`")
        #expect(catalog.problem(with: "draftsAreKept")?.hasSuffix("near: `Chat/draftsAreKept`") == true)
    }
}

/// A page of `Docs/`.
private struct Document {
    struct Row {
        /// `Docs/Requirements.md:12`.
        var place: String
        /// The heading above the table.
        var section: String
        var cells: [String]
    }

    private let path: String
    private let text: String

    init(_ path: String) throws {
        self.path = path
        text = try String(contentsOf: FloorTests.root.appending(path: path), encoding: .utf8)
    }

    /// The rows of all tables with this number of columns, without their heads.
    func rows(columns: Int) -> [Row] {
        var section = ""
        var rows: [Row] = []
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == columns + 2, !line.hasPrefix("| ---"), !(lines[index + 1].hasPrefix("| ---")) else { continue }
            rows.append(Row(place: "\(path):\(index + 1)", section: section, cells: Array(cells[1...columns])))
        }
        return rows
    }
}

extension String {
    /// The words in backquotes.
    fileprivate var quoted: [String] { matches(of: /`([^`]+)`/).map { String($0.1) } }
}
