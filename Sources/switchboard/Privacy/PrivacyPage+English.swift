extension PrivacyPage.Language {
    static let english = PrivacyPage.Language(code: "en", name: "English", title: "Privacy") { facts in
        var sections = [
            PrivacyPage.Section(
                "Who runs this server",
                facts.owner.map { "This server is run by \($0). Ask there about your data." }
                    ?? "Whoever runs this server has not entered a name. Ask the person who gave you its address.",
                "It runs Switchboard, which has no advertising and no analytics. Others get data only where this page says so. Whoever runs the server, and has access to its files, can read what it stores."
            ),
            PrivacyPage.Section(
                "Connections",
                "Network addresses are used in memory to limit the number of attempts, and are not stored. The log of the server names no users and no contents."
            ),
        ]
        if facts.hasBrowserApps {
            sections.append(
                .init(
                    "Apps in the browser",
                    "A cookie tells the server which browser it is. The server keeps a folder for it, with the credentials of its apps, settings, and messages and recordings that were not sent yet. The folder is removed 90 days after its last use, or at once by “Forget this phone” in the settings of the home screen."
                ))
        }
        if facts.systems.contains("pager2077") {
            sections.append(
                .init(
                    "Pager2077",
                    "Stored: a random code instead of a name, the name that you choose, friends and their requests, when you were online last, scores, and messages for \(facts.pagerDays) days. Your friends see your code, your name and whether you are online.",
                    "You can delete your account in the app. An account that was never used is removed by itself."))
        }
        if facts.systems.contains("simbridge") {
            sections.append(
                .init(
                    "SimBridge",
                    "Stored: your user name, a hash of your password, or your identifier and e-mail address at Google; your devices and which of them are paired; the texts and calls that pass through the server, with their numbers and words, for \(facts.historyDays) days at most.",
                    "You can delete your account in the app. All of this is then deleted at once, and your other devices are logged out."
                ))
        }
        if facts.systems.contains("talkco") {
            sections.append(
                .init(
                    "TalkCo",
                    "Stored, under a random identifier: what you have said, as text, the tutor’s answers, marks and summaries, for \(facts.talkDays) days at most; your profile with your level, your goal and your mistakes; the tutor’s voice for a day. Recordings of your voice are not stored once they are recognised, unless you allow it in the app: then they are kept until you end the review, for 30 days at most.",
                    "If the server is connected to a language model or a speech recognition elsewhere, your words or your voice are sent there.",
                    "You can delete all of it in the app."))
        }
        if facts.systems.contains("localllm") {
            sections.append(
                .init(
                    "LocalLLM",
                    "Conversations are stored by the app. The computer with the model, which you choose, keeps answers for 24 hours so that your phone can fetch them, and a list of the phones that may use it. The public network by which the two find each other sees their network addresses and the identifier of that computer, and no contents."
                ))
        }
        if facts.systems.contains("endlesscode") {
            sections.append(
                .init(
                    "EndlessCode",
                    "The sessions of your coding agents stay on the computer where they run, for 90 days after their last use. This server stores sessions with its demonstration agent only. What an agent sends to its maker is up to that agent."
                ))
        }
        sections += [
            .init(
                "Notifications",
                "If you turn them on, the server stores the address of your device at a push service: that of Apple, of your browser’s maker, or an ntfy server. Browsers’ services cannot read notifications; Apple and an ntfy server can. Turning notifications off removes the address."
            ),
            .init("Backups", "What was deleted may still be in backups that were made before."),
        ]
        return sections
    }
}
