import EndlessCodeClient
import EndlessCodeWire
import PlatformKit
import SwiftUI
import ViewKit

/// The Projects tab: the projects of the server, and the sessions of one.
struct ProjectsTab: View {
    let client: AgentClient
    let phone: Phone
    let navigation: AppNavigation
    @State private var path: [Project.ID] = []

    var body: some View {
        NavigationStack(path: $path) {
            ProjectList(client: client, phone: phone, navigation: navigation)
                .bar(Text("Projects", bundle: .module), client, navigation)
                .navigationDestination(for: Project.ID.self) { id in
                    ProjectView(client: client, phone: phone, navigation: navigation, project: id)
                }
        }
        .onChange(of: path) { if let project = path.last { navigation.project = project } }
        // The content belongs to one server.
        .onChange(of: client.current) { path = [] }
    }
}

/// All projects, the latest use first.
private struct ProjectList: View {
    let client: AgentClient
    let phone: Phone
    let navigation: AppNavigation
    @State private var text = ""
    @State private var now = Date()

    var body: some View {
        List {
            if client.server == nil {
                noServer.plainRow()
            } else {
                PhaseRow(phase: client.projectsPhase, hasContent: !client.projects.isEmpty) {
                    await client.refreshProjects()
                }
                if client.projects.isEmpty, client.projectsPhase == .loaded { empty.plainRow() }
                if found.isEmpty, !client.projects.isEmpty { ContentUnavailableView.search(text: text).plainRow() }
                ForEach(found) { project in
                    NavigationLink(value: project.id) { ProjectRow(project: project, now: now) }.row()
                }
            }
        }
        .plainList()
        .refreshable {
            await client.refreshProjects()
            now = Date()
        }
        .searchable(
            text: $text, placement: .navigationBarDrawer(displayMode: .always), prompt: Text("Search Projects", bundle: .module)
        )
        .task(id: client.status) { if client.status == .connected { await client.refreshProjects() } }
        .ticking($now, phone.clock)
    }

    /// The projects whose name or path contains each word of the search.
    private var found: [Project] {
        let words = text.split(whereSeparator: \.isWhitespace)
        return client.projects.filter { project in
            words.allSatisfy { project.name.localizedStandardContains($0) || project.path.localizedStandardContains($0) }
        }
    }

    private var noServer: some View {
        Placeholder(
            symbol: "server.rack", title: Text("No server yet", bundle: .module),
            words: Text("Run “switchboard endlesscode host” on your computer, and add it in the settings.", bundle: .module)
        ) {
            Button(Text("Open Settings", bundle: .module)) { navigation.tab = .settings }
                .buttonStyle(TextButtonStyle())
        }
    }

    private var empty: some View {
        Placeholder(
            symbol: "folder", title: Text("No projects", bundle: .module),
            words: Text("Start the server with “--project” and a folder.", bundle: .module))
    }
}

private struct ProjectRow: View {
    let project: Project
    let now: Date
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 12) {
            Image(systemName: "folder.fill").foregroundStyle(palette.accent).frame(width: 28).accessibilityHidden(true)
            VStack(alignment: .leading, spacing: 3) {
                Text(verbatim: project.name).font(.headline).lineLimit(1)
                Text(verbatim: project.path).font(.footnote).foregroundStyle(palette.secondary).lineLimit(1)
                HStack(spacing: 8) {
                    if let date = project.lastUse { RelativeTime(date: date, now: now) }
                    sessions
                }
                .font(.footnote)
                .foregroundStyle(palette.secondary)
            }
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .frame(minHeight: 84)
        .accessibilityGroup("project \(project.name)")
    }

    private var sessions: Text {
        project.sessionCount == 1
            ? Text("1 session", bundle: .module) : Text("\(project.sessionCount) sessions", bundle: .module)
    }
}

extension View {
    /// Sets `now` to the current time twice a minute, for relative times.
    func ticking(_ now: Binding<Date>, _ clock: any Clock<Duration>) -> some View {
        task {
            repeat { now.wrappedValue = Date() } while (try? await clock.sleep(for: .seconds(30))) != nil
        }
    }
}
