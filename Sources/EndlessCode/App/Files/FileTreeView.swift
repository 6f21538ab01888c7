import EndlessCodeClient
import EndlessCodeWire
import SwiftUI
import ViewKit

/// The folders of a project as a tree, or the results of a search in them.
struct FileTreeView: View {
    let client: AgentClient
    let tree: FileTree
    @State private var text = ""

    var body: some View {
        List {
            if text.allSatisfy(\.isWhitespace) {
                NavigationLink(value: FilesPage.changes(tree.project)) { ChangesRow() }.plainRow()
                ForEach(tree.rows) { FileTreeRow(tree: tree, row: $0) }
            } else {
                results
            }
        }
        .plainList()
        .refreshable { await tree.refresh() }
        .searchable(
            text: $text, placement: .navigationBarDrawer(displayMode: .always), prompt: Text("Search Files", bundle: .module)
        )
        .task(id: client.status) { await tree.load() }
    }

    @ViewBuilder private var results: some View {
        let found = tree.search(text)
        if found.isEmpty { ContentUnavailableView.search(text: text).plainRow() }
        ForEach(found, id: \.path) { entry in
            EntryLink(tree: tree, entry: entry) { FileEntryRow(entry: entry, showsFolder: true) }.plainRow()
        }
        Text("The search covers the folders that you have opened.", bundle: .module)
            .font(.footnote)
            .padding(.vertical, 8)
            .plainRow()
    }
}

private struct ChangesRow: View {
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 12) {
            Image(systemName: "square.and.pencil").foregroundStyle(palette.accent).frame(width: 28).accessibilityHidden(true)
            Text("Changes", bundle: .module).frame(maxWidth: .infinity, alignment: .leading)
        }
        .frame(minHeight: Metrics.control)
    }
}

private struct FileTreeRow: View {
    let tree: FileTree
    let row: FileTree.Row
    @Environment(\.palette) private var palette

    var body: some View {
        switch row.content {
        case .entry(let entry):
            EntryLink(tree: tree, entry: entry) {
                FileEntryRow(entry: entry, depth: row.depth, isExpanded: entry.kind == .directory ? row.isExpanded : nil)
            }
            .plainRow()
        case .more(let folder, let count): more(folder, count).plainRow()
        case .loading:
            ProgressView()
                .accessibilityLabel(Text("Loading", bundle: .module))
                .frame(maxWidth: .infinity, minHeight: Metrics.control)
                .plainRow()
        case .failed(let folder, let problem): failed(folder, problem).plainRow()
        case .empty:
            Text("Empty folder", bundle: .module)
                .font(.subheadline)
                .foregroundStyle(palette.secondary)
                .padding(.leading, indent + 28)
                .frame(maxWidth: .infinity, minHeight: Metrics.control, alignment: .leading)
                .plainRow()
        }
    }

    private var indent: CGFloat { FileEntryRow.indent(of: row.depth) }

    private func more(_ folder: String, _ count: Int) -> some View {
        CommandButton {
            await tree.loadMore(of: folder)
        } label: {
            Text("Show \(min(count, Limits.folderPageSize)) more of \(count)", bundle: .module)
                .padding(.leading, indent + 28)
                .frame(maxWidth: .infinity, alignment: .leading)
        }
        .buttonStyle(TextButtonStyle(alignment: .leading))
    }

    private func failed(_ folder: String, _ problem: CodeProblem) -> some View {
        VStack(alignment: .leading, spacing: 0) {
            ProblemText(problem: problem)
            CommandButton(Text("Try Again", bundle: .module)) { await tree.loadMore(of: folder) }
                .buttonStyle(TextButtonStyle(alignment: .leading))
        }
        .padding(.leading, indent)
    }
}

/// A link that opens a file, or expands a folder in the tree.
private struct EntryLink<Content: View>: View {
    let tree: FileTree
    let entry: FileEntry
    @ViewBuilder let content: Content

    var body: some View {
        if entry.kind == .directory {
            CommandButton {
                await tree.toggle(entry.path)
            } label: {
                content.contentShape(Rectangle())
            }
            .buttonStyle(.plain)
        } else if entry.git == .deleted {
            // Of a deleted file, only the changes can be read.
            NavigationLink(value: FilesPage.changes(tree.project)) { content }
        } else {
            NavigationLink(value: FilesPage.file(entry.path, of: tree.project)) { content }
        }
    }
}

/// A file or folder with its icon and git mark.
struct FileEntryRow: View {
    let entry: FileEntry
    var depth = 0
    /// True for an expanded folder; nil for a file.
    var isExpanded: Bool?
    /// True if the path is shown below the name.
    var showsFolder = false
    @Environment(\.palette) private var palette

    /// Returns the indentation, limited so that deep folders fit on a narrow screen.
    static func indent(of depth: Int) -> CGFloat { CGFloat(min(depth, 8)) * 16 }

    var body: some View {
        HStack(spacing: 8) {
            Image(systemName: "chevron.right")
                .font(.caption)
                .foregroundStyle(palette.secondary)
                .rotationEffect(.degrees(isExpanded == true ? 90 : 0))
                .opacity(isExpanded == nil ? 0 : 1)
                .frame(width: 14)
                .accessibilityHidden(true)
            Image(systemName: FileIcon.symbol(of: entry))
                .foregroundStyle(entry.kind == .directory ? palette.accent : palette.secondary)
                .frame(width: 24)
                .accessibilityLabel(entry.kind == .directory ? Text("Folder", bundle: .module) : Text("File", bundle: .module))
            VStack(alignment: .leading, spacing: 1) {
                Text(verbatim: entry.name).strikethrough(entry.git == .deleted).lineLimit(1)
                if showsFolder, entry.path != entry.name {
                    Text(verbatim: entry.path).font(.caption).foregroundStyle(palette.secondary).lineLimit(1)
                }
            }
            .frame(maxWidth: .infinity, alignment: .leading)
            if let mark = entry.git { GitMarkView(mark: mark) }
        }
        .padding(.leading, Self.indent(of: depth))
        .frame(minHeight: Metrics.control)
        .accessibilityGroup("entry \(entry.path)")
    }
}

/// The state of a file in git, as a letter and a colour.
struct GitMarkView: View {
    let mark: FileEntry.GitMark
    @Environment(\.palette) private var palette

    var body: some View {
        Text(verbatim: mark.rawValue)
            .font(.footnote.weight(.bold))
            .monospaced()
            .foregroundStyle(color)
            .frame(width: 20)
            .accessibilityLabel(words)
    }

    private var color: Color {
        switch mark {
        case .modified: palette.warning
        case .added: palette.success
        case .deleted: palette.error
        case .untracked: palette.accent
        }
    }

    private var words: Text {
        switch mark {
        case .modified: Text("Modified", bundle: .module)
        case .added: Text("Added", bundle: .module)
        case .deleted: Text("Deleted", bundle: .module)
        case .untracked: Text("Untracked", bundle: .module)
        }
    }
}
