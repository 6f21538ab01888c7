import PlatformKit
import SwiftUI
import TalkCoClient
import ViewKit

/// The learner's page: level, weak points, learned sentences and settings.
struct ProfileView: View {
    let talk: TalkCo
    let phone: Phone
    let navigation: AppNavigation
    @Environment(\.wordBundle) private var wordBundle

    private var profile: ProfileViewModel { talk.profile }

    var body: some View {
        NavigationStack {
            ScrollView {
                VStack(spacing: 14) {
                    if let problem = profile.problem { problemCard(problem) }
                    if profile.profile != nil {
                        ProfileCards(profile: profile, practice: practice)
                    } else if profile.problem == nil {
                        BusyRow(words: String(localized: "Loading your profile…", bundle: wordBundle))
                    }
                    SettingsCard(settings: talk.settings)
                    if talk.model.model != nil, !phone.isDemonstration { ModelCard(model: talk.model, phone: phone) }
                    if let changeServer = phone.changeServer {
                        Button(Text("Change Server…", bundle: .module)) { changeServer() }.buttonStyle(TextButtonStyle())
                    }
                    PrivacyLink(phone.privacyPolicy)
                    if !phone.isDemonstration { DeleteDataButton(talk: talk) }
                }
                .padding(Metrics.padding)
                .column()
            }
            .scrollDismissesKeyboard(.interactively)
            .refreshable { profile.load() }
            .page()
            .navigationTitle(Text("Me", bundle: .module))
            .onAppear {
                profile.load()
                talk.model.load()
            }
        }
    }

    private func problemCard(_ problem: TalkCoProblem) -> some View {
        ProblemText(problem: problem) {
            Button(Text("Try Again", bundle: .module)) { profile.load() }.buttonStyle(TextButtonStyle(alignment: .leading))
        }
        .card(padding: 12)
    }

    /// Starts the practice, or shows the topics, which offer to finish another session first.
    private func practice() {
        if let open = talk.openSession, !ConversationStart.practice.continues(open) {
            navigation.tab = .practice
            navigation.popToRoot()
        } else {
            navigation.open(talk.practice())
        }
    }
}
