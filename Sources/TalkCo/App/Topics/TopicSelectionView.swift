import PlatformKit
import SwiftUI
import TalkCoClient
import TalkCoWire
import ViewKit

/// The root page of the tab Practice: the topics, and the open session.
struct TopicSelectionView: View {
    let talk: TalkCo
    let phone: Phone
    @Bindable var navigation: AppNavigation
    /// The conversation that the learner has chosen while another session is open.
    @State private var wanted: ConversationStart?
    @State private var asks = false
    @SceneStorage("showsSession") private var showsSession = false

    var body: some View {
        NavigationStack(path: $navigation.path) {
            topics
                .navigationTitle(Text("Practice", bundle: .module))
                .navigationDestination(for: ConversationRoute.self) { route in
                    ConversationView(
                        talk: talk, conversation: route.conversation, phone: phone, pause: navigation.popToRoot,
                        popToRoot: popToRoot)
                }
                .navigationDestination(for: ReviewRoute.self) { route in
                    ReviewView(review: talk.review(of: route.session), phone: phone, onComplete: popToRoot)
                }
        }
        // After a restart, the app returns to the open session.
        .onAppear {
            if showsSession, !phone.isDemonstration, navigation.path.isEmpty, let open = talk.openSession { goOn(open) }
        }
        .onChange(of: navigation.path.isEmpty) { if !phone.isDemonstration { showsSession = !navigation.path.isEmpty } }
    }

    private var topics: some View {
        ScrollView {
            VStack(spacing: 14) {
                ProblemBanner(talk: talk)
                if let open = talk.openSession { OpenSessionCard(session: open) { goOn(open) } }
                if talk.profile.canPractice { PracticeCard { start(.practice) } }
                TopicGrid(topics: talk.topics) { start(.topic($0)) }
                if let engine = talk.engine { EngineNote(engine: engine) { talk.installEngines() } }
            }
            .padding(Metrics.padding)
            .column()
        }
        .page()
        // The profile has the weak points to practise.
        .onAppear { talk.profile.load() }
        .confirmationDialog(
            Text("Your last session is not finished.", bundle: .module), isPresented: $asks, titleVisibility: .visible
        ) {
            Button(Text("Continue Last Session", bundle: .module)) { if let open = talk.openSession { goOn(open) } }
            Button(Text("Start a New One", bundle: .module), role: .destructive) { if let wanted { begin(wanted) } }
        } message: {
            Text("If you start a new one, the last one is not summed up.", bundle: .module)
        }
    }

    private func start(_ start: ConversationStart) {
        if let open = talk.openSession, !start.continues(open) {
            wanted = start
            asks = true
        } else {
            begin(start)
        }
    }

    private func begin(_ start: ConversationStart) {
        switch start {
        case .topic(let topic): navigation.open(talk.conversation(on: topic))
        case .practice: navigation.open(talk.practice())
        }
    }

    private func goOn(_ open: OpenSession) {
        switch open.phase {
        case .conversation: begin(open.topic.map { .topic($0) } ?? .practice)
        case .review, .summary: navigation.open(reviewOf: open.id)
        }
    }

    private func popToRoot() {
        navigation.popToRoot()
        talk.leave()
    }
}
