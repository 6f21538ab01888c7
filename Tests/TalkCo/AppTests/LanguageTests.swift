import PhoneTestKit
import PlatformKit
import SwiftUI
import TalkCoApp
import TalkCoClient
import TalkCoTestKit
import TestKit
import Testing

/// The language of the app, chosen in its settings.
@Suite struct LanguageTests {
    @Test(arguments: ["en", "ko"]) func chineseCanBeHadOnEveryPhone(_ phoneLanguage: String) async throws {
        let box = try await TalkBox()
        let device = TestPhone()
        do {
            let hand = TalkHand(box, device: device, languages: [phoneLanguage])
            try await hand.screen.wait(for: "Daily life")
            hand.talk.settings.language = .traditionalChinese
            try await hand.screen.wait(for: "日常生活")
            #expect(hand.screen.has("練習") && hand.screen.has("我的") && !hand.screen.has("Daily life"))
            await device.phone().preferences.flush()
        }
        // It is kept, and reaches titles, dialogs and words that are no views.
        let hand = try await TalkHand.talking(box, device: device, languages: [phoneLanguage])
        #expect(hand.screen.title == "日常生活" && hand.screen.has("結束對話"))
        try hand.screen.escape()
        try await hand.screen.wait(for: "要離開對話嗎？")
        try hand.screen.tap("繼續對話")
        box.network.cut()
        try hand.screen.type("I like tea.", into: "draft")
        try hand.screen.tap("傳送")
        try await hand.screen.wait(for: "無法連上服務。請檢查網路連線。")
        box.network.mend()
    }

    @Test func languageIsChosenInTheProfile() async throws {
        let hand = TalkHand(try await TalkBox(), languages: ["zh-TW"])
        try await hand.screen.wait(for: "我的")
        try hand.screen.tap("我的")
        try await hand.screen.wait(for: "language")
        #expect(hand.screen.has("跟隨手機"))
        try hand.screen.tap("language")
        try await hand.screen.wait(for: "English")
        try hand.screen.tap("English")
        try await hand.screen.wait(for: "Language of the app")
        #expect(hand.screen.has("Me") && hand.talk.settings.language == .english)
        hand.talk.settings.language = .phone
        try await hand.screen.wait(for: "App 的語言")
    }
}
