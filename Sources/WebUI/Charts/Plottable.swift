public import SwiftUI

/// A type whose values a chart can show.
public protocol Plottable {
    associatedtype PrimitivePlottable: PrimitivePlottableProtocol
    var primitivePlottable: PrimitivePlottable { get }
    init?(primitivePlottable: PrimitivePlottable)
}

/// A type that charts plot directly: a number, or the name of a category.
public protocol PrimitivePlottableProtocol: Plottable {
    var _position: _Position { get }
}

/// A position on an axis.
public enum _Position: Hashable, Sendable {
    case number(Double)
    case category(String)

    /// The name of the category, or the formatted number.
    var name: String {
        switch self {
        case .number(let number): number.formatted()
        case .category(let name): name
        }
    }
}

extension PrimitivePlottableProtocol where PrimitivePlottable == Self {
    public var primitivePlottable: Self { self }
    public init?(primitivePlottable: Self) { self = primitivePlottable }
}

extension Double: PrimitivePlottableProtocol {
    public typealias PrimitivePlottable = Double
    public var _position: _Position { .number(self) }
}

extension Float: PrimitivePlottableProtocol {
    public typealias PrimitivePlottable = Float
    public var _position: _Position { .number(Double(self)) }
}

extension Int: PrimitivePlottableProtocol {
    public typealias PrimitivePlottable = Int
    public var _position: _Position { .number(Double(self)) }
}

extension String: PrimitivePlottableProtocol {
    public typealias PrimitivePlottable = String
    public var _position: _Position { .category(self) }
}

/// A value with the label of its meaning, which assistive technology reads.
public struct PlottableValue<Value: Plottable> {
    let label: Text
    let position: _Position

    public static func value(_ label: Text, _ value: Value) -> PlottableValue<Value> {
        PlottableValue(label: label, position: value.primitivePlottable._position)
    }
    public static func value(_ labelKey: LocalizedStringKey, _ value: Value) -> PlottableValue<Value> {
        .value(Text(labelKey), value)
    }
    @_disfavoredOverload
    public static func value<S: StringProtocol>(_ label: S, _ value: Value) -> PlottableValue<Value> { .value(Text(label), value) }
}
