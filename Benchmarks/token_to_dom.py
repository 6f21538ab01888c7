"""Opens the transcript at the given address and prints the delay of its tokens to the DOM: median and 99th percentile, in µs."""

import shutil
import sys

from playwright.sync_api import sync_playwright

TOKENS = 500
SCROLL = """() => {
  const texts = [...document.querySelectorAll(".text")];
  texts.at(-1).scrollIntoView({ block: "end" });
  return texts.some(text => /^Message.* \\d{16}$/.test(text.textContent));
}"""
# The page's clock has a resolution of 0.1 ms.
MEASURE = """count => new Promise(done => {
  const last = [...document.querySelectorAll(".text")].findLast(text => text.textContent.startsWith("Message"));
  const taken = [];
  new MutationObserver((_, observer) => {
    const now = (performance.timeOrigin + performance.now()) * 1000;
    taken.push(now - Number(last.textContent.slice(-16)));
    if (taken.length < count) return;
    observer.disconnect();
    done(taken);
  }).observe(last, { childList: true, characterData: true, subtree: true });
})"""

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(sys.argv[1] + "/apps/transcript/")
    page.locator(".root").wait_for()
    # A page has only the first rows of a long list until it is scrolled.
    while not page.evaluate(SCROLL):
        page.wait_for_timeout(20)
    taken = sorted(page.evaluate(MEASURE, TOKENS))
    print(round(taken[len(taken) // 2]), round(taken[len(taken) * 99 // 100]))
    browser.close()
