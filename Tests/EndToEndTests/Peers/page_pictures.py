"""Makes the pictures of README.md: the web page, and the terminal screen.

Usage: page_pictures.py PROGRAMS FOLDER

PROGRAMS is the folder of `marvel-server` and `marvel`. It writes page.png and terminal.png into FOLDER.
"""

import html
import os
import re
import subprocess
import sys
import time
import unicodedata
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from page_tests import HULK, IRON_MAN, SPIDER_MAN, own_server, wait_until

COLUMNS, ROWS = 100, 26
BASIC = "#16181d #d7424b #4caf6a #d9a62e #5b8def #b06fd8 #3fb1b8 #d5d7db #6d727d #ff6b6b #7fd69a #ffd166 #8fb4ff #d5a6f0 #7fdbe0 #fff".split()
STYLE = """
body { margin: 0; display: inline-block; background: #121317; padding: 12px; }
div { display: flex; height: 19px; }
span { width: 9px; height: 19px; white-space: pre; font: 15px/19px 'DejaVu Sans Mono', monospace; color: #e6e7ea; }
.wide { width: 18px; }
"""


def color(codes):
    """Takes a color's numbers from the front of a list of SGR codes."""
    if codes.pop(0) == 2:
        return "rgb({}, {}, {})".format(*[codes.pop(0) for _ in range(3)])
    number = codes.pop(0)
    if number < 16:
        return BASIC[number]
    if number > 231:
        return "rgb({0}, {0}, {0})".format(8 + 10 * (number - 232))
    parts = [(number - 16) // 36, (number - 16) // 6 % 6, (number - 16) % 6]
    return "rgb({}, {}, {})".format(*[55 + 40 * part if part else 0 for part in parts])


def apply(codes, style):
    while codes:
        code = codes.pop(0)
        if code == 0:
            style.clear()
        elif code in (38, 48):
            style["color" if code == 38 else "ground"] = color(codes)
        elif code in (39, 49):
            style.pop("color" if code == 39 else "ground", None)
        elif code in (1, 2, 7):
            style[code] = True
        elif code == 22:
            style.pop(1, None)
            style.pop(2, None)
        elif code == 27:
            style.pop(7, None)
        elif 30 <= code <= 37 or 90 <= code <= 97:
            style["color"] = BASIC[code - 30 if code < 40 else code - 82]
        elif 40 <= code <= 47 or 100 <= code <= 107:
            style["ground"] = BASIC[code - 40 if code < 50 else code - 92]


def cell(letter, style):
    front, back = style.get("color", "#e6e7ea"), style.get("ground", "#121317")
    if 7 in style:
        front, back = back, front
    # Blocks are drawn: those of fonts leave gaps.
    if letter in "▀▄":
        top, bottom = (front, back) if letter == "▀" else (back, front)
        letter, back = " ", f"linear-gradient({top} 50%, {bottom} 0)"
    css = f"color: {front}; background: {back}"
    css += "; font-weight: bold" if 1 in style else ""
    css += "; opacity: .7" if 2 in style else ""
    kind = ' class="wide"' if unicodedata.east_asian_width(letter) in "WF" else ""
    return f'<span{kind} style="{css}">{html.escape(letter)}</span>'


def screen_as_html(text):
    style, lines = {}, []
    for line in text.rstrip("\n").split("\n"):
        cells = []
        for codes, letter in re.findall(r"\x1b\[([0-9;]*)m|([^\x1b])", line):
            if letter:
                cells.append(cell(letter, style))
            else:
                apply([int(code or 0) for code in codes.split(";")], style)
        lines.append(f"<div>{''.join(cells)}</div>")
    return f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>{''.join(lines)}"


def terminal_screen(server, folder):
    environment = os.environ | {"LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "COLORTERM": "truecolor"}

    def tmux(*arguments):
        command = ["tmux", "-f", "/dev/null", "-S", f"{folder}/tmux", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout

    program = f"{server.programs}/marvel --server {server.framed} browse"
    tmux("new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), f"env COLORTERM=truecolor {program}")
    try:
        wait_until(lambda: "live" in tmux("capture-pane", "-p"), "the screen is not live")
        tmux("send-keys", "-l", "spider")
        wait_until(lambda: "of 21" in tmux("capture-pane", "-p"), "nothing is found")
        tmux("send-keys", "Enter")
        tmux("send-keys", "v")
        # The pictures come by and by.
        before = ""
        while (text := tmux("capture-pane", "-p", "-e")) != before:
            before = text
            time.sleep(2)
        return text
    finally:
        tmux("kill-server")


def main(programs, folder):
    with own_server(programs) as server, sync_playwright() as playwright:
        server.save("default", SPIDER_MAN, IRON_MAN, HULK, "1009718", "1009157")
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 900, "height": 540}, reduced_motion="reduce")
        page.goto(server.url("?q=spider"))
        expect(page.locator("#count")).to_have_text("5 of 5")
        drawn = "nodes => nodes.slice(0, 8).every(image => image.naturalWidth)"
        wait_until(lambda: page.wait_for_timeout(50) or page.locator("#results img").evaluate_all(drawn), "no pictures")
        page.screenshot(path=Path(folder) / "page.png")
        screen = browser.new_page(viewport={"width": COLUMNS * 9 + 24, "height": 100})
        screen.set_content(screen_as_html(terminal_screen(server, server.folder)))
        screen.locator("body").screenshot(path=Path(folder) / "terminal.png")
        browser.close()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
