package import EndlessCodeWire
package import WireKit

extension Identifier: ExpressibleByStringLiteral, ExpressibleByExtendedGraphemeClusterLiteral, ExpressibleByUnicodeScalarLiteral {
    package init(stringLiteral value: String) { self.init(value) }
}

extension QuestionOption: ExpressibleByStringLiteral, ExpressibleByExtendedGraphemeClusterLiteral, ExpressibleByUnicodeScalarLiteral
{
    package init(stringLiteral value: String) { self.init(value) }
}
