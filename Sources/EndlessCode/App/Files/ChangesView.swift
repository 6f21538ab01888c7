import EndlessCodeClient
import EndlessCodeWire
import HighlightKit
import SwiftUI
import ViewKit

/// The uncommitted changes of a project, staged and unstaged, folded by file.
struct ChangesView: View {
    @State private var changes: ProjectChanges
    @State private var patches: Patches?
    @State private var zoom = CodeZoom()

    init(changes: ProjectChanges) { _changes = State(initialValue: changes) }

    var body: some View {
        List {
            PhaseRow(phase: changes.phase, hasContent: changes.diff != nil) { await changes.load() }
            if let diff = changes.diff, let patches { content(diff, patches) }
        }
        .plainList()
        .refreshable { await changes.load() }
        .navigationTitle(Text("Changes", bundle: .module))
        .navigationBarTitleDisplayMode(.inline)
        .toolbar {
            ToolbarItem(placement: .topBarTrailing) { ZoomButton(zoom: zoom) }
        }
        .task { await changes.load() }
        .task(id: changes.diff) {
            guard let diff = changes.diff else { return }
            let made = await Patches.make(diff)
            if !Task.isCancelled { patches = made }
        }
    }

    @ViewBuilder private func content(_ diff: WorkTreeDiff, _ patches: Patches) -> some View {
        if let problem = diff.problem {
            Placeholder(
                symbol: "exclamationmark.triangle", title: Text("The repository cannot be read", bundle: .module),
                words: Text(verbatim: AgentClient.shown(problem))
            )
            .plainRow()
        } else if !diff.git {
            Placeholder(
                symbol: "folder", title: Text("Not a git repository", bundle: .module),
                words: Text("Changes are shown for projects with git.", bundle: .module)
            )
            .plainRow()
        } else if patches.staged.isEmpty, patches.unstaged.isEmpty, patches.workTrees.isEmpty {
            Placeholder(symbol: "checkmark.circle", title: Text("No changes", bundle: .module)).plainRow()
        }
        if diff.truncated {
            Text("There are more changes than can be shown.", bundle: .module).font(.footnote).padding(.vertical, 8).plainRow()
        }
        if !patches.staged.isEmpty {
            TitleRow(title: Text("Staged", bundle: .module))
            ForEach(patches.staged) { DiffFileRow(file: $0, zoom: zoom) }
        }
        if !patches.unstaged.isEmpty {
            TitleRow(title: Text("Not Staged", bundle: .module))
            ForEach(patches.unstaged) { DiffFileRow(file: $0, zoom: zoom) }
        }
        ForEach(patches.workTrees) { WorkTreeRows(tree: $0, zoom: zoom) }
    }
}

/// The changes of another work tree of the repository, such as an agent makes for itself.
private struct WorkTreeRows: View {
    let tree: Patches.WorkTree
    let zoom: CodeZoom
    @Environment(\.palette) private var palette

    var body: some View {
        TitleRow(title: Text("Work tree \(tree.name)", bundle: .module))
        note(Text(verbatim: [tree.path, tree.branch].compactMap(\.self).joined(separator: " · ")))
        if let problem = tree.problem { note(Text(verbatim: problem)) }
        if tree.isTruncated { note(Text("There are more changes than can be shown.", bundle: .module)) }
        if tree.files.isEmpty, tree.problem == nil { note(Text("No changes", bundle: .module)) }
        ForEach(tree.files) { DiffFileRow(file: $0.file, zoom: zoom, tree: tree.path) }
    }

    private func note(_ words: Text) -> some View {
        words.font(.footnote).foregroundStyle(palette.secondary).padding(.vertical, 4).plainRow()
    }
}

/// The files of a diff.
nonisolated struct Patches: Hashable, Sendable {
    let staged: [DiffFile]
    let unstaged: [DiffFile]
    let workTrees: [WorkTree]

    /// Another work tree. Its staged changes come first.
    struct WorkTree: Hashable, Sendable, Identifiable {
        struct File: Hashable, Sendable, Identifiable {
            /// The index among the files.
            let id: Int
            let file: DiffFile
        }

        let path: String
        let branch: String?
        let problem: String?
        let isTruncated: Bool
        let files: [File]

        var id: String { path }
        var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    }

    @concurrent static func make(_ diff: WorkTreeDiff) async -> Patches {
        Patches(
            staged: UnifiedDiff(diff.staged).files, unstaged: UnifiedDiff(diff.unstaged).files,
            workTrees: (diff.workTrees ?? []).map { tree in
                let files = UnifiedDiff(tree.staged).files + UnifiedDiff(tree.unstaged).files
                return WorkTree(
                    path: AgentClient.shown(tree.path), branch: tree.branch.map(AgentClient.shown),
                    problem: tree.problem.map(AgentClient.shown), isTruncated: tree.truncated,
                    files: files.enumerated().map { WorkTree.File(id: $0, file: $1) })
            })
    }
}

/// A changed file, whose lines are shown by a tap.
private struct DiffFileRow: View {
    let file: DiffFile
    let zoom: CodeZoom
    /// The path of the file's work tree; nil for the project's own.
    var tree: String?
    @State private var isOpen = false
    /// Count of lines that are shown.
    @State private var limit = Self.page
    @Environment(\.palette) private var palette

    /// Count of lines that are shown at first, and added by each tap.
    private static let page = 400

    var body: some View {
        Button {
            isOpen.toggle()
        } label: {
            header
        }
        .buttonStyle(.plain)
        .accessibilityValue(isOpen ? Text("Open", bundle: .module) : Text("Closed", bundle: .module))
        .accessibilityIdentifier("diff \(tree.map { $0 + "/" } ?? "")\(file.path)")
        .row()
        if isOpen { lines.listRowInsets(EdgeInsets()).plainRow() }
    }

    private var header: some View {
        HStack(spacing: 8) {
            Image(systemName: "chevron.right")
                .font(.caption)
                .foregroundStyle(palette.secondary)
                .rotationEffect(.degrees(isOpen ? 90 : 0))
                .frame(width: 14)
                .accessibilityHidden(true)
            GitMarkView(mark: mark)
            VStack(alignment: .leading, spacing: 1) {
                Text(verbatim: name).lineLimit(1)
                if place != name { Text(verbatim: place).font(.caption).foregroundStyle(palette.secondary).lineLimit(1) }
            }
            .frame(maxWidth: .infinity, alignment: .leading)
            DiffCounts(inserted: file.insertedLineCount, deleted: file.deletedLineCount)
        }
        .frame(minHeight: 52)
        .contentShape(Rectangle())
    }

    private var name: String { (file.path.split(separator: "/").last.map(String.init) ?? file.path).visible }

    /// The path; for a moved file, the old and the new one.
    private var place: String {
        if let old = file.oldPath, let new = file.newPath, old != new {
            "\(old.visible) → \(new.visible)"
        } else {
            file.path.visible
        }
    }

    private var mark: FileEntry.GitMark {
        switch file.change {
        case .added, .copied: .added
        case .deleted: .deleted
        case .modified, .renamed: .modified
        }
    }

    private var lines: some View {
        VStack(alignment: .leading, spacing: 0) {
            ForEach(hunks, id: \.hunk.id) { part in
                HunkHeader(hunk: part.hunk)
                DiffView(rows: part.rows, zoom: zoom)
            }
            if file.hunks.isEmpty { nothing.font(.subheadline).foregroundStyle(palette.secondary).padding(Metrics.padding) }
            if lineCount > limit {
                Button(Text("Show \(min(Self.page, lineCount - limit)) more of \(lineCount - limit)", bundle: .module)) {
                    limit += Self.page
                }
                .buttonStyle(WideButtonStyle(role: .other))
                .padding(Metrics.padding)
            }
        }
        .frame(maxWidth: .infinity, alignment: .leading)
        .padding(.bottom, 8)
    }

    private var lineCount: Int { file.hunks.reduce(0) { $0 + $1.lines.count } }

    /// The first ``limit`` lines, by hunk.
    private var hunks: [(hunk: DiffHunk, rows: [DiffRow])] {
        var rest = limit
        var result: [(DiffHunk, [DiffRow])] = []
        for hunk in file.hunks where rest > 0 {
            let rows = DiffRows.rows(of: hunk, file.language, limit: rest)
            result.append((hunk, rows))
            rest -= rows.count
        }
        return result
    }

    private var nothing: Text {
        if file.isBinary { return Text("Binary file", bundle: .module) }
        if let old = file.oldMode, let new = file.newMode { return Text("Permissions \(old) → \(new)", bundle: .module) }
        return Text("No lines changed", bundle: .module)
    }
}

/// The position of a hunk in its file.
private struct HunkHeader: View {
    let hunk: DiffHunk
    private var number: Int { hunk.newStart > 0 ? hunk.newStart : hunk.oldStart }
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 8) {
            Text("Line \(number)", bundle: .module).fixedSize()
            Text(verbatim: hunk.section.visible).monospaced().lineLimit(1)
        }
        .font(.caption)
        .foregroundStyle(palette.secondary)
        .padding(.horizontal, Metrics.padding)
        .padding(.vertical, 6)
        .frame(maxWidth: .infinity, alignment: .leading)
        .background(palette.card, in: Rectangle())
    }
}
