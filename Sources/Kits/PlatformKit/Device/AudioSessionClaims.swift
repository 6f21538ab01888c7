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

    /// True while there is no claim, so that the session may be deactivated.
    package var isFree: Bool { current == nil }

    /// Makes a claim, which ends the current claim.
    package mutating func claim() -> Claim {
        count += 1
        let claim = Claim(number: count)
        current = claim
        return claim
    }

    /// True until the claim is released, or ended by another one or by ``interrupt()``.
    package func holds(_ claim: Claim) -> Bool { current == claim }

    /// Ends a claim. Has no effect if the claim has ended already.
    package mutating func release(_ claim: Claim) { if current == claim { current = nil } }

    /// Ends the current claim. Called when the system has taken the session away.
    package mutating func interrupt() { current = nil }
}
