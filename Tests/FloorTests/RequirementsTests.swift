import Foundation
import Testing

/// `Docs/Requirements.md` and `Docs/Threat-Model.md` name only what there is.
@Suite struct RequirementsTests {
    private struct Row {
        var item: String
        var file: String
        var tests: [String]
        var state: String
    }

    /// The rows of the tables, each with the folder that its system's sources are in.
    private func rows() throws -> [(folder: String, row: Row)] {
        let page = try String(contentsOf: FloorTests.root.appending(path: "Docs/Requirements.md"), encoding: .utf8)
        var folder = ""
        var rows: [(String, Row)] = []
        for line in page.split(separator: "\n") {
            if line.hasPrefix("## ") { folder = "Sources/\(line.dropFirst(3))" }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
            }
            guard cells.count == 7, !cells[1].isEmpty, cells[1] != "item", !cells[1].hasPrefix("---") else { continue }
            // Several tests stand one after the other, each in its own quotes.
            let tests = cells[4].split(separator: ",").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
            rows.append((folder, Row(item: cells[1], file: cells[3], tests: tests, state: cells[5])))
        }
        return rows
    }

    @Test func whatIsDoneHasAFileAndATest() throws {
        let tests = try allTests()
        let rows = try rows()
        #expect(rows.count > 150)
        for (folder, row) in rows {
            #expect(["done", "later", "Apple"].contains(row.state), "\(row.item)")
            if row.state == "done" { #expect(!row.file.isEmpty && !row.tests.isEmpty, "\(row.item)") }
            if !row.file.isEmpty {
                let path = FloorTests.root.appending(path: "\(folder)/\(row.file)").path
                #expect(FileManager.default.fileExists(atPath: path), "\(row.item): \(row.file)")
            }
            #expect(row.tests.filter { !tests.contains($0) } == [], "\(row.item)")
        }
    }

    @Test func whatHoldsAnAttackerBackHasAFileAndATest() throws {
        let tests = try allTests()
        let page = try String(contentsOf: FloorTests.root.appending(path: "Docs/Threat-Model.md"), encoding: .utf8)
        func names(_ cell: Substring) -> [String] { cell.matches(of: /`([^`]+)`/).map { String($0.1) } }
        // Who or what they try, what holds them back, where, test.
        let rows = page.split(separator: "\n").map { $0.split(separator: "|", omittingEmptySubsequences: false) }
            .filter { $0.count == 6 && !$0[3].contains("---") && $0[3] != " where " }
        #expect(rows.count > 30)
        for row in rows {
            let (files, named) = (names(row[3]), names(row[4]))
            #expect(!files.isEmpty && !named.isEmpty, "\(row[1])")
            for file in files {
                let path = FloorTests.root.appending(path: "Sources/\(file)").path
                #expect(FileManager.default.fileExists(atPath: path), "\(row[1]): \(file)")
            }
            #expect(named.filter { !tests.contains($0) } == [], "\(row[1])")
        }
    }

    /// The names of all tests, in Swift and in Python. What only helps tests is none.
    private func allTests() throws -> Set<String> {
        let folder = FloorTests.root.appending(path: "Tests")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
        var names: Set<String> = []
        for file in files where ["swift", "py"].contains(file.pathExtension) {
            let text = try String(contentsOf: file, encoding: .utf8)
            let isSwift = file.pathExtension == "swift"
            for match in text.matches(of: isSwift ? /@Test\b[\s\S]*?\bfunc (\w+)\(/ : /(?m)^def (test_\w+)\(/) {
                names.insert(String(match.1))
            }
        }
        return names
    }
}
