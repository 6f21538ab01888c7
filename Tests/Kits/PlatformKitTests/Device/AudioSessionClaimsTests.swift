import PlatformKit
import Testing

@Suite struct AudioSessionClaimsTests {
    @Test func newerClaimEndsTheOneBeforeAlsoWhileItIsActivated() {
        var claims = AudioSessionClaims()
        let first = claims.claim()
        let second = claims.claim()
        #expect(!claims.holds(first) && claims.holds(second))
        claims.release(first)
        #expect(claims.holds(second) && !claims.isFree, "the end of the first is no reason to deactivate")
        claims.release(second)
        #expect(claims.isFree)
    }

    @Test func interruptionEndsTheClaim() {
        var claims = AudioSessionClaims()
        let claim = claims.claim()
        claims.interrupt()
        #expect(!claims.holds(claim) && claims.isFree)
        let next = claims.claim()
        claims.release(claim)
        #expect(claims.holds(next) && next != claim)
    }
}
