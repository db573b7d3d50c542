"""Measures the web page in a browser, and prints the figures as JSON.

Usage: page_speed.py HTTP

HTTP is the address (host:port) of a server. The results are made up here, so that only the page is measured: 10,000
rows, then one page more, then a scroll through all of them, in three pages one after another. Each figure is the median
of theirs. `longestFrame` is the time between two frames as a person sees it, which grows where other programs want the
processor; `longestWork` is the processor time of the page's thread between two frames, which is the page's own.
"""

import json
import statistics
import sys
import urllib.request

from playwright.sync_api import expect, sync_playwright

FILES = ["", "page.css", "app.js", "client.js", "icon.svg"]
ROWS = 10_000
SCROLLS = 3
# Frames in which a scroll begins.
FIRST = 10

# Pictures that nobody has to be asked for.
PICTURES = """
const canvas = Object.assign(document.createElement('canvas'), { width: 200, height: 200 })
canvas.getContext('2d').fillRect(20, 20, 160, 160)
canvas.toBlob(blob => Object.defineProperty(HTMLImageElement.prototype, 'src', {
    set() { this.setAttribute('src', URL.createObjectURL(blob)) }
}))
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
    const observer = new MutationObserver(() => {
        observer.disconnect()
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)))
    })
    observer.observe(results, { childList: true, subtree: true })
    document.querySelector('#more').click()
})"""

# The times of the frames of a scroll from top to bottom, a screen each frame: twice as fast as Page Down repeats.
SCROLL = """() => new Promise(resolve => {
    const times = []
    let stop = 0
    const step = now => {
        times.push(now)
        performance.mark('frame')
        scrollBy(0, innerHeight)
        const isEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2
        stop = isEnd ? stop + 1 : 0
        if (stop > 5) resolve(times)
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


def open_rows(browser, http):
    """Opens a page of 10,000 rows, and returns it with the time to draw ten more."""
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    page.set_default_timeout(60_000)
    serve_rows(page)
    page.goto(f"http://{http}/?q=character&list=speed")
    expect(page.locator("#results .toggle")).to_have_count(ROWS, timeout=60_000)
    page.wait_for_timeout(1000)
    return page, page.evaluate(DRAW)


def longest(times):
    return max(after - before for before, after in zip(times[FIRST:], times[FIRST + 1 :]))


def scroll(browser, page):
    """Scrolls through all rows, and returns the count of frames, the longest one and the longest work (in ms)."""
    page.wait_for_timeout(1000)
    browser.start_tracing(page=page, categories=["blink.user_timing"])
    times = page.evaluate(SCROLL)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    # `tts` is the processor time of the event's thread, in microseconds.
    work = sorted(event["tts"] / 1000 for event in events if event["name"] == "frame")
    assert len(work) == len(times), (len(work), len(times))
    return len(times), longest(times), longest(work)


def measure(browser, http, scrolls=SCROLLS):
    size = 0
    for path in FILES:
        with urllib.request.urlopen(f"http://{http}/{path}", timeout=10) as response:
            size += len(response.read())
    drawn, scrolled = [], []
    for _ in range(max(scrolls, 1)):
        page, time = open_rows(browser, http)
        drawn.append(time)
        if scrolls:
            scrolled.append(scroll(browser, page))
        page.context.close()
    figures = {"bytes": size, "drawn": statistics.median(drawn)}
    if scrolls:
        frames, frame, work = (statistics.median(values) for values in zip(*scrolled))
        figures |= {"frames": frames, "longestFrame": frame, "longestWork": work}
    return figures


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        print(json.dumps(measure(browser, sys.argv[1])))
        browser.close()
