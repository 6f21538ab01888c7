import Pager2077Wire
import ServerKit
import WireKit

/// The rate limit of attempts with hex codes that belong to no user.
///
/// A code has 32 bits, so codes of users can be found by trying. The limit holds per user, per network and for all together, since
/// an attacker can have many accounts and addresses. Young accounts share a part of the common limit, so that new ones, which cost
/// nothing, cannot use up the rest.
struct UnknownHexCodes: Sendable {
    /// The age up to which an account counts as young.
    static let youth: Duration = .seconds(86_400)
    /// The divisors of the common limit, for one network and for all young accounts together.
    static let (networkShare, youngShare) = (4, 2)

    private let user: RateLimiter
    private let network: RateLimiter
    private let young: RateLimiter
    private let all: RateLimiter
    private let now: @Sendable () -> Timestamp
    private let uptime: @Sendable () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - perMinute: Maximum unknown codes that one user may try per minute.
    ///   - perHour: Maximum unknown codes that all users may try per hour.
    ///   - now: The clock for the age of accounts.
    ///   - uptime: The clock for attempts.
    init(
        perMinute: Int, perHour: Int, now: @escaping @Sendable () -> Timestamp,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        user = RateLimiter(limit: perMinute, per: .seconds(60))
        network = RateLimiter(limit: max(perHour / Self.networkShare, 1), per: .seconds(3600))
        young = RateLimiter(limit: max(perHour / Self.youngShare, 1), per: .seconds(3600))
        all = RateLimiter(limit: perHour, per: .seconds(3600))
        self.now = now
        self.uptime = uptime
    }

    /// Runs `body`, which looks up a code, and counts the attempt if there is no such user.
    ///
    /// The limit is checked before the look-up: a refusal after it would reveal that the code exists. Attempts are counted before
    /// it too, and taken back if the code exists: otherwise any number of concurrent attempts could pass.
    ///
    /// - Parameter address: The network that the request came from.
    /// - Throws: ``PagerError`` `RATE_LIMITED`; the errors of `body`.
    func attempt<Value>(
        by caller: OwnUser, from address: String, _ body: () async throws -> Value
    ) async throws -> Value {
        let time = uptime()
        var limits = [(user, caller.id.rawValue), (network, address), (all, "")]
        if now() < caller.createdAt + Self.youth { limits.insert((young, ""), at: 2) }
        for (index, (limiter, key)) in limits.enumerated() {
            guard let wait = await limiter.attempt(key, now: time) else { continue }
            await takeBack(limits.prefix(index), countedAt: time)
            throw PagerError.tooManyAttempts(retryAfter: wait)
        }
        do {
            let value = try await body()
            await takeBack(limits[...], countedAt: time)
            return value
        } catch let error as PagerError where error.code == .userNotFound {
            throw error
        } catch {
            await takeBack(limits[...], countedAt: time)
            throw error
        }
    }

    private func takeBack(_ limits: ArraySlice<(RateLimiter, String)>, countedAt time: ContinuousClock.Instant) async {
        for (limiter, key) in limits { await limiter.takeBack(key, countedAt: time) }
    }
}
