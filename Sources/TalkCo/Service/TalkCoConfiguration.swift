package import Foundation
package import ServerKit
package import StorageKit

/// The configuration of TalkCo's service, without its engines. Read once, at the start. ``settings`` lists the names.
package struct TalkCoConfiguration: Sendable {
    package var database: DatabaseLocation
    /// Maximum count of open conversations. Over it, the longest idle one is closed.
    package var maximumConversations = 200
    package var maximumConversationsPerUser = 20
    /// Maximum count of open conversations of one network.
    package var maximumConversationsPerNetwork = 50
    /// Idle timeout of a conversation. Its session can still be ended and reviewed.
    package var idleTime: Duration = .seconds(1800)
    /// Maximum size of the audio that is stored for replays of turns, in bytes. Beyond it, the oldest audio is dropped, and a
    /// repeated turn is answered without audio.
    package var replayAudioSize = 268_435_456
    /// Retention of the audio for replays.
    package var replayAudioAge: Duration = .seconds(86_400)

    /// Maximum size of learners' recordings, in bytes. Beyond it, the network with the most bytes loses its oldest recording.
    package var recordingsSize = 268_435_456

    /// Retention of a talk after its end.
    package var talkAge: Duration = .seconds(365 * 86_400)
    /// Maximum count of a user's talks. Beyond it, the oldest is removed.
    package var talksPerUser = 500
    /// Maximum size of the texts of all talks, in bytes. Beyond it, the network with the most bytes loses its oldest talk.
    package var talksSize = 1_073_741_824

    package init(database: DatabaseLocation) {
        self.database = database
    }

    /// - Parameter dataFolder: The folder of the database, unless a setting names its file. Must exist.
    /// - Throws: `StartupError`.
    package init(_ settings: Settings, dataFolder: URL, server: String? = nil) throws(StartupError) {
        database = settings.database(dataFolder.appending(path: "talkco.db"), schema: TalkCoService.name, orOn: server)
        maximumConversations = try settings.integer("max.conversations", in: 1...10_000, default: 200)
        maximumConversationsPerUser = try settings.integer("max.conversations.per.user", in: 1...10_000, default: 20)
        maximumConversationsPerNetwork = try settings.integer("max.conversations.per.network", in: 1...10_000, default: 50)
        idleTime = .seconds(60 * (try settings.integer("idle.minutes", in: 1...1_440, default: 30)))
        replayAudioSize = try settings.integer("replay.audio.mib", in: 0...1_000_000, default: 256) * 1_048_576
        replayAudioAge = .seconds(3600 * (try settings.integer("replay.audio.hours", in: 1...8_760, default: 24)))
        recordingsSize = try settings.integer("recordings.mib", in: 0...1_000_000, default: 256) * 1_048_576
        talkAge = .seconds(86_400 * (try settings.integer("talk.days", in: 1...36_500, default: 365)))
        talksPerUser = try settings.integer("talks.per.user", in: 1...100_000, default: 500)
        talksSize = try settings.integer("talks.mib", in: 1...1_000_000, default: 1_024) * 1_048_576
    }

    /// All settings: name without prefix, meaning and default. In the combined `serve` each name begins with `TALKCO_`.
    package static let settings = [
        (name: "DB_PATH", meaning: "database file [talkco.db in the data folder]"),
        (name: "MAX_CONVERSATIONS", meaning: "open conversations; then the oldest idle one is closed [200]"),
        (name: "MAX_CONVERSATIONS_PER_USER", meaning: "the same for each user [20]"),
        (name: "MAX_CONVERSATIONS_PER_NETWORK", meaning: "the same for each network [50]"),
        (name: "IDLE_MINUTES", meaning: "idle time after which a conversation is closed [30]"),
        (name: "REPLAY_AUDIO_MIB", meaning: "audio kept to answer a repeated turn, in MiB; then the oldest is dropped [256]"),
        (name: "REPLAY_AUDIO_HOURS", meaning: "the time for which it is kept [24]"),
        (
            name: "RECORDINGS_MIB",
            meaning: "learners' recordings kept for their reviews, in MiB, where they allow it; then the oldest is dropped [256]"
        ),
        (name: "TALK_DAYS", meaning: "the time for which a talk is kept after its end [365]"),
        (name: "TALKS_PER_USER", meaning: "talks kept for each user; then the oldest is removed [500]"),
        (
            name: "TALKS_MIB",
            meaning: "text of all talks, in MiB; then the oldest of the network that holds the most is removed [1024]"
        ),
    ]
}
