import MarkdownKit
import Testing

@Suite struct LinkTests {
    @Test(arguments: [
        ("[a](https://box.example/x)", "<:a>(https://box.example/x)"), ("[a](http://x)", "<:a>(http://x)"),
        ("[mail](mailto:ada@box.example)", "<:mail>(mailto:ada@box.example)"), ("[a](HTTPS://x)", "<:a>(HTTPS://x)"),
        ("[a](<https://x/a b>)", "<:a>(https://x/a%20b)"), ("[a](https://x \"title\")", "<:a>(https://x)"),
        ("[a](https://x 'it (is)')", "<:a>(https://x)"), ("[a]( https://x (t) )", "<:a>(https://x)"),
        ("[a](https://x/(b)_(c))", "<:a>(https://x/(b)_(c))"), ("[**a** b](https://x)", "<s:a>(https://x)<: b>(https://x)"),
        ("**[a](https://x)**", "<s:a>(https://x)"), ("[`a`](https://x)", "<c:a>(https://x)"),
        ("[a](https://x/ü)", "<:a>(https://x/ü)"),
        ("[a][b](https://x)", "[a]<:b>(https://x)"), ("[a [b] c](https://x)", "<:a [b] c>(https://x)"),
        ("*a [b*](https://x)", "*a <:b*>(https://x)"),
    ])
    func linksWithSafeSchemes(_ text: String, _ expected: String) { #expect(inlines(text) == expected) }

    @Test(arguments: [
        "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//x.example", "/relative", "#part",
        "vbscript:x", "https:x", "http://", "mailto:", "java\\script:x", "", "tel:123", "https&#58;//x", "<javascript:a>",
        "blob:https://x",
    ])
    func otherAddressesAreNotOpened(_ address: String) { #expect(inlines("see [a](\(address)) b") == "see a b") }

    @Test(arguments: [
        "[a] (https)", "[a](x y)", "[a]", "[a][b]", "[a](x", "[a](<x)", "[a](x \"t)", "a](x)", "[^1] and [2]: x", "[ ](",
    ])
    func incompleteLinksAreText(_ text: String) { #expect(inlines(text) == text) }

    @Test func linksDoNotNest() {
        #expect(inlines("[a [b](https://x) c](https://y)") == "[a <:b>(https://x) c](<:https://y>(https://y))")
        #expect(inlines("[https://x](https://y)") == "<:https://x>(https://y)")
    }

    @Test func imagesAreTheirAlternativeText() {
        #expect(inlines("see ![a *cat*](https://x/cat.png) b") == "see a <e:cat> b")
        #expect(inlines("[![badge](https://x/b.png)](https://y)") == "<:badge>(https://y)")
        #expect(inlines("wow! [a](https://x)") == "wow! <:a>(https://x)")
        #expect(inlines("![a]") == "![a]")
    }

    @Test(arguments: [
        ("<https://x/y>", "<:https://x/y>(https://x/y)"), ("<ada@box.example>", "<:ada@box.example>(mailto:ada@box.example)"),
        ("<javascript:x>", "<javascript:x>"), ("<a@b>", "<a@b>"), ("<https://x y>", "<<:https://x>(https://x) y>"),
    ])
    func addressesInAngleBrackets(_ text: String, _ expected: String) { #expect(inlines(text) == expected) }

    @Test(arguments: [
        ("see https://x.example/a?b=c#d.", "see <:https://x.example/a?b=c#d>(https://x.example/a?b=c#d)."),
        ("(https://x/a_(b))", "(<:https://x/a_(b)>(https://x/a_(b)))"), ("(see https://x).", "(see <:https://x>(https://x))."),
        ("**https://x**", "<s:https://x>(https://x)"), ("https://x를 보세요", "<:https://x>(https://x)를 보세요"), ("https://", "https://"),
        ("ahttps://x", "ahttps://x"), ("`https://x`", "<c:https://x>"), ("\"https://x\"", "\"<:https://x>(https://x)\""),
        ("https://x_y_z", "<:https://x_y_z>(https://x_y_z)"),
    ])
    func bareAddressesAreLinks(_ text: String, _ expected: String) { #expect(inlines(text) == expected) }
}
