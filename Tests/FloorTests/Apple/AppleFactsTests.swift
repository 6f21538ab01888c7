import Foundation
import Testing

/// `Tests/AppleFacts` holds facts of Apple's interfaces. Our SwiftUI and Charts, and the stubs for device code, declare the same.
@Suite struct AppleFactsTests {
    static let tables = FloorTests.root.appending(path: "Tests/AppleFacts")

    #if os(Linux)
        @Test func modulesAndStubsDeclareWhatAppleDeclares() async throws {
            let check = try await Script.run("apple-facts", "check")
            #expect(check.status == 0, "\(check.output)")
        }

        /// In a copy of the tables that says otherwise, each kind of difference is found.
        @Test func differencesAreFound() async throws {
            let folder = try Self.temporaryFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let copy = folder.appending(path: "facts")
            try FileManager.default.copyItem(at: Self.tables, to: copy)
            let changes = [
                (
                    "SwiftUI", "View.padding(_:_:)\tfunc\t\tEdge.Set = | CGFloat? =",
                    "View.padding(_:_:)\tfunc\t\tEdge.Set = | CGFloat?", "default"
                ),
                (
                    "SwiftUI", "View.zIndex(_:)\tfunc\t\tDouble", "View.zIndex(_:)\tfunc\t\tFloat",
                    "View.zIndex(_:)\ttype\tDouble\tFloat"
                ),
                ("SwiftUI", "View.hidden()\t", "View.concealed()\t", "View.hidden()\tname"),
                (
                    "SwiftUI", "View.tag(_:)\tfunc\tV\tV\tsome View\tV: Hashable", "View.tag(_:)\tfunc\tV\tV\tsome View\t",
                    "View.tag(_:)\tconstraints"
                ),
                (
                    "SwiftUI", "Divider.init()\tinit\t\t\t\t\t13.0", "Divider.init()\tinit\t\t\t\t\t17.1",
                    "Divider.init()\tversion\t\t17.1"
                ),
                (
                    "UIKit", "UIDevice.current\tstatic var\t\t\tUIDevice", "UIDevice.current\tstatic var\t\t\tUIDevice?",
                    "UIDevice.current\tresult"
                ),
                ("UIKit", "UIDevice\tclass\t\t\t\t\t2.0\tMainActor", "UIDevice\tclass\t\t\t\t\t2.0\t", "UIDevice\tMainActor"),
                ("differences", "SwiftUI\tView.body\tresult\tNever\tBody\n", "", "not listed: SwiftUI\tView.body\tresult"),
                (
                    "differences", "SwiftUI\tView\tMainActor", "SwiftUI\tVista\tMainActor",
                    "listed, and not so: SwiftUI\tVista\tMainActor"
                ),
            ]
            for (name, row, change, _) in changes {
                let file = copy.appending(path: "\(name).tsv")
                var text = try String(contentsOf: file, encoding: .utf8)
                try #require(text.contains(row), "\(row)")
                text.replace(row, with: change)
                try text.write(to: file, atomically: true, encoding: .utf8)
            }
            let check = try await Script.run("apple-facts", "check", copy.path)
            #expect(check.status == 1)
            for (_, _, _, fault) in changes { #expect(check.output.contains(fault), "\(fault) in \(check.output)") }
        }
    #endif

    /// The recorder reads Swift interface files and headers, and leaves out what nothing here declares.
    @Test func factsAreReadFromAnSDK() async throws {
        let sdk = try Self.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: sdk) }
        let frameworks = sdk.appending(path: "System/Library/Frameworks")
        let interface = """
            @available(iOS 13.0, macOS 10.15, *)
            @available(tvOS, unavailable)
            extension SwiftUI.View {
              @available(iOS 17.0, *)
              @available(macOS, unavailable, message: "no: {")
              @inlinable public func zIndex(_ value: Swift.Double = 0, @SwiftUI.ViewBuilder _ content: @escaping (_ a: Swift.Int) -> some SwiftUI.View = { _ in EmptyView() }) -> some SwiftUI.View {
                return modifier(Level(value))
              }
              #if compiler(>=5.3) && $Sendable
              @_Concurrency.MainActor(unsafe) public func hidden<T>(of kind: SwiftUI.Edge.Set) -> some SwiftUI.View where T : Swift.Hashable, T == Self.Body.Body
              #else
              public func hidden()
              #endif
              public func somethingElse() -> Swift.Int
            }
            @available(iOS, introduced: 13.0, deprecated: 16.4, message: "old")
            @frozen public enum Edge : Swift.Int8, Swift.CaseIterable {
              case top, `leading`
            }
            """
        let header = """
            NS_HEADER_AUDIT_BEGIN(nullability, sendability)
            /* - (void)hidden; */
            UIKIT_EXTERN API_AVAILABLE(ios(2.0)) API_UNAVAILABLE(macos) NS_SWIFT_UI_ACTOR
            @interface UIDevice : NSObject
            @property(class, nonatomic, readonly) UIDevice *currentDevice;
            @property(nullable,nonatomic,copy) NSString *name API_AVAILABLE(ios(16.1));
            @end
            @protocol UIApplicationDelegate<NSObject>
            @optional
            - (void)application:(UIApplication *)application didFailToRegisterForRemoteNotificationsWithError:(NSError *)error NS_SWIFT_NONISOLATED;
            @end
            """
        try Self.write(
            interface,
            to: frameworks.appending(path: "SwiftUI.framework/Modules/SwiftUI.swiftmodule/arm64-apple-ios.swiftinterface"))
        try Self.write(header, to: frameworks.appending(path: "UIKit.framework/Headers/UIDevice.h"))
        let tables = sdk.appending(path: "tables")
        try FileManager.default.createDirectory(at: tables, withIntermediateDirectories: true)
        let record = try await Script.run("apple-facts", "record", sdk.path, tables.path)
        #expect(record.status == 0, "\(record.output)")

        let swiftUI = try Self.rows(of: "SwiftUI", in: tables)
        #expect(
            swiftUI == [
                "symbol\tkind\tgenerics\tparameters\tresult\tconstraints\tiOS\tmarks",
                "Edge\tconformance\t\t\tCaseIterable\t\t13.0-16.4\t", "Edge\tconformance\t\t\tInt8\t\t13.0-16.4\t",
                "Edge\tenum\t\t\t\t\t13.0-16.4\tfrozen", "Edge.leading\tcase\t\t\t\t\t13.0-16.4\t",
                "Edge.top\tcase\t\t\t\t\t13.0-16.4\t",
                "View.hidden(of:)\tfunc\tT\tEdge.Set\tsome View\tT: Hashable | T == Body.Body\t13.0\tMainActor",
                "View.zIndex(_:_:)\tfunc\t\tDouble = | @ViewBuilder @escaping (Int) -> some View =\tsome View\t\t17.0\tnot on macOS",
            ])
        let uiKit = try Self.rows(of: "UIKit", in: tables)
        for row in [
            "UIDevice\tclass\t\t\t\t\t2.0\tMainActor | not on macOS",
            "UIDevice.current\tstatic var\t\t\tUIDevice\t\t2.0\tMainActor | not on macOS",
            "UIDevice.name\tvar\t\t\tString?\t\t16.1\tMainActor | not on macOS | set",
            "UIApplicationDelegate.application(_:didFailToRegisterForRemoteNotificationsWithError:)\tfunc\t\tUIApplication | Error\tVoid\t\t\t",
        ] {
            #expect(uiKit.contains(row), "\(uiKit)")
        }
    }

    private static func temporaryFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "apple-facts-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private static func write(_ text: String, to file: URL) throws {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    private static func rows(of module: String, in folder: URL) throws -> [String] {
        try String(contentsOf: folder.appending(path: "\(module).tsv"), encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
