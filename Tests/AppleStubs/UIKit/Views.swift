// The views of UIKit that the scanner uses. Pages: https://developer.apple.com/documentation/uikit/<type>/<member>
public import Foundation

/// uiscene
@MainActor
open class UIScene: UIResponder {
    /// uiscene/activationstate-swift.enum
    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive, foregroundInactive, background
    }
    open var activationState: ActivationState { fatalError() }
    /// uiscene/didactivatenotification
    public nonisolated class var didActivateNotification: NSNotification.Name { fatalError() }
}

/// uiwindowscene
@MainActor
open class UIWindowScene: UIScene {
    @available(iOS 15.0, *)
    open var keyWindow: UIWindow? { fatalError() }
}

/// uiview
@MainActor
open class UIView: UIResponder {
    open var backgroundColor: UIColor?
    open var translatesAutoresizingMaskIntoConstraints = true
    open var layoutMarginsGuide: UILayoutGuide { fatalError() }
    open var topAnchor: NSLayoutYAxisAnchor { fatalError() }
    open var bottomAnchor: NSLayoutYAxisAnchor { fatalError() }
    open var leadingAnchor: NSLayoutXAxisAnchor { fatalError() }
    open var trailingAnchor: NSLayoutXAxisAnchor { fatalError() }
    open var heightAnchor: NSLayoutDimension { fatalError() }
    open func addSubview(_ view: UIView) {}
}

/// uiwindow
@MainActor
open class UIWindow: UIView {
    open var rootViewController: UIViewController?
}

/// uiviewcontroller
@MainActor
open class UIViewController: UIResponder {
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}
    public required init?(coder: NSCoder) {}
    open var view: UIView! {
        get { fatalError() }
        set {}
    }
    open var modalPresentationStyle: UIModalPresentationStyle {
        get { fatalError() }
        set {}
    }
    open var presentedViewController: UIViewController? { fatalError() }
    open var isBeingDismissed: Bool { fatalError() }
    open var presentingViewController: UIViewController? { fatalError() }
    open func viewDidLoad() {}
    open func viewDidAppear(_ animated: Bool) {}
    open func addChild(_ childController: UIViewController) {}
    open func didMove(toParent parent: UIViewController?) {}
    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
    ) {}
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {}
    /// objectivec/nsobject-swift.class/accessibilityperformescape(), which every NSObject has on iOS.
    open func accessibilityPerformEscape() -> Bool { fatalError() }
}

/// uimodalpresentationstyle
public enum UIModalPresentationStyle: Int, Sendable {
    case fullScreen = 0
}

/// uilabel
@MainActor
open class UILabel: UIView {
    public override init() {}
    open var text: String?
    open var font: UIFont!
    open var numberOfLines = 1
    open var textAlignment = NSTextAlignment.left
    open var adjustsFontForContentSizeCategory = false
}

/// nstextalignment
public enum NSTextAlignment: Int, Sendable {
    case left, center, right, justified, natural
}

/// uifont
open class UIFont: NSObject {
    /// uifont/textstyle
    public struct TextStyle: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let body = TextStyle(rawValue: "")
    }
    open class func preferredFont(forTextStyle style: TextStyle) -> UIFont { fatalError() }
}

/// uicolor
open class UIColor: NSObject {
    open class var systemBackground: UIColor { fatalError() }
}

/// uiaction
@MainActor
open class UIAction: NSObject {
    public convenience init(title: String = "", handler: @escaping (UIAction) -> Void) { fatalError() }
}

/// uibutton
@MainActor
open class UIButton: UIView {
    /// uibutton/configuration-swift.struct
    public struct Configuration {
        public enum Size: Sendable {
            case mini, small, medium, large
        }
        public static func gray() -> Configuration { fatalError() }
        public var title: String?
        public var buttonSize: Size
    }
    @available(iOS 15.0, *)
    public convenience init(configuration: Configuration, primaryAction: UIAction? = nil) { fatalError() }
}

/// uistackview
@MainActor
open class UIStackView: UIView {
    public convenience init(arrangedSubviews views: [UIView]) { fatalError() }
    open var axis = NSLayoutConstraint.Axis.horizontal
    open var spacing: CGFloat = 0
}

/// uilayoutguide
@MainActor
open class UILayoutGuide: NSObject {
    open var topAnchor: NSLayoutYAxisAnchor { fatalError() }
    open var bottomAnchor: NSLayoutYAxisAnchor { fatalError() }
    open var leadingAnchor: NSLayoutXAxisAnchor { fatalError() }
    open var trailingAnchor: NSLayoutXAxisAnchor { fatalError() }
}

/// nslayoutconstraint
@MainActor
open class NSLayoutConstraint: NSObject {
    /// nslayoutconstraint/axis
    public enum Axis: Int, Sendable {
        case horizontal, vertical
    }
    open class func activate(_ constraints: [NSLayoutConstraint]) {}
}

/// nslayoutanchor
@MainActor
open class NSLayoutAnchor<AnchorType: AnyObject>: NSObject {
    open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint { fatalError() }
}

/// nslayoutxaxisanchor
@MainActor
open class NSLayoutXAxisAnchor: NSLayoutAnchor<NSLayoutXAxisAnchor> {}

/// nslayoutyaxisanchor
@MainActor
open class NSLayoutYAxisAnchor: NSLayoutAnchor<NSLayoutYAxisAnchor> {}

/// nslayoutdimension
@MainActor
open class NSLayoutDimension: NSLayoutAnchor<NSLayoutDimension> {
    open func constraint(greaterThanOrEqualToConstant c: CGFloat) -> NSLayoutConstraint { fatalError() }
}
