import Testing
import WireKit

@Suite struct EndpointTests {
    @Test func parametersAreFilledInAndPercentEncoded() {
        let endpoint = Endpoint<NoBody, NoBody>(.get, "/api/friends/:friendId/notes/:note")

        #expect(endpoint.path(["friendId": "a b/ü", "note": "1"]) == "/api/friends/a%20b%2F%C3%BC/notes/1")
    }

    @Test func missingParameterStaysVisible() {
        #expect(Endpoint<NoBody, NoBody>(.get, "/a/:id").path([:]) == "/a/:id")
    }
}
