import HighlightKit

/// Scripts, markup and data.
let textSamples: [Sample] = [
    Sample(
        .shell,
        ##"""
        #!/bin/bash
        set -euo pipefail
        for f in "$@"; do echo "a $(cat "$f" | grep 'x') ${v:-"d"} $HOME" >> out.txt; done # c
        foo() { local x=1; if [ -z "$x" ]; then return 1; fi; }
        cat <<'EOF' | apt-get install -y x#y && A=b cmd
        body $x # not comment
        EOF
        n=$((1 + 2)); echo ${#arr[@]} \
          more args
        ls | wc -l
        """##,
        ##"""
        c‹#!/bin/bash›
        k‹set›
        k‹for› k‹in› s‹"$@"› k‹do› f‹echo› s‹"a $(› f‹cat› s‹"$f"› f‹grep› s‹'x') ${› s‹"d"} $HOME"› k‹done› c‹# c›
        f‹foo› k‹local› a‹x› n‹1› k‹if› s‹"$x"› k‹then› k‹return› n‹1› k‹fi›
        f‹cat› s‹<<'EOF'› f‹apt-get› a‹A›
        s‹body $x # not comment›
        s‹EOF›
        a‹n› n‹1› n‹2› f‹echo› a‹${#arr›

        f‹ls› f‹wc›
        """##),
    Sample(
        .sql,
        ##"""
        SELECT u.id, COUNT(*) AS n FROM "users" u WHERE name = 'it''s' AND x > 1.5 -- c
        /* b */ CREATE TABLE t (id INTEGER PRIMARY KEY, b VARCHAR(20) DEFAULT E'\'');
        """##,
        ##"""
        k‹SELECT› f‹COUNT› k‹AS› k‹FROM› s‹"users"› k‹WHERE› s‹'it''s'› k‹AND› n‹1.5› c‹-- c›
        c‹/* b */› k‹CREATE› k‹TABLE› t‹INTEGER› k‹PRIMARY› k‹KEY› t‹VARCHAR› n‹20› k‹DEFAULT› s‹E'\''›
        """##),
    Sample(
        .html,
        ##"""
        <!DOCTYPE html>
        <!-- c
        d --><html lang="en" data-x=1 hidden><head><style>a:hover { color: #fff; }</style>
        <script type="module">const x = "</b>" + `a
        b`; if (a < b) f()
        </script></head><body>a &lt; b < c <br/></body></html>
        """##,
        ##"""
        k‹<!DOCTYPE› a‹html› g‹>›
        c‹<!-- c›
        c‹d -->› g‹<html› a‹lang› s‹"en"› a‹data-x› s‹1› a‹hidden› g‹><head><style>a:hover › a‹color› n‹#fff› g‹</style>›
        g‹<script› a‹type› s‹"module"› g‹>› k‹const› s‹"</b>"› s‹`a›
        s‹b`› k‹if› f‹f›
        g‹</script></head><body>› k‹&lt;› g‹<br/></body></html>›
        """##),
    Sample(
        .xml,
        ##"""
        <?xml version="1.0"?>
        <a:b x='1'><![CDATA[ <x> ]]>t</a:b>
        """##,
        ##"""
        k‹<?xml› a‹version› s‹"1.0"› g‹?>›
        g‹<a:b› a‹x› s‹'1'› g‹>› k‹<![CDATA[› s‹ <x> ]]>› g‹</a:b>›
        """##),
    Sample(
        .css,
        ##"""
        @media (max-width: 100px) { .a, #b > li:hover { color: red !important; margin: -1.5em calc(1px + var(--x)); } }
        :root { --x: #ff0; background: url("a;b") }
        a::before,
        b[x="y"] {
          content: "x"; /* c */
          &:hover { top: 0 }
        } /* end */
        """##,
        ##"""
        k‹@media› n‹100px› g‹.a, #b > li:hover › a‹color› k‹!important› a‹margin› n‹-1.5em› f‹calc› n‹1px› f‹var›
        g‹:root › a‹--x› n‹#ff0› a‹background› f‹url› s‹"a;b"›
        g‹a::before,›
        g‹b[x="y"] ›
        a‹content› s‹"x"› c‹/* c */›
        g‹&:hover › a‹top› n‹0›
        c‹/* end */›
        """##),
    Sample(
        .json,
        ##"""
        {"a b": [1, -2.5e+3, true, null, "s: \"x\""], "k" : {"n": "v"}}
        """##,
        ##"""
        a‹"a b"› n‹1› n‹2.5e+3› k‹true› k‹null› s‹"s: \"x\""› a‹"k"› a‹"n"› s‹"v"›
        """##),
    Sample(
        .yaml,
        ##"""
        ---
        # c
        name: CI
        on: [push, {a: 1, b: 'x'}]
        jobs:
          "q k": &anc
            - run: |
                echo hi: there # not
                more

              x: *anc
            - uses: actions/checkout@v4 # c
            - n: -1.5
              b: true
              url: http://x/y:z
        """##,
        ##"""
        k‹---›
        c‹# c›
        a‹name› s‹CI›
        a‹on› s‹push› a‹a› n‹1› a‹b› s‹'x'›
        a‹jobs›
        a‹"q k"› a‹&anc›
        a‹run›
        s‹        echo hi: there # not›
        s‹        more›

        a‹x› a‹*anc›
        a‹uses› s‹actions/checkout@v4 › c‹# c›
        a‹n› n‹-1.5›
        a‹b› k‹true›
        a‹url› s‹http://x/y:z›
        """##),
    Sample(
        .toml,
        ##"""
        # c
        [package.x]
        name = "a" # b
        arr = [
          1, "x", { k = 1.5, v = [true] },
        ]
        date = 1979-05-27T07:32:00Z
        "q.k".x = '''raw
        x'''
        [[bin]]
        """##,
        ##"""
        c‹# c›
        h‹[package.x]›
        a‹name› s‹"a"› c‹# b›
        a‹arr›
        n‹1› s‹"x"› a‹k› n‹1.5› a‹v› k‹true›

        a‹date› n‹1979-05-27T07:32:00Z›
        a‹"q.k".x› s‹'''raw›
        s‹x'''›
        h‹[[bin]]›
        """##),
    Sample(
        .markdown,
        ##"""
        ---
        title: x
        ---
        # Head
        para **bold** `code` and ``a`b`` [t](http://x) <b>h</b> \* x
        > - [ ] item 1. x
        1. one
        ```swift
        let x = """
        a
        ```
        after
        ~~~
        plain
        ~~~
        <!-- c
        d --> e
        """##,
        ##"""

        a‹title› s‹x›

        h‹# Head›
        s‹`code`› s‹``a`b``› a‹http://x› g‹<b>› g‹</b>›
        c‹>›

        a‹swift›
        k‹let› s‹"""›
        s‹a›





        c‹<!-- c›
        c‹d -->›
        """##),
    Sample(
        .dockerfile,
        ##"""
        FROM swift:6 AS build
        # c
        RUN --mount=type=cache apt-get update && \
            # comment
            echo "a $X" \
            && ls
        COPY --from=build a b
        CMD ["x", "y"]
        """##,
        ##"""
        k‹FROM›
        c‹# c›
        k‹RUN› a‹--mount=type=cache› f‹apt-get›
        c‹# comment›
        s‹"a $X"›
        f‹ls›
        k‹COPY› a‹--from=build›
        k‹CMD› s‹"x"› s‹"y"›
        """##),
    Sample(
        .makefile,
        ##"""
        CC := gcc # c
        all: $(OBJS) main.c | dir
        	@echo "x $(CC) $@" && \
        	  ls
        ifeq ($(A),b)
        endif
        .PHONY: all
        """##,
        ##"""
        a‹CC› c‹# c›
        f‹all› a‹$(OBJS›
        s‹"x $(CC) $@"›

        k‹ifeq› a‹$(A›
        k‹endif›
        f‹.PHONY›
        """##),
    Sample(
        .diff,
        ##"""
        diff --git a/x b/x
        index 1..2 100644
        --- a/x
        +++ b/x
        @@ -1,3 +1,2 @@ func
         c
        --- a
        -b
        +d
        \ No newline at end of file
        diff --git a/y b/y
        """##,
        ##"""
        h‹diff --git a/x b/x›
        c‹index 1..2 100644›
        h‹--- a/x›
        h‹+++ b/x›
        h‹@@ -1,3 +1,2 @@ func›

        -‹--- a›
        -‹-b›
        +‹+d›
        c‹\ No newline at end of file›
        h‹diff --git a/y b/y›
        """##),
]
