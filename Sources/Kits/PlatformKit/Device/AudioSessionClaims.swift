/// The claims on a phone's audio session. The session is activated and deactivated outside the main actor, which takes long; meanwhile another
/// claim, a call or the background can end the claim that it is activated for.
///
/// ```
///   claim ─▶ activated ─▶ still held: start ─▶ released ─▶ free: deactivate
///                 └─────▶ ended meanwhile: do not start
/// ```
package struct AudioSessionClaims: Sendable {
    package struct Claim: Hashable, Sendable { fileprivate let number: Int }

    private var count = 0
    private var current: Claim?

    package init() {}

    /// True while nobody has a claim: the session may be deactivated.
    package var isFree: Bool { current == nil }

    /// Makes a claim, which ends the present one.
    package mutating func claim() -> Claim {
        count += 1
        let claim = Claim(number: count)
        current = claim
        return claim
    }

    /// True until the claim is released, or ended by another one or by ``interrupt()``.
    package func holds(_ claim: Claim) -> Bool { current == claim }

    /// Ends a claim. Another one is left.
    package mutating func release(_ claim: Claim) { if current == claim { current = nil } }

    /// Ends the present claim: the system has taken the session away.
    package mutating func interrupt() { current = nil }
}
