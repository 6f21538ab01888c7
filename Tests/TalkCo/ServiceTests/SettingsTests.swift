import Foundation
import ServerKit
import StorageKit
import Testing

@testable import TalkCoService

@Suite struct SettingsTests {
    private let folder = URL(filePath: "/data")

    private func configuration(_ environment: [String: String]) throws -> TalkCoConfiguration {
        try TalkCoConfiguration(Settings(environment: environment).scoped(to: "talkco"), dataFolder: folder)
    }

    @Test func nothingIsRequired() throws {
        let configuration = try configuration([:])
        #expect(configuration.database == .file(URL(filePath: "/data/talkco.db")))
        #expect(configuration.maximumConversations == 200 && configuration.maximumConversationsPerUser == 20)
        #expect(configuration.idleTime == .seconds(1_800) && configuration.replayAudioSize == 268_435_456)
    }

    @Test func everySettingIsReadAndListed() throws {
        let values = [
            "DB_PATH": "/x/t.db", "MAX_CONVERSATIONS": "3", "MAX_CONVERSATIONS_PER_USER": "2", "IDLE_MINUTES": "1",
            "REPLAY_AUDIO_MIB": "4", "REPLAY_AUDIO_HOURS": "5", "RECORDINGS_MIB": "3", "MAX_CONVERSATIONS_PER_NETWORK": "6",
            "TALK_DAYS": "7",
            "TALKS_PER_USER": "8", "TALKS_MIB": "9",
        ]
        #expect(Set(TalkCoConfiguration.settings.map(\.name)) == Set(values.keys))
        let configuration = try configuration(Dictionary(uniqueKeysWithValues: values.map { ("TALKCO_\($0)", $1) }))
        #expect(configuration.database == .file(URL(filePath: "/x/t.db")) && configuration.maximumConversations == 3)
        #expect(configuration.maximumConversationsPerUser == 2 && configuration.idleTime == .seconds(60))
        #expect(configuration.replayAudioSize == 4_194_304 && configuration.replayAudioAge == .seconds(18_000))
        #expect(configuration.maximumConversationsPerNetwork == 6 && configuration.talkAge == .seconds(604_800))
        #expect(configuration.talksPerUser == 8 && configuration.talksSize == 9_437_184)
    }

    @Test func wrongValueIsNamed() {
        let error = #expect(throws: StartupError.self) { try configuration(["TALKCO_IDLE_MINUTES": "soon"]) }
        #expect("\(error!)".contains("TALKCO_IDLE_MINUTES"))
    }
}
