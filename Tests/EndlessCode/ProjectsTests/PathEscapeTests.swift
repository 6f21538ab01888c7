import EndlessCodeProjects
import Foundation
import TestKit
import Testing
import WireKit

/// Nothing outside of a project is read through it.
@Suite(.seeded) struct PathEscapeTests {
    /// A project with links of every kind.
    private func scratch() throws -> ScratchFolder {
        let scratch = try ScratchFolder()
        try scratch.write("sub/deep/file.txt", "visible")
        try scratch.link("out", to: "../outside")
        try scratch.link("out-file", to: "../outside/secret.txt")
        try scratch.link("out-absolute", to: scratch.outside.path)
        try scratch.link("root", to: "/")
        try scratch.link("sibling", to: scratch.inside.path + "-other")
        try scratch.link("sub/up", to: "../..")
        try scratch.link("sub/chain", to: "../out")
        try scratch.link("sub/deep/long", to: "../../sub/deep/../../../outside")
        try scratch.link("dots", to: String(repeating: "../", count: 100) + "etc")
        try scratch.link("back", to: "../inside/../outside")
        try scratch.link("in", to: "sub/deep")
        try FileManager.default.createDirectory(atPath: scratch.inside.path + "-other", withIntermediateDirectories: true)
        try Data(ScratchFolder.secret.utf8).write(to: URL(filePath: scratch.inside.path + "-other/secret.txt"))
        return scratch
    }

    private static let escapes: [String] = {
        let links = ["out", "out-absolute", "sub/up", "sub/chain", "sub/deep/long", "back", "in/long", "sibling"]
        let ways = ["", "/", "/secret.txt", "/outside/secret.txt", "/./secret.txt", "//secret.txt", "/../outside/secret.txt"]
        let parents = (1...20).flatMap { count in
            [
                String(repeating: "../", count: count) + "outside/secret.txt",
                "sub/" + String(repeating: "../", count: count + 1) + "outside",
                String(repeating: "sub/../", count: count) + "../outside/secret.txt",
            ]
        }
        let encodings = [
            "%2e%2e/outside/secret.txt", "..%2foutside", "%2e%2e%2foutside", "..%c0%afoutside", "..\\outside\\secret.txt",
            "．．/outside",
            "..\u{2215}outside", "․․/outside", "\u{f7ae}\u{f7ae}/outside", ".\u{200b}./outside", "..;/outside", "....//outside",
            "...//outside",
            "%00", "..%00/outside", "~/.ssh/id_rsa", "$HOME", "file:///etc/passwd", "sub/deep/file.txt%00.png",
        ]
        let others = [
            "..", "../", "./..", "sub/..", "sub/deep/../../..", "/", "//", "/etc/passwd", "//etc/passwd", "/proc/self/environ",
            "/../etc/passwd",
            "root/etc/passwd", "root/proc/self/root/etc/passwd", "out-file", "dots", "dots/passwd", "sub\u{0}/../../outside",
            "\u{0}", "a\u{0}b",
            "sub/deep/file.txt/../../../../outside/secret.txt",
        ]
        return links.flatMap { link in ways.map { link + $0 } } + parents + encodings + others
    }()

    @Test func noEscapeLeavesTheProject() async throws {
        let scratch = try scratch()
        let project = try scratch.project
        #expect(Self.escapes.count >= 150)

        for path in Self.escapes {
            let error = await failure { () async throws(ProjectError) in try await project.content(of: path) }
            let codes: [ProjectError.Code] = [.pathForbidden, .notFound, .notAFolder, .notAFile]
            #expect(codes.contains { $0 == error?.code }, "\(path.debugDescription): \(error?.detail ?? "it was read")")
            let other = await failure { () async throws(ProjectError) in try await project.list(path) }
            #expect(other != nil, "\(path.debugDescription) was listed")
        }
        // Links inside work, so that the refusals above are those of what leads outside.
        #expect(try await project.content(of: "in/file.txt").content == "visible")
    }

    @Test(arguments: [
        "../outside/secret.txt", "/etc/passwd", "out/secret.txt", "out-file", "sub/up/outside/secret.txt", "root/etc", "a\u{0}b",
        "dots",
    ])
    func whatLeadsOutsideIsForbidden(_ path: String) async throws {
        let scratch = try scratch()
        let project = try scratch.project

        #expect(await failure { () async throws(ProjectError) in try await project.content(of: path) }?.code == .pathForbidden)
        #expect(await failure { () async throws(ProjectError) in try await project.list(path) }?.code == .pathForbidden)
        withExtendedLifetime(scratch) {}
    }

    @Test func aProjectWhoseFolderBecameALinkIsNotRead() async throws {
        let scratch = try scratch()
        let project = try scratch.project
        try FileManager.default.removeItem(at: scratch.inside)
        try #require(symlink(scratch.outside.path, scratch.inside.path) == 0)

        #expect(await failure { () async throws(ProjectError) in try await project.list() } != nil)
        #expect(await failure { () async throws(ProjectError) in try await project.content(of: "secret.txt") } != nil)
    }

    @Test func mutatedPathsNeverShowTheSecret() async throws {
        let scratch = try scratch()
        let project = try scratch.project
        let corpus = (Self.escapes + ["sub/deep/file.txt", "in", "in/file.txt"]).map { Data($0.utf8) }

        try await fuzz(corpus, count: Effort.count(500, soak: 200_000)) { input in
            let path = String(decoding: input, as: UTF8.self)
            if let content = try? await project.content(of: path) { try #require(content.content == "visible") }
            if let page = try? await project.list(path) {
                try #require(page.entries.allSatisfy { $0.name != "secret.txt" && $0.name != "etc" })
            }
        }
    }

    /// A folder is exchanged with a link to the outside as fast as possible while it is read.
    @Test func exchangedLinksAreNotFollowed() async throws {
        let scratch = try scratch()
        try scratch.write("race/secret.txt", "visible")
        try scratch.link("link", to: "../outside")
        let project = try scratch.project
        let attacker = LinkExchange(scratch.inside.path + "/race", scratch.inside.path + "/link")
        defer { attacker.stop() }

        var changes = 0
        var last: ProjectError.Code?

        // On a busy machine the attacker rests for many rounds, so the exchanges that were seen count.
        let wanted = Effort.count(100, soak: 100_000)
        for _ in 0..<1_000 * wanted where changes < wanted {
            var outcome: ProjectError.Code?
            do throws(ProjectError) {
                let content = try await project.content(of: "race/secret.txt")
                #expect(content.content == "visible")
            } catch {
                outcome = error.code
            }
            if outcome != last { (changes, last) = (changes + 1, outcome) }
            if let page = try? await project.list("race") { #expect(page.entries.allSatisfy { $0.size == 7 }) }
        }
        #expect(changes == wanted, "the race did not happen")
    }
}

/// A thread that exchanges two names again and again.
private final class LinkExchange: Sendable {
    private let isStopped = Locked(false)
    private let end = DispatchSemaphore(value: 0)

    init(_ first: String, _ second: String) {
        typealias Exchange = @convention(c) (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>, CUnsignedInt) -> CInt
        // Not declared for Swift; RENAME_EXCHANGE is 2.
        let exchange = dlsym(nil, "renameat2").map { unsafeBitCast($0, to: Exchange.self) }
        let thread = Thread { [isStopped, end] in
            while !isStopped.withLock({ $0 }) { _ = exchange?(AT_FDCWD, first, AT_FDCWD, second, 2) }
            end.signal()
        }
        thread.start()
    }

    func stop() {
        isStopped.withLock { $0 = true }
        end.wait()
    }
}
