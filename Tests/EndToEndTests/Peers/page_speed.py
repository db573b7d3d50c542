"""Measures the web page in a browser, and prints the figures as JSON.

Usage: page_speed.py HTTP

HTTP is the address (host:port) of a server. The results are made up here, so that only the page is measured: 10,000 rows,
then one page more, then a scroll through all of them.
"""

import json
import sys
import urllib.request

from playwright.sync_api import expect, sync_playwright

FILES = ["", "page.css", "app.js", "client.js", "icon.svg"]
ROWS = 10_000

# Pictures that nobody has to be asked for.
PICTURES = """
const canvas = Object.assign(document.createElement('canvas'), { width: 200, height: 200 })
canvas.getContext('2d').fillRect(20, 20, 160, 160)
canvas.toBlob(blob => {
    const address = URL.createObjectURL(blob)
    Object.defineProperty(HTMLImageElement.prototype, 'src', { set() { this.setAttribute('src', address) } })
})
"""

# The time from an answer to the frame that shows its rows.
DRAW = """() => new Promise(resolve => {
    let start
    const json = Response.prototype.json
    Response.prototype.json = async function() {
        const value = await json.call(this)
        start ??= performance.now()
        return value
    }
    const results = document.querySelector('#results')
    new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start))))
        .observe(results, { childList: true, subtree: true })
    document.querySelector('#more').click()
})"""

# The longest time between two frames of a scroll from top to bottom, a screen each frame.
SCROLL = """() => new Promise(resolve => {
    let [last, longest, frames, stop] = [0, 0, 0, 0]
    const step = now => {
        if (frames++ > 10) longest = Math.max(longest, now - last)
        last = now
        scrollBy(0, innerHeight)
        const isEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2
        stop = isEnd ? stop + 1 : 0
        if (stop > 5) resolve({ longest, frames })
        else requestAnimationFrame(step)
    }
    scrollTo(0, 0)
    requestAnimationFrame(step)
})"""


def serve_rows(page):
    """Answers searches with made-up rows: 10,000, and then ten more."""
    rows = [{"id": f"{index + 1}", "name": f"Character {index}"} for index in range(ROWS)]
    page.add_init_script(PICTURES)

    def answer(route):
        if route.request.post_data_json["pageToken"]:
            route.fulfill(json={"characters": rows[:10], "total": ROWS + 10})
        else:
            route.fulfill(json={"characters": rows, "total": ROWS + 10, "nextPageToken": "next"})

    page.route("**/SearchCharacters", answer)


def measure(browser, http, scrolls=True):
    size = 0
    for path in FILES:
        with urllib.request.urlopen(f"http://{http}/{path}", timeout=10) as response:
            size += len(response.read())
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    page.set_default_timeout(60_000)
    serve_rows(page)
    page.goto(f"http://{http}/?q=character&list=speed")
    expect(page.locator("#results .toggle")).to_have_count(ROWS, timeout=60_000)
    page.wait_for_timeout(1000)
    drawn = page.evaluate(DRAW)
    figures = {"bytes": size, "drawn": drawn}
    if scrolls:
        page.wait_for_timeout(1000)
        scroll = page.evaluate(SCROLL)
        figures |= {"frames": scroll["frames"], "longestFrame": scroll["longest"]}
    page.context.close()
    return figures


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        print(json.dumps(measure(browser, sys.argv[1])))
        browser.close()
