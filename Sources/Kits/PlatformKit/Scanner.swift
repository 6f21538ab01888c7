/// The camera as a reader of QR codes.
///
/// Apple's phones show VisionKit's scanner. In a browser the page shows the camera and sends stills, and the box reads them.
public protocol Scanner: Sendable {
    /// True if this phone has a camera that can be asked for. Does not prompt the user.
    func isAvailable() async -> Bool
    /// Shows the camera until it sees a wanted code, or the user closes it. Call it from the handler of a tap.
    ///
    /// - Parameters:
    ///   - prompt: A sentence for the user, next to the camera's picture.
    ///   - isWanted: Returns true for the text of a code that the app looks for. Other codes are ignored. Runs off the main actor.
    /// - Returns: The text; nil if the user closed the camera.
    /// - Throws: ``PhoneError``; `denied` if the user does not allow the camera. `CancellationError`, which closes the camera.
    func text(prompt: String, where isWanted: @escaping @Sendable (String) -> Bool) async throws -> String?
}

/// The scanner of a phone without a camera.
package struct NoScanner: Scanner {
    package init() {}
    package func isAvailable() async -> Bool { false }
    package func text(prompt: String, where isWanted: @escaping @Sendable (String) -> Bool) async throws -> String? {
        throw PhoneError.unsupported
    }
}
