public import PlatformKit
public import SwiftUI

/// The app, or a demonstration of it: the same screens on a phone that stores nothing, with a service that is part of the app.
public struct DemonstrationGate<Content: View, Demonstration: View>: View {
    private let phone: Phone
    private let content: () -> Content
    private let demonstration: (Phone) -> Demonstration
    /// The phone of the current demonstration; nil while the app itself is shown.
    @State private var demonstrated: Phone?

    /// - Parameters:
    ///   - content: The app. A ``DemonstrationButton`` in it begins the demonstration.
    ///   - demonstration: The demonstration, on its own phone.
    public init(
        on phone: Phone, @ViewBuilder content: @escaping () -> Content,
        @ViewBuilder demonstration: @escaping (Phone) -> Demonstration
    ) {
        self.phone = phone
        self.content = content
        self.demonstration = demonstration
    }

    public var body: some View {
        if let demonstrated {
            VStack(spacing: 0) {
                DemonstrationBar {
                    self.demonstrated = nil
                    // A client and its phone retain each other.
                    demonstrated.instances.removeAll()
                }
                demonstration(demonstrated).frame(maxWidth: .infinity, maxHeight: .infinity)
            }
        } else {
            content().environment(\.beginDemonstration, BeginDemonstration { demonstrated = phone.demonstration() })
        }
    }
}

/// A button that begins the demonstration. Not drawn in an app without one.
public struct DemonstrationButton: View {
    @Environment(\.beginDemonstration) private var begin

    public init() {}

    public var body: some View {
        if let begin {
            Button(Text("Try a Demonstration", bundle: .module)) { begin.action() }
                .buttonStyle(TextButtonStyle())
                .accessibilityIdentifier("try-demonstration")
        }
    }
}

/// A bar that names the screens below a demonstration, with a button that ends it.
private struct DemonstrationBar: View {
    let leave: () -> Void

    var body: some View {
        HStack(spacing: 12) {
            Text("Demonstration: invented data. Nothing is stored or sent.", bundle: .module)
                .font(.footnote)
                .frame(maxWidth: .infinity, alignment: .leading)
            Button {
                leave()
            } label: {
                Text("Leave", bundle: .module)
                    .font(.subheadline.weight(.semibold))
                    .underline()
                    .frame(minWidth: Metrics.control, minHeight: Metrics.control)
                    .contentShape(Rectangle())
            }
            .buttonStyle(.plain)
            .accessibilityIdentifier("leave-demonstration")
        }
        .padding(.horizontal, 16)
        .foregroundStyle(Color.black)
        .background { Color(red: 1, green: 0.8, blue: 0.25).ignoresSafeArea(edges: .top) }
        .accessibilityElement(children: .contain)
        .accessibilityIdentifier("demonstration")
    }
}

private struct BeginDemonstration: Sendable {
    let action: @MainActor @Sendable () -> Void
}

private enum BeginDemonstrationKey: EnvironmentKey { static var defaultValue: BeginDemonstration? { nil } }

extension EnvironmentValues {
    fileprivate var beginDemonstration: BeginDemonstration? {
        get { self[BeginDemonstrationKey.self] }
        set { self[BeginDemonstrationKey.self] = newValue }
    }
}
