import ClientKit
import Foundation
import Pager2077Wire
import PlatformKit

/// Sounds and the clipboard.
extension Pager {
    /// Beeps for a message, once for several that come together. In the background the notification has a sound of its own.
    func beep() {
        guard isInFront || !notifications.areShown else { return }
        guard lastBeep.map({ $0.duration(to: .now) > .seconds(2) }) ?? true else { return }
        lastBeep = .now
        playSoon(.message)
    }

    package enum Cue: Sendable {
        case key, confirm, error, message
    }

    /// Copies `text` to the clipboard.
    ///
    /// - Throws: ``PagerProblem``.
    package func copy(_ text: String) async throws {
        do {
            try await phone.clipboard.copy(text)
        } catch {
            throw PagerProblem.clipboard
        }
    }

    private static let soundKey = "sound"

    /// True if keys click and messages beep. A preference of this phone.
    package var hasSound: Bool {
        get {
            access(keyPath: \.hasSound)
            return phone.preferences.value(Bool.self, for: Self.soundKey) ?? true
        }
        set { withMutation(keyPath: \.hasSound) { phone.preferences.set(newValue, for: Self.soundKey) } }
    }

    /// Starts a sound without waiting for its end.
    package func playSoon(_ cue: Cue) { engine.tasks.start { await self.play(cue) } }

    package func play(_ cue: Cue) async {
        guard hasSound else { return }
        switch cue {
        case .key: await phone.sounds.play(Sound(notes: [.init(frequency: 1400, duration: .milliseconds(18), gain: 0.06)]))
        case .confirm:
            await phone.sounds.play(
                Sound(notes: [
                    .init(frequency: 1047, duration: .milliseconds(60), gain: 0.1),
                    .init(frequency: 1568, duration: .milliseconds(90), gain: 0.1),
                ]))
        case .error: await phone.sounds.play(Sound(notes: [.init(frequency: 196, duration: .milliseconds(180), gain: 0.12)]))
        case .message:
            let beep = Sound.Note(frequency: 2093, duration: .milliseconds(90), gain: 0.14)
            let pause = Sound.Note(frequency: 0, duration: .milliseconds(60), gain: 0)
            await phone.sounds.play(Sound(notes: [beep, pause, beep, pause, beep]))
            await phone.sounds.vibrate([.milliseconds(120), .milliseconds(80), .milliseconds(120)])
        }
    }
}
