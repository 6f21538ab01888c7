// Types that SwiftUI takes from UIKit and CoreGraphics. Pages: https://developer.apple.com/documentation/uikit/<type>/<member>

/// uikeyboardtype
public enum UIKeyboardType: Int, Sendable {
    case `default`, asciiCapable, numbersAndPunctuation
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case URL
    case numberPad, phonePad, namePhonePad, emailAddress, decimalPad, twitter, webSearch, asciiCapableNumberPad
}

/// uitextcontenttype
public struct UITextContentType: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let username = UITextContentType(rawValue: "")
    public static let password = UITextContentType(rawValue: "")
    public static let newPassword = UITextContentType(rawValue: "")
    public static let oneTimeCode = UITextContentType(rawValue: "")
    public static let name = UITextContentType(rawValue: "")
    public static let nickname = UITextContentType(rawValue: "")
    public static let emailAddress = UITextContentType(rawValue: "")
    public static let telephoneNumber = UITextContentType(rawValue: "")
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let URL = UITextContentType(rawValue: "")
}

/// coregraphics/cgaffinetransform
public struct CGAffineTransform: Equatable, Sendable {}
