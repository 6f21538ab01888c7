# Everything there is to do here. `make run` and `make test` work on a fresh Debian machine with Swift.

.PHONY: run test soak bench screenshots format clean

# Installs what is missing, builds, and serves. Options: make run ARGS="--port 9000"
run:
	@Scripts/bootstrap run
	@swift build --product switchboard --explicit-target-dependency-import-check error
	@exec .build/debug/switchboard serve $(ARGS)

# The whole suite, as CI runs it.
test:
	@Scripts/bootstrap test
	@Scripts/test

# The long runs: once per issue.
soak:
	@Scripts/bootstrap test
	@SWITCHBOARD_SOAK=1 Scripts/test

# Release build, one table.
bench:
	@Scripts/bootstrap test
	@Scripts/browser-environment
	@swift run --package-path Benchmarks -c release bench

# The pictures of the README, from the stories that show them.
screenshots:
	@Scripts/bootstrap test
	@swift build --product switchboard
	@Scripts/browser-tests Tests/Pager2077/Browser/test_pager.py Tests/SimBridge/Browser Tests/Home/Browser
	@mkdir -p Docs/Screenshots
	@cd .build/screenshots && cp home.png pager-welcome.png pager-chat.png pager-my-hex.png simbridge-dashboard.png simbridge-conversation.png simbridge-dialer.png ../../Docs/Screenshots/

format:
	@swift format --in-place --recursive Sources Tests Benchmarks/Sources Package.swift Benchmarks/Package.swift

clean:
	@rm -rf .build Benchmarks/.build
