# The entry points. `make run` and `make test` work on a fresh Debian machine with Swift.

.PHONY: run gallery test soak bench screenshots format clean

# Installs what is missing, builds, and serves. Options: make run ARGS="--port 9000"
run:
	@Scripts/bootstrap run
	@Scripts/build --product switchboard
	@exec .build/debug/switchboard serve $(ARGS)

# Every control of SwiftUI, in a browser.
gallery:
	@Scripts/bootstrap run
	@Scripts/build --product gallery
	@exec .build/debug/gallery

# The whole suite, as CI runs it.
test:
	@Scripts/bootstrap test
	@Scripts/test

# The long runs: once per issue.
soak:
	@Scripts/bootstrap test
	@SWITCHBOARD_SOAK=1 Scripts/test

# The benchmarks, in a release build, as one table.
bench:
	@Scripts/bootstrap test
	@Scripts/browser-environment
	@swift run --package-path Benchmarks -c release bench

# The pictures of the README, taken by browser tests.
screenshots:
	@Scripts/bootstrap test
	@Scripts/build --product switchboard
	@Scripts/browser-tests --screenshots -k "icon_opens or whole_story or audit or both_ways or can_be_tapped or are_apart or markdown_appears" Tests/Home Tests/Pager2077 Tests/SimBridge Tests/LocalLLM Tests/EndlessCode Tests/TalkCo
	@mkdir -p Docs/Screenshots
	@cd .build/screenshots && cp home.png pager-welcome.png pager-chat.png pager-my-hex.png simbridge-dashboard.png simbridge-conversation.png simbridge-dialer.png localllm-connect.png localllm-chat.png endlesscode-code.png endlesscode-question.png endlesscode-diff.png talkco-topics.png talkco-conversation.png talkco-review.png talkco-profile.png ../../Docs/Screenshots/

format:
	@swift format --in-place --recursive Apple Sources Tests Benchmarks/EndlessCode Benchmarks/Line Benchmarks/LocalLLM Benchmarks/Sources Benchmarks/Storage Benchmarks/Swarm Benchmarks/TalkCo Benchmarks/WebUI Package.swift Benchmarks/Package.swift

clean:
	@rm -rf .build Benchmarks/.build
