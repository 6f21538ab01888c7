import EndlessCodeClient
import EndlessCodeWire
import PlatformKit
import SwiftUI
import ViewKit

/// The Files tab: the folders of a project, its files and its changes.
struct FilesTab: View {
    let client: AgentClient
    let navigation: AppNavigation
    @State private var path: [FilesPage] = []

    var body: some View {
        NavigationStack(path: $path) {
            start
                .bar(Text("Files", bundle: .module), client, navigation)
                .navigationDestination(for: FilesPage.self) { page in
                    switch page {
                    case .file(let path, let project): FileView(file: client.file(path, of: project))
                    case .changes(let project): ChangesView(changes: client.changes(of: project))
                    }
                }
        }
        .onChange(of: client.current) { path = [] }
        .onChange(of: navigation.project) { path = [] }
    }

    @ViewBuilder private var start: some View {
        if let project {
            VStack(spacing: 0) {
                ProjectChoice(client: client, navigation: navigation, project: project)
                // Another project has folders, a search and a position of its own.
                FileTreeView(client: client, tree: client.files(of: project.id)).id(project.id)
            }
            .page()
        } else {
            NoFiles(client: client, navigation: navigation)
        }
    }

    /// The chosen project, or the one used last; nil without projects.
    private var project: Project? { navigation.project.flatMap { client.project($0) } ?? client.projects.first }
}

/// A page that opens from the folders.
enum FilesPage: Hashable {
    case file(String, of: Project.ID)
    case changes(Project.ID)
}

private struct NoFiles: View {
    let client: AgentClient
    let navigation: AppNavigation

    var body: some View {
        List {
            if client.server != nil {
                PhaseRow(phase: client.projectsPhase, hasContent: false) { await client.refreshProjects() }
            }
            if client.server == nil || client.projectsPhase == .loaded {
                Placeholder(
                    symbol: "doc.text", title: Text("No projects", bundle: .module),
                    words: Text("Files of your projects appear here.", bundle: .module)
                )
                .plainRow()
            }
        }
        .plainList()
        .refreshable { await client.refreshProjects() }
        .task(id: client.status) { if client.status == .connected { await client.refreshProjects() } }
    }
}

/// The project whose files are shown, with a menu of the others.
private struct ProjectChoice: View {
    let client: AgentClient
    @Bindable var navigation: AppNavigation
    let project: Project
    @Environment(\.palette) private var palette

    var body: some View {
        Menu {
            Picker(selection: $navigation.project) {
                ForEach(client.projects) { Text(verbatim: $0.name).tag(Project.ID?.some($0.id)) }
            } label: {
                Text("Project", bundle: .module)
            }
        } label: {
            HStack(spacing: 8) {
                Image(systemName: "folder.fill").foregroundStyle(palette.accent).accessibilityHidden(true)
                VStack(alignment: .leading, spacing: 1) {
                    Text(verbatim: project.name).font(.headline).lineLimit(1)
                    Text(verbatim: project.path).font(.caption).foregroundStyle(palette.secondary).lineLimit(1)
                }
                .frame(maxWidth: .infinity, alignment: .leading)
                Image(systemName: "chevron.up.chevron.down").font(.footnote).foregroundStyle(palette.secondary).accessibilityHidden(
                    true)
            }
            .padding(.horizontal, Metrics.padding)
            .frame(maxWidth: .infinity, minHeight: 52)
            .contentShape(Rectangle())
        }
        .buttonStyle(.plain)
        .background(palette.card, in: Rectangle())
        .accessibilityIdentifier("project-choice")
        // The project used last is chosen until the user chooses.
        .onAppear { if navigation.project == nil { navigation.project = project.id } }
    }
}
