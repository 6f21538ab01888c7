import HighlightKit

/// Languages of programs.
let codeSamples: [Sample] = [
    Sample(
        .swift,
        ##"""
        import Foundation
        /* a /* nested */ still
         comment */ @Observable final class Box<T: Sendable>: View { // tail
            #if os(Linux)
            let x = 0x1F_ff + 1.5e-3 ... 9, y = "a \(f("x", [1: ")"]) + b) c" + #"raw \n \#(v) "q" "#
            let s = """
                multi "quoted" \(name)
                end
                """ ; func go(_ a: Int) async throws -> String? { a.default ; return .init() }
            let u = "unterminated
            let v = 1
        """##,
        ##"""
        k‹import› t‹Foundation›
        c‹/* a /* nested */ still›
        c‹ comment */› a‹@Observable› k‹final› k‹class› t‹Box› t‹T› t‹Sendable› t‹View› c‹// tail›
        a‹#if› f‹os› t‹Linux›
        k‹let› n‹0x1F_ff› n‹1.5e-3› n‹9› s‹"a \(› f‹f› s‹"x"› n‹1› s‹")"› s‹) c"› s‹#"raw \n \#(› s‹) "q" "#›
        k‹let› s‹"""›
        s‹        multi "quoted" \(› s‹)›
        s‹        end›
        s‹        """› k‹func› f‹go› t‹Int› k‹async› k‹throws› t‹String› k‹return› f‹init›
        k‹let› s‹"unterminated›
        k‹let› n‹1›
        """##),
    Sample(
        .c,
        ##"""
        #include <stdio.h>
        #define MAX(a, b) \
           ((a) > (b))
        static const char *s = "a\"b" ; uint32_t n = 10UL; char c = '\''; struct foo { int x; };
        int main(void) { printf("%d\n", n / 2 / 3); /* x
        y */ return 0; }
        const char *m = "one \
        two"; int z;
        """##,
        ##"""
        a‹#include› s‹<stdio.h>›
        a‹#define› f‹MAX›

        k‹static› k‹const› t‹char› s‹"a\"b"› t‹uint32_t› n‹10UL› t‹char› s‹'\''› k‹struct› t‹foo› t‹int›
        t‹int› f‹main› t‹void› f‹printf› s‹"%d\n"› n‹2› n‹3› c‹/* x›
        c‹y */› k‹return› n‹0›
        k‹const› t‹char› s‹"one \›
        s‹two"› t‹int›
        """##),
    Sample(
        .cpp,
        ##"""
        auto r = R"x(raw " )" more
         end)x"; auto n = 1'000'000; template <typename T> class Foo : public std::vector<T> {};
        """##,
        ##"""
        k‹auto› s‹R"x(raw " )" more›
        s‹ end)x"› k‹auto› n‹1'000'000› k‹template› k‹typename› t‹T› k‹class› t‹Foo› k‹public› t‹vector› t‹T›
        """##),
    Sample(
        .objectiveC,
        ##"""
        #import <Foundation/Foundation.h>
        @interface Foo : NSObject
        @property (nonatomic, copy) NSString *name;
        @end
        NSLog(@"hi %@", @[@1, @"x"]); if (x == nil) return YES;
        """##,
        ##"""
        a‹#import› s‹<Foundation/Foundation.h>›
        k‹@interface› t‹Foo› t‹NSObject›
        k‹@property› k‹nonatomic› k‹copy› t‹NSString›
        k‹@end›
        f‹NSLog› s‹@"hi %@"› n‹1› s‹@"x"› k‹if› k‹nil› k‹return› k‹YES›
        """##),
    Sample(
        .java,
        ##"""
        @Override public static void main(String[] args) { var t = """
          text "block"
          """; char c = 'x'; System.out.println(t.length() + 0b101L); }
        """##,
        ##"""
        a‹@Override› k‹public› k‹static› t‹void› f‹main› t‹String› k‹var› s‹"""›
        s‹  text "block"›
        s‹  """› t‹char› s‹'x'› t‹System› f‹println› f‹length› n‹0b101L›
        """##),
    Sample(
        .kotlin,
        ##"""
        data class P(val n: String) { fun hi(x: Int) = "a ${x.let { "$it}" }} $n" }
        val r = """raw \ ${1 + 1}
        end"""
        """##,
        ##"""
        k‹data› k‹class› t‹P› k‹val› t‹String› k‹fun› f‹hi› t‹Int› s‹"a ${› s‹"$it}"› s‹} $n"›
        k‹val› s‹"""raw \ ${› n‹1› n‹1› s‹}›
        s‹end"""›
        """##),
    Sample(
        .javaScript,
        ##"""
        const re = /ab[/]c\/d/gi, q = a / b / c; const t = `x ${ {a: `in ${1}`}.a } y
        line2`; // c
        async function go(x = 1) { return <div className="a" {...p} on={() => f("</div>")}>it's {x > 1 ? <b>t</b> : null} &amp; <br/></div>; }
        class A extends B { #p = 1; get x() { return this.#p } }
        if (a < b && c > d) { x = y }
        """##,
        ##"""
        k‹const› s‹/ab[/]c\/d/gi› k‹const› s‹`x ${› s‹`in ${› n‹1› s‹}`› s‹} y›
        s‹line2`› c‹// c›
        k‹async› k‹function› f‹go› n‹1› k‹return› g‹<div› a‹className› s‹"a"› a‹on› f‹f› s‹"</div>"› g‹>› n‹1› g‹<b>› g‹</b>› k‹null› k‹&amp;› g‹<br/></div>›
        k‹class› t‹A› k‹extends› t‹B› n‹1› k‹get› f‹x› k‹return› k‹this›
        k‹if›
        """##),
    Sample(
        .typeScript,
        ##"""
        enum E { A } function f<T>(x: T): x is string { return <any>x as unknown }
        """##,
        ##"""
        k‹enum› t‹E› t‹A› k‹function› f‹f› t‹T› t‹T› k‹is› t‹string› k‹return› t‹any› k‹as› t‹unknown›
        """##),
    Sample(
        .tsx,
        ##"""
        export const F = <T,>(p: Props<T>): JSX.Element => <><Foo.Bar a={1}/></>
        interface X { readonly a?: string[] }
        type G = <T>(x: T) => void; let y: number = 3
        """##,
        ##"""
        k‹export› k‹const› t‹F› t‹T› t‹Props› t‹T› t‹Element› g‹<><Foo.Bar› a‹a› n‹1› g‹/></>›
        k‹interface› t‹X› k‹readonly› t‹string›
        k‹type› t‹G› t‹T› t‹T› k‹void› k‹let› t‹number› n‹3›
        """##),
    Sample(
        .python,
        ##"""
        @app.route("/x")
        async def f(a: int, *, b=None) -> str:
            """doc
            string"""
            return f"{a!r:>{w}} {{lit}} {d['k']}" + rb'\'' + r"\d" + 'it' # c
        x = 3.14j if True else 0o17; m = a @ b
        """##,
        ##"""
        a‹@app.route› s‹"/x"›
        k‹async› k‹def› f‹f› t‹int› k‹None› t‹str›
        s‹"""doc›
        s‹    string"""›
        k‹return› s‹f"{› s‹} {{lit}} {› s‹'k'› s‹}"› s‹rb'\''› s‹r"\d"› s‹'it'› c‹# c›
        n‹3.14j› k‹if› k‹True› k‹else› n‹0o17›
        """##),
    Sample(
        .ruby,
        ##"""
        # c
        =begin
        block
        =end
        class Foo < Bar::Baz
          attr_reader :name
          def hi?(x) = puts "a #{x + "b"} c", 'd', %w[a b], :sym, @iv, x / 2
          t = <<~EOS + foo
            here #{doc}
          EOS
          if x =~ /re[\/]x/i then nil end
          h = { a: 1, "b" => 2 }
        end
        __END__
        data
        """##,
        ##"""
        c‹# c›
        c‹=begin›
        c‹block›
        c‹=end›
        k‹class› t‹Foo› t‹Bar› t‹Baz›
        k‹attr_reader› s‹:name›
        k‹def› f‹hi?› s‹"a #{› s‹"b"} c"› s‹'d'› s‹%w[a b]› s‹:sym› a‹@iv› n‹2›
        s‹<<~EOS›
        s‹    here #{doc}›
        s‹  EOS›
        k‹if› s‹/re[\/]x/i› k‹then› k‹nil› k‹end›
        n‹1› s‹"b"› n‹2›
        k‹end›
        c‹__END__›
        c‹data›
        """##),
    Sample(
        .go,
        ##"""
        package main
        import "fmt"
        type T struct { A int `json:"a"` }
        func (t *T) M(x string) error { fmt.Println(x, 'a', `raw
        s`); return nil }
        """##,
        ##"""
        k‹package›
        k‹import› s‹"fmt"›
        k‹type› t‹T› k‹struct› t‹int› s‹`json:"a"`›
        k‹func› f‹M› t‹string› t‹error› f‹Println› s‹'a'› s‹`raw›
        s‹s`› k‹return› k‹nil›
        """##),
    Sample(
        .rust,
        ##"""
        #[derive(Debug, Clone)]
        pub struct P<'a> { x: &'a str, c: char }
        fn main() -> Result<(), Box<dyn Error>> { let c = 'x'; let d = '\n'; println!("{} \"", 1_000u64); let r = r#"raw " x"#; let b = b"x"; /* /* n */ */ a != b }
        """##,
        ##"""
        a‹#[derive(Debug, Clone)]›
        k‹pub› k‹struct› t‹P› a‹'a› a‹'a› t‹str› t‹char›
        k‹fn› f‹main› t‹Result› t‹Box› k‹dyn› t‹Error› k‹let› s‹'x'› k‹let› s‹'\n'› f‹println› s‹"{} \""› n‹1_000u64› k‹let› s‹r#"raw " x"#› k‹let› s‹b"x"› c‹/* /* n */ */›
        """##),
    Sample(
        .php,
        ##"""
        <!DOCTYPE html>
        <div class="<?= $x ?>" id=b><?php
        # c ?>
        <p>text</p>
        <?php function f(int $a): ?string { return "v {$a['k']} $b" . <<<EOT
         body {$x}
         EOT . 'q'; } // end
        #[Attr]
        $this->foo(new Foo());
        """##,
        ##"""
        k‹<!DOCTYPE› a‹html› g‹>›
        g‹<div› a‹class› s‹"› g‹<?=› g‹?>› s‹"› a‹id› s‹b› g‹><?php›
        c‹# c › g‹?>›
        g‹<p>› g‹</p>›
        g‹<?php› k‹function› f‹f› t‹int› t‹string› k‹return› s‹"v {› s‹'k'› s‹} $b"› s‹<<<EOT›
        s‹ body {$x}›
        s‹ EOT› s‹'q'› c‹// end›
        a‹#[Attr]›
        f‹foo› k‹new› t‹Foo›
        """##),
    Sample(
        .cSharp,
        ##"""
        [Serializable]
        #region X
        public record P(string N) { string s = @"a""b\" + $"x {N,5} {{l}} {(a ? "b" : "c")}" + """raw "x" """; async Task<int> F() => await G(); }
        """##,
        ##"""
        a‹Serializable›
        a‹#region› t‹X›
        k‹public› k‹record› t‹P› t‹string› t‹N› t‹string› s‹@"a""b\"› s‹$"x {› t‹N› n‹5› s‹} {{l}} {› s‹"b"› s‹"c"› s‹}"› s‹"""raw "x" """› k‹async› t‹Task› t‹int› f‹F› k‹await› f‹G›
        """##),
]
