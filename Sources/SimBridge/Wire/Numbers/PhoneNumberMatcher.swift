import Foundation
import WireKit

/// The rule that determines if two numbers belong to the same person, for conversations, calls and notifications on every device.
///
/// Numbers are compared in international form. A national number gets it from the country of the SIM card that received or dialled
/// the number. A national number without such a form is compared with an international number by the rules of the latter's country.
public struct PhoneNumberMatcher: Hashable, Sendable {
    private var plans: [Int: NumberingPlan] = [:]
    /// The only plan among the cards with a known plan; nil if there are several or none.
    private var commonPlan: NumberingPlan?

    /// - Parameter cards: The SIM cards of the host; none if they are not known.
    public init(_ cards: [SIMCard] = []) {
        self.init(callingCodes: Dictionary(cards.map { ($0.slot, $0.numberingPlan?.callingCode ?? "") }, uniquingKeysWith: { $1 }))
    }

    /// - Parameter callingCodes: The calling code of each SIM card's country, by slot.
    public init(callingCodes: [Int: String]) {
        plans = callingCodes.compactMapValues { NumberingPlan(callingCode: $0) }
        let all = Set(plans.values)
        commonPlan = all.count == 1 ? all.first : nil
    }

    /// The calling codes of the countries of the SIM cards, by slot, for storing.
    public var callingCodes: [Int: String] { plans.mapValues(\.callingCode) }

    /// Returns the key of all spellings of a number: its international form, else its digits. Another sender's key is its name.
    ///
    /// - Parameter sim: The slot of the card that the number was dialled from or shown to.
    public func key(_ text: String, sim: Int? = nil) -> String {
        guard let number = PhoneNumber.number(in: text) else {
            return text.filter { !$0.isInvisible }.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        return NumberingPlan.internationalForm(of: number, in: sim.flatMap { plans[$0] } ?? commonPlan) ?? number
    }

    /// True if two numbers reach the same person.
    public func matches(_ a: String, _ b: String, sim: Int? = nil) -> Bool {
        let (a, b) = (key(a, sim: sim), key(b, sim: sim))
        return a == b || Self.isNational(a, of: b) || Self.isNational(b, of: a)
    }

    /// Returns the only key in `others` that is the international form of a national number; nil if there is none, or several.
    ///
    /// - Parameters:
    ///   - key: A result of ``key(_:sim:)``.
    ///   - others: Results of ``key(_:sim:)``.
    public static func international(_ key: String, among others: some Sequence<String>) -> String? {
        let found = others.filter { isNational(key, of: $0) }
        return found.count == 1 ? found.first : nil
    }

    /// True if `key` is a national number whose international form in the country of `other` is `other`.
    private static func isNational(_ key: String, of other: String) -> Bool {
        guard NumberingPlan.mayBeNational(key), let plan = NumberingPlan(of: other) else { return false }
        return NumberingPlan.internationalForm(of: key, in: plan) == other
    }
}

extension SIMCard {
    /// The numbering plan of the country that issued the card, else of the card's number; nil if neither is known.
    public var numberingPlan: NumberingPlan? {
        mcc.flatMap { NumberingPlan(mobileCountryCode: $0) }
            ?? number.flatMap { PhoneNumber.number(in: $0) }.flatMap { NumberingPlan.internationalForm(of: $0, in: nil) }
            .flatMap { NumberingPlan(of: $0) }
    }
}

extension Character {
    fileprivate var isInvisible: Bool { unicodeScalars.allSatisfy(\.properties.isDefaultIgnorableCodePoint) }
}
