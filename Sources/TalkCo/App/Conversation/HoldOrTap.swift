import SwiftUI

/// The gestures of the talk button: hold to talk, or tap to start and tap again to stop.
///
/// A button reports the press, the release and the tap. Keyboards and assistive technology report only the tap.
struct HoldOrTap {
    enum Action: Hashable { case start, stop }

    /// Minimum duration of a hold; a shorter press is a tap.
    static let holdTime = Duration.milliseconds(400)
    /// Maximum time between the release of a press and the report of its tap.
    static let echoTime = Duration.milliseconds(700)

    private var pressStart: ContinuousClock.Instant?
    private var lastRelease: ContinuousClock.Instant?
    /// True if the press under way has started the recording.
    private var hasStarted = false

    mutating func pressed(at time: ContinuousClock.Instant, isRecording: Bool) -> Action? {
        pressStart = time
        hasStarted = !isRecording
        return isRecording ? nil : .start
    }

    mutating func released(at time: ContinuousClock.Instant) -> Action? {
        guard let start = pressStart else { return nil }
        pressStart = nil
        lastRelease = time
        return hasStarted && time - start < Self.holdTime ? nil : .stop
    }

    /// - Returns: Nil for the tap of a press that was handled already.
    mutating func tapped(at time: ContinuousClock.Instant, isRecording: Bool) -> Action? {
        guard pressStart == nil else { return nil }
        if let lastRelease, time - lastRelease < Self.echoTime {
            self.lastRelease = nil
            return nil
        }
        return isRecording ? .stop : .start
    }
}
