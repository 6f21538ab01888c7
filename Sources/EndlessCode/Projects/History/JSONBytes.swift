import Foundation
import WireKit

/// A reader of values in the bytes of a JSON text, which does not build the whole value.
///
/// Bytes that are not read need not be valid, and a lone surrogate becomes U+FFFD. Nothing recurses deeper than ``maximumDepth``.
struct JSONBytes {
    static let maximumDepth = WireJSON.maximumDepth

    let bytes: UnsafeBufferPointer<UInt8>

    /// The whole text without white space around it.
    var whole: Range<Int> {
        var (start, end) = (0, bytes.count)
        while start < end, Self.isSpace(bytes[start]) { start += 1 }
        while end > start, Self.isSpace(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    /// Calls `body` with each member of the object at `range`, until it returns false.
    ///
    /// - Parameter body: Takes the key as written in the text, without its quotes, and the value.
    /// - Returns: False if this is not an object, or not a complete one.
    @discardableResult
    func members(of range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>.SubSequence, Range<Int>) -> Bool) -> Bool {
        items(of: range, UInt8(ascii: "{"), UInt8(ascii: "}")) { position in
            guard let keyEnd = end(ofStringAt: position, before: range.upperBound) else { return nil }
            var next = skipSpace(keyEnd, before: range.upperBound)
            guard next < range.upperBound, bytes[next] == UInt8(ascii: ":") else { return nil }
            next = skipSpace(next + 1, before: range.upperBound)
            guard let valueEnd = end(ofValueAt: next, before: range.upperBound) else { return nil }
            return (valueEnd, body(bytes[position + 1..<keyEnd - 1], next..<valueEnd))
        }
    }

    /// Calls `body` with each element of the array at `range`, until it returns false.
    ///
    /// - Returns: False if this is not an array, or not a complete one.
    @discardableResult
    func elements(of range: Range<Int>, _ body: (Range<Int>) -> Bool) -> Bool {
        items(of: range, UInt8(ascii: "["), UInt8(ascii: "]")) { position in
            end(ofValueAt: position, before: range.upperBound).map { ($0, body(position..<$0)) }
        }
    }

    /// Returns the value of the first member with a key; nil if there is none.
    func member(_ key: StaticString, of range: Range<Int>) -> Range<Int>? {
        var found: Range<Int>?
        members(of: range) { name, value in
            guard Self.equal(name, key) else { return true }
            found = value
            return false
        }
        return found
    }

    static func equal(_ bytes: UnsafeBufferPointer<UInt8>.SubSequence, _ text: StaticString) -> Bool {
        bytes.count == text.utf8CodeUnitCount
            && bytes.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Returns true if the value is the string `text`, which needs no escape sequence.
    func isString(_ range: Range<Int>?, _ text: StaticString) -> Bool {
        guard let range, isString(range) else { return false }
        return Self.equal(bytes[range.lowerBound + 1..<range.upperBound - 1], text)
    }

    func isString(_ range: Range<Int>) -> Bool { range.count >= 2 && bytes[range.lowerBound] == UInt8(ascii: "\"") }
    func isObject(_ range: Range<Int>) -> Bool { !range.isEmpty && bytes[range.lowerBound] == UInt8(ascii: "{") }
    func isTrue(_ range: Range<Int>?) -> Bool { range.map { bytes[$0].elementsEqual("true".utf8) } ?? false }

    // MARK: Values

    /// Returns the text of a string value; nil for another value.
    ///
    /// - Parameter limit: Maximum bytes of the result, which is cut between two scalars.
    func string(_ range: Range<Int>?, limit: Int = .max) -> String? {
        guard let range, isString(range) else { return nil }
        let inner = bytes[range.lowerBound + 1..<range.upperBound - 1]
        guard first(UInt8(ascii: "\\"), from: inner.startIndex, before: inner.endIndex) != nil else {
            return Self.text(inner, limit: limit)
        }
        var text: [UInt8] = []
        var position = inner.startIndex
        while position < inner.endIndex, text.count <= limit {
            let byte = inner[position]
            position += 1
            guard byte == UInt8(ascii: "\\"), position < inner.endIndex else {
                text.append(byte)
                continue
            }
            let escaped = inner[position]
            position += 1
            switch escaped {
            case UInt8(ascii: "n"): text.append(0x0a)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "r"): text.append(0x0d)
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0c)
            case UInt8(ascii: "u"):
                var unit = Self.unit(inner[position...])
                position = min(position + 4, inner.endIndex)
                if let high = unit, (0xd800...0xdbff).contains(high), inner[position...].starts(with: [0x5c, 0x75]),
                    let low = Self.unit(inner[(position + 2)...]), (0xdc00...0xdfff).contains(low)
                {
                    unit = 0x10000 + (high - 0xd800) << 10 + (low - 0xdc00)
                    position += 6
                }
                text.append(contentsOf: String(unit.flatMap(Unicode.Scalar.init) ?? "\u{fffd}").utf8)
            default: text.append(escaped)
            }
        }
        return Self.text(text, limit: limit)
    }

    /// Returns a value of at most ``maximumDepth`` levels; nil if it is deeper or not valid JSON.
    func value(_ range: Range<Int>, depth: Int = 0) -> JSONValue? {
        guard let first = range.isEmpty ? nil : bytes[range.lowerBound], depth <= Self.maximumDepth else { return nil }
        switch first {
        case UInt8(ascii: "\""): return string(range).map(JSONValue.string)
        case UInt8(ascii: "{"):
            var object: [String: JSONValue] = [:]
            var isValid = true
            let isComplete = members(of: range) { key, range in
                // The key as a string value: with its quotes.
                guard let name = string(key.startIndex - 1..<key.endIndex + 1), let value = value(range, depth: depth + 1) else {
                    isValid = false
                    return false
                }
                // Of a repeated key the first member counts, as in `WireJSON`.
                if object[name] == nil { object[name] = value }
                return true
            }
            return isComplete && isValid ? .object(object) : nil
        case UInt8(ascii: "["):
            var array: [JSONValue] = []
            var isValid = true
            let isComplete = elements(of: range) { range in
                guard let value = value(range, depth: depth + 1) else {
                    isValid = false
                    return false
                }
                array.append(value)
                return true
            }
            return isComplete && isValid ? .array(array) : nil
        default:
            let word = Self.text(bytes[range], limit: 400)
            if word == "null" { return .null }
            if word == "true" || word == "false" { return .bool(word == "true") }
            guard first == UInt8(ascii: "-") || first.isASCIIDigit else { return nil }
            if let integer = Int64(word) { return .integer(integer) }
            guard let number = Double(word), number.isFinite else { return nil }
            return Int64(exactly: number).map(JSONValue.integer) ?? .number(number)
        }
    }

    /// Returns the bytes of a value as text, cut between two scalars.
    func text(_ range: Range<Int>, limit: Int) -> String { Self.text(bytes[range], limit: limit) }

    private static func text(_ bytes: some RandomAccessCollection<UInt8>, limit: Int) -> String {
        String(decoding: bytes.prefix(UTF8Text.boundary(in: bytes, upTo: limit)), as: UTF8.self)
    }

    private static func unit(_ digits: UnsafeBufferPointer<UInt8>.SubSequence) -> UInt32? {
        let digits = digits.prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    // MARK: Structure

    /// - Parameter item: Takes the position of an item. Returns the item's end, and true to continue; nil if the item is malformed.
    private func items(of range: Range<Int>, _ open: UInt8, _ close: UInt8, _ item: (Int) -> (Int, Bool)?) -> Bool {
        guard !range.isEmpty, bytes[range.lowerBound] == open else { return false }
        var position = skipSpace(range.lowerBound + 1, before: range.upperBound)
        if position < range.upperBound, bytes[position] == close { return true }
        while position < range.upperBound {
            guard let (end, goesOn) = item(position) else { return false }
            if !goesOn { return true }
            position = skipSpace(end, before: range.upperBound)
            guard position < range.upperBound else { return false }
            if bytes[position] == close { return true }
            guard bytes[position] == UInt8(ascii: ",") else { return false }
            position = skipSpace(position + 1, before: range.upperBound)
        }
        return false
    }

    private func skipSpace(_ start: Int, before end: Int) -> Int {
        var position = start
        while position < end, Self.isSpace(bytes[position]) { position += 1 }
        return position
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 }

    private func end(ofStringAt start: Int, before end: Int) -> Int? {
        guard start < end, bytes[start] == UInt8(ascii: "\"") else { return nil }
        var position = start + 1
        while let quote = first(UInt8(ascii: "\""), from: position, before: end) {
            var slashes = 0
            while bytes[quote - slashes - 1] == UInt8(ascii: "\\"), quote - slashes - 1 > start { slashes += 1 }
            if slashes % 2 == 0 { return quote + 1 }
            position = quote + 1
        }
        return nil
    }

    /// Returns the position of a byte; nil if it is missing. Strings may be long, and the C library is faster than a loop.
    private func first(_ byte: UInt8, from start: Int, before end: Int) -> Int? {
        guard start < end, let base = bytes.baseAddress, let found = memchr(base + start, CInt(byte), end - start) else {
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Returns the end of a value; nil if it is incomplete. Of arrays and objects, it reads only brackets and strings.
    private func end(ofValueAt start: Int, before end: Int) -> Int? {
        guard start < end else { return nil }
        var depth = 0
        var position = start
        while position < end {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                guard let next = self.end(ofStringAt: position, before: end) else { return nil }
                position = next
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // The bracket closes the array or object around a number.
                if depth == 0 { return position > start ? position : nil }
                depth -= 1
                position += 1
            case UInt8(ascii: ",") where depth == 0: return position > start ? position : nil
            case let byte where depth == 0 && Self.isSpace(byte): return position
            default:
                position += 1
                if depth == 0 { continue }
            }
            if depth == 0,
                bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[")
            {
                return position
            }
        }
        return depth == 0 && position > start ? position : nil
    }
}
