import Pager2077Client
public import PlatformKit
public import SwiftUI
import ViewKit

/// The pager of a demonstration, in the language of the phone.
public struct PagerDemonstration: View {
    private let phone: Phone
    @Environment(\.locale) private var locale

    /// - Parameter phone: See `Phone.demonstration()`.
    public init(on phone: Phone) { self.phone = phone }

    public var body: some View { PagerRoot(.demonstration(on: phone, words: DemonstrationWords(locale)), on: phone) }
}

extension DemonstrationWords {
    @MainActor fileprivate init(_ locale: Locale) {
        let word = WordTable(.module, locale)
        self.init(
            friend: word("Mina"), otherFriend: word("Jun"), stranger: word("Nova"),
            messages: [
                word("Are you coming to the arcade tonight?"), word("On my way. Save me a seat!"), word("Done. Bring coins!"),
            ],
            otherMessages: [word("Happy birthday!"), word("Thank you, Jun!")],
            answers: [word("This is a demonstration: I answer everything."), word("Roger that!"), word("See you soon.")])
    }
}
