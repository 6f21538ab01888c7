import Testing

@testable import gallery

/// The command line.
@Suite struct OptionsTests {
    @Test func thePortHasTwoSpellings() throws {
        #expect(try GalleryOptions(["--port", "8090"]).port == 8090)
        #expect(try GalleryOptions(["--port=8090"]).port == 8090)
        #expect(try GalleryOptions([]).port == 0)
    }

    @Test(arguments: ["-h", "--help"])
    func helpIsPrintedOnRequest(argument: String) throws { #expect(try GalleryOptions([argument]).wantsHelp) }

    @Test(arguments: [["8090"], ["--prot", "1"], ["--port"], ["--port", "x"], ["--port", "65536"], ["--port=-1"], [""]])
    func unknownArgumentsAreRefused(arguments: [String]) {
        #expect(throws: GalleryOptions.Mistake.self) { try GalleryOptions(arguments) }
    }
}
