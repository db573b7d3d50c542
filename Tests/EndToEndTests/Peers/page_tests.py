"""The web page in a browser: one function for each action of a person or another page.

Usage: page_tests.py HTTP FRAMED PROGRAMS [NAME...]

HTTP and FRAMED are the addresses (host:port) of a server with `--allow-edits` and the built-in catalog. PROGRAMS is the
folder of `marvel-server` and `marvel`, for tests that need other servers or the terminal client. With names, only the
tests whose names contain one of them run. Every test has a list of its own, and fails by an assertion.
"""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.error
import urllib.request
import zlib
from concurrent.futures import ProcessPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

import page_speed

TESTS = []
SERVICE = "marvel.v1.MarvelService"
SPIDER_MAN, IRON_MAN, HULK = "1009610", "1009368", "1009351"
ARTICLE = Path(__file__).parents[3] / "Sources/RPCServer/Documentation.docc/HTTPPort.md"
PROTO = Path(__file__).parents[3] / "Protos/marvel/v1/marvel.proto"


def behavior(function):
    TESTS.append(function)
    return function


class Server:
    """A server that runs, and calls to it past the browser."""

    def __init__(self, http, framed, programs):
        self.http, self.framed, self.programs = http, framed, programs

    def url(self, path=""):
        return f"http://{self.http}/{path}"

    def call(self, method, **message):
        request = urllib.request.Request(
            self.url(f"{SERVICE}/{method}"), json.dumps(message).encode(), {"content-type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)

    def save(self, name, *ids):
        for id in ids:
            self.call("ToggleFavorite", list=name, characterId=id, desired="DESIRED_SAVED")

    def favorites(self, name):
        favorites = self.call("ListFavorites", list=name).get("favorites", [])
        return [favorite["character"]["name"] for favorite in favorites]

    def marvel(self, *arguments):
        command = [f"{self.programs}/marvel", "--server", self.framed, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


class OwnServer(Server):
    """A server for one test, which can be killed and restarted on the same store and ports."""

    def __init__(self, programs, folder, *arguments):
        super().__init__(f"127.0.0.1:{free_port()}", f"127.0.0.1:{free_port()}", programs)
        self.operations = f"127.0.0.1:{free_port()}"
        self.folder, self.arguments = folder, arguments
        self.start()

    def start(self):
        command = [
            f"{self.programs}/marvel-server", "serve", "--http", self.http, "--framed", self.framed,
            "--operations", self.operations, "--store", f"{self.folder}/favorites.sqlite", *self.arguments,
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for address in (self.http, self.framed):
            wait_until(lambda: accepts(address), f"nothing listens on {address}")

    def stop(self, how):
        self.process.send_signal(how)
        self.process.wait(30)

    def metric(self, name):
        with urllib.request.urlopen(f"http://{self.operations}/metrics", timeout=60) as response:
            return float(re.search(rf"^{name} (\S+)$", response.read().decode(), re.M).group(1))

    def token(self, *arguments):
        command = [f"{self.programs}/marvel-server", "token", *arguments, "--tokens", f"{self.folder}/tokens.json"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@contextlib.contextmanager
def own_server(programs, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        server = OwnServer(programs, folder, *arguments)
        try:
            yield server
        finally:
            server.stop(signal.SIGTERM)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def accepts(address):
    host, port = address.split(":")
    with socket.socket() as connection:
        connection.settimeout(10)
        return connection.connect_ex((host, int(port))) == 0


def wait_until(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.02)


class Window:
    """A browser context with its own storage and pages. Forbidden actions of pages are collected in `faults`."""

    def __init__(self, browser, server, **options):
        self.server, self.faults = server, []
        self.context = browser.new_context(**{"viewport": {"width": 1000, "height": 800}, "reduced_motion": "reduce"} | options)
        self.context.set_default_timeout(60_000)

    def open(self, path="", is_live=True):
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.faults.append(f"exception: {error}"))
        page.on("console", self.note)
        page.on("request", self.check)
        page.goto(self.server.url(path))
        if is_live:
            expect(page.locator("#live")).to_contain_text("Live")
        return page

    def note(self, message):
        # A browser logs every status of 400 and more, and every lost connection, whatever the page makes of it.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            self.faults.append(f"console: {message.text}")

    def check(self, request):
        if not request.url.startswith((self.server.url(), "blob:")):
            self.faults.append(f"request to another host: {request.url}")


@contextlib.contextmanager
def window(browser, server, **options):
    one = Window(browser, server, **options)
    yield one
    one.context.close()
    assert not one.faults, one.faults


def card(page, name, view="#search"):
    return page.locator(f"{view} .toggle").filter(has=page.locator("bdi", has_text=re.compile(f"^{re.escape(name)}$")))


def names(page, view="#search"):
    return page.locator(f"{view} .toggle bdi").all_inner_texts()


def answer(route, **message):
    route.fulfill(json=message)


def refuse(route, code, reason, message, status=400, details=()):
    info = {"type": "google.rpc.ErrorInfo", "value": "", "debug": {"reason": reason, "domain": "marvel-rpc", "metadata": {}}}
    route.fulfill(status=status, json={"code": code, "message": message, "details": [info, *details]})


# Search


@behavior
def search_begins_with_two_letters_a_moment_after_the_last_key(browser, server):
    with window(browser, server) as one:
        one.context.clock.install()
        page = one.open()
        searches = []
        page.on("request", lambda request: "SearchCharacters" in request.url and searches.append(request.post_data_json["query"]))
        page.locator("#query").press_sequentially("s")
        page.wait_for_timeout(500)
        assert searches == []
        # However long this machine takes for a key, it is no moment to the page.
        page.clock.pause_at(time.time() + 3_600)
        page.locator("#query").press_sequentially("pider")
        page.clock.resume()
        expect(page.locator("#found")).to_contain_text("of 21 characters")
        assert set(searches) == {"spider"}, searches
        expect(card(page, "Spider-dok").locator("mark")).to_have_text("Spider")


@behavior
def another_search_cancels_the_one_before(browser, server):
    with window(browser, server) as one:
        page = one.open()
        canceled, held = [], []
        page.on("requestfailed", lambda request: "SearchCharacters" in request.url and canceled.append(request.post_data_json["query"]))
        page.route("**/SearchCharacters", lambda route: held.append(route) if "spider" in route.request.post_data else route.continue_())
        page.fill("#query", "spider")
        expect(page.locator("#bar")).to_be_visible()
        expect(page.locator(".skeleton")).to_have_count(10)
        page.fill("#query", "hulk")
        expect(card(page, "Hulk")).to_be_visible()
        expect(page.locator("#bar")).to_be_hidden()
        assert canceled == ["spider"], canceled


@behavior
def suggestions_are_a_combobox(browser, server):
    with window(browser, server) as one:
        page = one.open()
        field = page.get_by_role("combobox", name="Name of a character")
        field.press_sequentially("iron m")
        options = page.get_by_role("listbox", name="Suggestions").get_by_role("option")
        expect(options.first).to_have_text("Iron Man")
        assert field.get_attribute("aria-expanded") == "true"
        field.press("ArrowDown")
        assert field.get_attribute("aria-activedescendant") == options.first.get_attribute("id")
        assert options.first.get_attribute("aria-selected") == "true"
        field.press("ArrowUp")
        expect(options.last).to_have_attribute("aria-selected", "true")
        field.press("Escape")
        expect(options.first).to_be_hidden()
        expect(field).to_have_value("iron m")
        field.press("ArrowDown")
        expect(options.first).to_be_visible()
        field.press("ArrowDown")
        expect(options.first).to_have_attribute("aria-selected", "true")
        field.press("Enter")
        expect(field).to_have_value("Iron Man")
        expect(field).to_have_attribute("aria-expanded", "false")
        expect(card(page, "Iron Man")).to_be_visible()
        field.fill("hulk")
        options.first.click()
        expect(field).to_be_focused()
        expect(card(page, "Hulk")).to_be_visible()


@behavior
def recent_searches_are_offered_and_can_be_forgotten(browser, server):
    with window(browser, server) as one:
        page = one.open()
        for query in ("spider", "hulk", "iron"):
            page.fill("#query", query)
            page.press("#query", "Enter")
            # The file that keeps them is loaded by the first one.
            recent = "JSON.parse(localStorage.recent ?? '[]')[0]"
            wait_until(lambda: page.evaluate(recent) == query, "a search is not kept")
        page.goto(server.url())
        options = page.get_by_role("listbox", name="Suggestions").get_by_role("option")
        page.click("#query")
        expect(options.locator("bdi")).to_have_text(["iron", "hulk", "spider"])
        page.get_by_title("Forget hulk").click()
        expect(options.locator("bdi")).to_have_text(["iron", "spider"])
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Delete")
        expect(options.locator("bdi")).to_have_text(["spider"])
        page.reload()
        page.click("#query")
        expect(options.locator("bdi")).to_have_text(["spider"])
        page.keyboard.type("spi")
        expect(options.nth(1)).to_have_text("Spider-Man")
        expect(options.first).to_have_text("spiderrecent")
        options.first.click()
        expect(page.locator("#found")).to_contain_text("of 21 characters")


@behavior
def pages_follow_as_one_scrolls_until_the_end(browser, server):
    with window(browser, server, viewport={"width": 500, "height": 600}) as one:
        page = one.open("?q=spider")
        tokens = []
        page.on("request", lambda request: "SearchCharacters" in request.url and tokens.append(request.post_data_json["pageToken"]))
        expect(page.locator("#found")).to_have_text("10 of 21 characters")
        expect(page.locator("#end")).to_be_hidden()
        for count in (20, 21):
            page.mouse.wheel(0, 20_000)
            expect(page.locator("#results .toggle")).to_have_count(count)
        expect(page.locator("#found")).to_have_text("21 characters")
        expect(page.locator("#end")).to_have_text("End of results")
        expect(page.locator("#more")).to_be_hidden()
        assert len(tokens) == 2 and all(tokens), tokens


@behavior
def a_button_loads_more_where_nothing_observes(browser, server):
    with window(browser, server) as one:
        one.context.add_init_script("window.IntersectionObserver = class { observe() {} unobserve() {} disconnect() {} }")
        page = one.open("?q=spider")
        expect(page.locator("#results .toggle")).to_have_count(10)
        page.get_by_role("button", name="Show more").press("Enter")
        expect(page.locator("#results .toggle")).to_have_count(20)
        expect(page.locator("#results .toggle").nth(10)).to_be_focused()
        page.get_by_role("button", name="Show more").press("Enter")
        expect(page.locator("#results .toggle")).to_have_count(21)
        expect(page.locator("#results .toggle").nth(20)).to_be_focused()


@behavior
def every_match_finds_and_the_next_wider_one_is_offered(browser, server):
    with window(browser, server) as one:
        page = one.open("?q=parker")
        expect(page.locator("#start")).to_contain_text("No character found for “parker”.")
        page.get_by_role("button", name="Try “words”").click()
        expect(page.locator("#match")).to_have_value("word_prefix")
        expect(page.locator("mark").first).to_have_text("Parker")
        page.fill("#query", "arker")
        page.get_by_role("button", name="Try “contains”").click()
        expect(page.locator("mark").first).to_have_text("arker")
        page.fill("#query", "spyder man")
        page.get_by_role("button", name="Try “similar”").click()
        expect(card(page, "Spider-Man").first).to_be_visible()
        page.fill("#query", "qqqqxxzz")
        page.get_by_role("button", name="Clear the search").click()
        expect(page.locator("#query")).to_be_focused()
        expect(page.locator("#start")).to_contain_text("type two letters")


# Favorites


@behavior
def a_card_toggles_at_once_and_tells_why_it_could_not(browser, server):
    with window(browser, server) as one:
        page = one.open("?q=spider-man&list=toggles")
        held = []
        page.route("**/ToggleFavorite", lambda route: held.append(route))
        spider_man = card(page, "Spider-Man")
        expect(spider_man).to_have_attribute("aria-pressed", "false")
        plain = spider_man.evaluate("node => getComputedStyle(node).backgroundColor")
        spider_man.click()
        expect(spider_man).to_have_attribute("aria-pressed", "true")
        assert spider_man.evaluate("node => getComputedStyle(node).backgroundColor") != plain
        wait_until(lambda: page.wait_for_timeout(20) or held, "no call was made")
        refuse(held.pop(), "unavailable", "STORE_READ_ONLY", "the store is read-only: the disk is full", 503)
        expect(spider_man).to_have_attribute("aria-pressed", "false")
        expect(page.get_by_role("alert").first).to_contain_text("Spider-Man was not saved. The store is read-only: the disk is full.")
        page.unroute("**/ToggleFavorite")
        page.get_by_role("button", name="Try again").click()
        expect(page.get_by_role("status")).to_have_text("Spider-Man saved.")
        expect(spider_man).to_have_attribute("aria-pressed", "true")
        expect(page.get_by_role("alert").first).to_be_hidden()
        spider_man.click()
        expect(page.get_by_role("status")).to_have_text("Spider-Man removed.")
        assert server.favorites("toggles") == []


@behavior
def a_lost_answer_is_asked_for_again_with_the_same_id(browser, server):
    with window(browser, server) as one:
        page = one.open("?q=hulk&list=repeats")
        ids = []

        def lose(route):
            ids.append(route.request.post_data_json["requestId"])
            if len(ids) < 3:
                route.fetch()
                route.abort()
            else:
                route.continue_()

        page.route("**/ToggleFavorite", lose)
        card(page, "Hulk").click()
        expect(page.get_by_role("status")).to_have_text("Hulk saved.")
        assert len(ids) == 3 and len(set(ids)) == 1, ids
        assert server.call("ListFavorites", list="repeats")["revision"] == "1"


@behavior
def a_refused_repeat_does_not_hide_that_a_change_may_have_been_made(browser, server):
    answers = iter(["timeout", "refused"])

    def fail(route):
        if next(answers, "refused") == "timeout":
            return route.fulfill(status=504, body="the proxy gave up")
        return refuse(route, "unavailable", "STORE_READ_ONLY", "the disk is full", status=503)

    with window(browser, server) as one:
        page = one.open("?q=hulk&list=uncertain")
        page.route("**/ToggleFavorite", fail)
        card(page, "Hulk").click()
        expect(page.locator("#error")).to_contain_text("Hulk may not be saved.")


@behavior
def undo_saves_one_evicted_favorite_and_only_after_its_removal(browser, server):
    evicted = [{"character": {"id": "1", "name": "One"}}, {"character": {"id": "2", "name": "Two"}}]
    sent = []

    def toggle(route):
        request = route.request.post_data_json
        sent.append((request["characterId"], request["desired"]))
        if is_failing and request["desired"] == "DESIRED_REMOVED":
            return route.fulfill(status=403, json={"code": "permission_denied", "message": "no"})
        return answer(route, isFavorite=request["desired"] == "DESIRED_SAVED", revision="1", evicted=evicted)

    for is_failing in (True, False):
        with window(browser, server) as one:
            page = one.open("?q=hulk&list=evicting")
            page.route("**/ToggleFavorite", toggle)
            card(page, "Hulk").click()
            expect(page.locator("#toast")).to_contain_text("Hulk saved.")
            sent.clear()
            page.get_by_role("button", name="Undo").click()
            if is_failing:
                expect(page.locator("#error")).to_contain_text("Hulk was not removed.")
            else:
                expect(page.get_by_role("status")).to_contain_text("Two saved.")
            saved = [id for id, desired in sent if desired == "DESIRED_SAVED"]
            assert saved == ([] if is_failing else ["2"]), sent


@behavior
def favorites_stand_in_the_order_of_saving_and_the_oldest_leaves(browser, server):
    with window(browser, server) as one:
        page = one.open("?q=spider&list=full#favorites")
        expect(page.locator("#none")).to_contain_text("No favorites yet.")
        page.get_by_role("button", name="Search characters").click()
        expect(page.locator("#query")).to_be_focused()
        with window(browser, server, reduced_motion="no-preference") as moving:
            moved = moving.open("?list=full#favorites")
            moved.get_by_role("button", name="Search characters").click()
            expect(moved.locator("#query")).to_be_focused()
        chosen = ["Spider-dok", "Spider-Man", "Spider-Girl (May Parker)", "Spider-Ham (Larval Earth)", "Spider-Man (1602)"]
        for count, name in enumerate(chosen, 1):
            card(page, name).click()
            expect(page.locator("#count")).to_have_text(f"{count} of 5")
        page.get_by_role("tab", name="Favorites").click()
        assert names(page, "#favorites") == chosen
        expect(page.locator("#order")).to_contain_text("The next one replaces Spider-dok.")
        page.get_by_role("tab", name="Search").click()
        card(page, "Spider-Man (2099)").click()
        expect(page.get_by_role("status")).to_have_text("Spider-Man (2099) saved. Spider-dok left the list.")
        expect(page.locator("#toast")).to_contain_text("Spider-Man (2099) saved. Spider-dok left the list.")
        expect(card(page, "Spider-dok")).to_have_attribute("aria-pressed", "false")
        page.get_by_role("button", name="Undo").click()
        wait_until(lambda: server.favorites("full") == [*chosen[1:], "Spider-dok"], "not undone")
        page.get_by_role("tab", name="Favorites").click()
        expect(page.locator("#favorites .toggle bdi")).to_have_text([*chosen[1:], "Spider-dok"])
        card(page, "Spider-Man", "#favorites").press("Enter")
        expect(page.locator("#favorites .toggle")).to_have_count(4)
        expect(card(page, "Spider-Girl (May Parker)", "#favorites")).to_be_focused()
        expect(page.get_by_role("status")).to_have_text("Spider-Man removed.")
        page.keyboard.press("Control+z")
        expect(page.locator("#favorites .toggle")).to_have_count(5)


@behavior
def undo_by_the_keyboard_leaves_what_was_typed(browser, server):
    with window(browser, server) as one:
        page = one.open("?list=typed")
        page.locator("#query").press_sequentially("hulk")
        expect(page.get_by_role("option").first).to_be_visible()
        page.keyboard.press("Escape")
        card(page, "Hulk").click()
        expect(page.locator("#toast")).to_contain_text("Hulk saved.")
        page.keyboard.press("Control+z")
        expect(card(page, "Hulk")).to_have_attribute("aria-pressed", "false")
        expect(page.locator("#query")).to_have_value("hulk")
        expect(card(page, "Hulk")).to_be_focused()


@behavior
def an_address_with_a_match_that_the_catalog_lacks_searches_by_prefix(browser, server):
    with window(browser, server) as one:
        one.context.route("**/GetCatalogInfo", lambda route: answer(route, matches=["MATCH_PREFIX"]))
        page = one.open("?q=hulk&match=fuzzy")
        expect(page.locator("#match")).to_have_value("prefix")
        expect(page).to_have_url(re.compile(r"\?q=hulk$"))
        expect(card(page, "Hulk")).to_be_visible()
        expect(page.locator("#error")).to_be_hidden()
        page.fill("#query", "thor")
        page.evaluate("history.replaceState(null, '', '?q=hulk&match=fuzzy'); dispatchEvent(new PopStateEvent('popstate'))")
        expect(page.locator("#match")).to_have_value("prefix")
        expect(card(page, "Hulk")).to_be_visible()


@behavior
def a_list_longer_than_the_capacity_is_shown_whole(browser, server):
    with own_server(server.programs) as own:
        own.save("default", SPIDER_MAN, IRON_MAN, HULK)
        own.stop(signal.SIGTERM)
        own.arguments = ("--capacity", "2")
        own.start()
        with window(browser, own) as one:
            page = one.open("?q=thor#favorites")
            expect(page.locator("#count")).to_have_text("3 of 2")
            assert names(page, "#saved") == ["Spider-Man", "Iron Man", "Hulk"]
            page.get_by_role("tab", name="Search").click()
            card(page, "Thor").first.click()
            expect(page.locator("#count")).to_have_text("2 of 2")


@behavior
def windows_and_the_terminal_are_in_step(browser, server):
    with window(browser, server) as one, window(browser, server) as other:
        first, second = one.open("?list=steps#favorites"), other.open("?q=hulk&list=steps")
        card(second, "Hulk").click()
        expect(first.locator("#favorites .toggle bdi")).to_have_text(["Hulk"])
        server.marvel("toggle", IRON_MAN, "--save", "--list", "steps")
        for page in (first, second):
            expect(page.locator("#count")).to_have_text("2 of 5")
        expect(first.locator("#favorites .toggle bdi")).to_have_text(["Hulk", "Iron Man"])
        card(first, "Hulk", "#favorites").click()
        wait_until(lambda: "Hulk" not in server.marvel("favorites", "--list", "steps"), "the terminal still lists it")
        expect(card(second, "Hulk")).to_have_attribute("aria-pressed", "false")


@behavior
def eight_tabs_share_one_stream(browser, server):
    with own_server(server.programs) as own, window(browser, own) as one:
        watches = []
        one.context.on("request", lambda request: "WatchFavorites" in request.url and watches.append(request.frame.page))
        pages = [one.open("?q=hulk") for _ in range(8)]
        wait_until(lambda: own.metric("marvel_watches") == 1, "several tabs have a stream")
        # With a stream of each tab's own, no connection would be left for this.
        card(pages[7], "Hulk").click()
        for page in pages:
            expect(page.locator("#count")).to_have_text("1 of 5")
        count = len(watches)
        watches[-1].close()
        pages.remove(watches[-1])
        wait_until(lambda: pages[0].wait_for_timeout(20) or len(watches) > count, "no other tab leads")
        own.save("default", IRON_MAN)
        for page in pages:
            expect(page.locator("#count")).to_have_text("2 of 5")
        wait_until(lambda: own.metric("marvel_watches") == 1, "the stream of the closed tab is left")


@behavior
def the_tab_that_is_shown_takes_the_stream(browser, server):
    with own_server(server.programs) as own, window(browser, own) as one:
        watches = []
        one.context.on("request", lambda request: "WatchFavorites" in request.url and watches.append(request.frame.page))
        pages = [one.open("?q=hulk") for _ in range(3)]
        # A tab may be live by the stream of the one before, until it has its own.
        wait_until(lambda: pages[0].wait_for_timeout(20) or watches == pages, "a new tab does not lead")
        for shown in (2, 1, 1):
            count = len(watches)
            pages[shown].evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
            wait_until(lambda: pages[0].wait_for_timeout(20) or len(watches) > count, "no tab leads")
            assert watches[count:] == [pages[shown]]
            wait_until(lambda: own.metric("marvel_watches") == 1, "the stream of the other tab is left")
            for page in pages:
                expect(page.locator("#live")).to_contain_text("Live")
        own.save("default", HULK)
        for page in pages:
            expect(page.locator("#count")).to_have_text("1 of 5")


@behavior
def without_locks_each_tab_watches_while_it_is_visible(browser, server):
    with window(browser, server) as one:
        one.context.add_init_script("Object.defineProperty(navigator, 'locks', { value: undefined })")
        watches = []
        one.context.on("request", lambda request: "WatchFavorites" in request.url and watches.append(request))
        pages = [one.open("?list=plain#favorites") for _ in range(2)]
        assert len(watches) == 2
        server.save("plain", HULK)
        for page in pages:
            expect(page.locator("#count")).to_have_text("1 of 5")
        hide = "value => { Object.defineProperty(document, 'hidden', { value, configurable: true }); document.dispatchEvent(new Event('visibilitychange')) }"
        pages[0].evaluate(hide, True)
        wait_until(lambda: pages[0].wait_for_timeout(20) or watches[0].failure, "the watch did not end")
        server.save("plain", IRON_MAN)
        pages[0].evaluate(hide, False)
        expect(pages[0].locator("#count")).to_have_text("2 of 5")
        pages[0].evaluate(hide, True)
        held = []
        pages[0].route(re.compile("WatchFavorites|GetCatalogInfo"), lambda route: held.append(route))
        pages[0].evaluate(hide, False)
        expect(pages[0].locator("#live")).to_contain_text("Connecting")
        wait_until(lambda: pages[0].wait_for_timeout(20) or len(held) == 2, "no watch began")
        for route in held:
            route.continue_()
        expect(pages[0].locator("#live")).to_contain_text("Live")


# Troubles


@behavior
def nothing_is_lost_when_the_server_is_killed(browser, server):
    with own_server(server.programs) as own, window(browser, own) as one:
        page = one.open("?q=spider")
        card(page, "Spider-Man").click()
        expect(page.get_by_role("status")).to_have_text("Spider-Man saved.")
        own.stop(signal.SIGKILL)
        expect(page.locator("#live")).to_have_text("Reconnecting")
        card(page, "Spider-dok").click()
        card(page, "Spider-Man").click()
        expect(page.locator("#count")).to_have_text("1 of 5")
        own.start()
        expect(page.locator("#live")).to_have_text("Live", timeout=60_000)
        wait_until(lambda: page.wait_for_timeout(50) or own.favorites("default") == ["Spider-dok"], "a change is lost")
        assert own.call("ListFavorites")["revision"] == "3"
        expect(card(page, "Spider-dok")).to_have_attribute("aria-pressed", "true")
        expect(page.locator("#error")).to_be_hidden()


@behavior
def offline_is_shown_and_ends_by_itself(browser, server):
    with window(browser, server) as one:
        page = one.open("?q=hulk&list=offline")
        one.context.set_offline(True)
        expect(page.locator("#live")).to_contain_text("Offline")
        page.fill("#query", "iron man")
        expect(page.locator("#error")).to_contain_text("You are offline. The page continues by itself.")
        expect(page.locator("#found")).to_have_text("Results of the last search")
        card(page, "Hulk").click()
        expect(card(page, "Hulk")).to_have_attribute("aria-pressed", "true")
        one.context.set_offline(False)
        expect(page.locator("#live")).to_contain_text("Live")
        expect(card(page, "Iron Man").first).to_be_visible()
        expect(page.locator("#error")).to_be_hidden()
        wait_until(lambda: page.wait_for_timeout(20) or server.favorites("offline") == ["Hulk"], "the change is lost")


@behavior
def a_silent_watch_is_a_lost_one(browser, server):
    with window(browser, server) as one:
        one.context.clock.install()
        watches = []
        one.context.on("request", lambda request: "WatchFavorites" in request.url and watches.append(request))
        page = one.open("?list=silent")
        one.context.clock.run_for(44_000)
        assert len(watches) == 1
        wait_until(lambda: one.context.clock.run_for(1_000) or len(watches) == 2, "the watch did not resume")
        expect(page.locator("#live")).to_contain_text("Live")


COUNT_BLOBS = """
const { createObjectURL, revokeObjectURL } = URL
window.blobs = new Set()
URL.createObjectURL = blob => {
    const address = createObjectURL(blob)
    blobs.add(address)
    return address
}
URL.revokeObjectURL = address => {
    blobs.delete(address)
    revokeObjectURL(address)
}
"""


@behavior
def a_token_is_asked_for_and_kept_for_the_tab(browser, server):
    with own_server(server.programs, "--require-tokens") as own, window(browser, own) as one:
        one.context.add_init_script(COUNT_BLOBS)
        token = own.token("create", "phone", "--scope", "catalog:read", "--scope", "lists:write:*")
        page = one.open("?q=spider-man", is_live=False)
        access = page.get_by_role("dialog", name="This server needs a token")
        expect(access).to_be_visible()
        for wrong in ("mrv1_…", "mrv1_wrong"):
            page.get_by_role("textbox", name="Token").fill(wrong)
            page.get_by_role("textbox", name="Token").press("Enter")
            expect(access.get_by_role("alert")).not_to_be_empty()
            expect(access).to_be_visible()
        page.get_by_role("textbox", name="Token").fill(token)
        # A server that runs takes a new token within five seconds.
        def is_accepted():
            if access.is_visible() and page.get_by_role("textbox", name="Token").input_value() == "":
                page.get_by_role("textbox", name="Token").fill(token)
            if access.is_visible():
                page.get_by_role("button", name="Continue").click()
            page.wait_for_timeout(500)
            return page.locator("#live").inner_text() == "Live"
        wait_until(is_accepted, "the token is not accepted")
        expect(card(page, "Spider-Man")).to_be_visible()
        expect(page.locator("#error")).to_be_hidden()
        expect(page.locator("#results img").first).to_have_attribute("src", re.compile("^blob:"))
        wait_until(lambda: page.evaluate("document.querySelector('#results img').naturalWidth") > 0, "no picture")
        stored = page.evaluate("[JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie, location.href]")
        assert [token in text for text in stored] == [False, True, False, False]
        # The picture of a favorite is not loaded before it is seen.
        card(page, "Spider-Man").click()
        expect(page.locator("#count")).to_have_text("1 of 5")
        wait_until(lambda: page.wait_for_timeout(20) or page.evaluate("blobs.size") == 0, "a picture is kept in memory")
        page.get_by_role("tab", name="Favorites").click()
        expect(page.locator("#saved img")).to_have_attribute("src", re.compile("^blob:"))
        page.get_by_role("tab", name="Search").click()
        page.reload()
        expect(page.locator("#live")).to_have_text("Live")
        id = re.search(r"\b[0-9a-f]{8}\b", own.token("list")).group()
        own.token("revoke", id)
        expect(access).to_be_visible(timeout=60_000)
        expect(page.locator("#query")).to_have_value("spider-man")


ADVICE = {
    "invalid_argument": "Change it and try again.",
    "not_found": "Search for it again.",
    "failed_precondition": "Only the operator of the server can change that.",
    "permission_denied": "Ask the operator of the server, or use another token.",
    "unauthenticated": "Enter a token.",
}


def errors_of_the_api():
    """Reads the reasons from the comments of the service, with their codes."""
    text = PROTO.read_text()
    comments = " ".join(re.findall(r"^ *//(.*)", text[: text.index("message SearchCharactersRequest")], re.M))
    code, found = "", {}
    codes = "INVALID_ARGUMENT|NOT_FOUND|FAILED_PRECONDITION|PERMISSION_DENIED|UNAUTHENTICATED|UNIMPLEMENTED|UNAVAILABLE|" \
        "RESOURCE_EXHAUSTED|DEADLINE_EXCEEDED|INTERNAL|ABORTED|ALREADY_EXISTS|CANCELLED|OUT_OF_RANGE"
    for word in re.findall(r"\b(?:" + codes + r")(?=[: ])|\b[A-Z]+(?:_[A-Z]+)+\b", comments):
        if re.fullmatch(codes, word):
            code = word.lower().replace("cancelled", "canceled")
        elif code and not word.startswith(("MATCH_", "WORD_")):
            found.setdefault(word, code)
    return found


@behavior
def every_error_says_what_happened_and_what_to_do(browser, server):
    errors = errors_of_the_api()
    assert len(errors) > 60, errors
    with window(browser, server) as one:
        page = one.open("?q=hulk&list=errors")
        change = re.compile("INVALID|LIMIT|STORE|REQUEST_ID|CHARACTER_NOT_FOUND|DRAINING")
        for reason, code in errors.items():
            if reason.startswith(("EDIT", "CHARACTER_E", "CHARACTER_INVALID")):
                continue
            # A change is repeated for a while after DRAINING, and then it is a search that fails.
            is_change = change.search(reason) and reason != "DRAINING"
            method = "ToggleFavorite" if is_change else "SearchCharacters"
            page.route(f"**/{method}", lambda route: refuse(route, code, reason, f"the text of {reason}"))
            if is_change:
                card(page, "Hulk").click()
            else:
                page.fill("#query", "hulk smash")
                page.press("#query", "Enter")
            error = page.locator(f"#error[data-reason={reason}]")
            saved = "Hulk may not be saved." if "OUTCOME_UNKNOWN" in reason else "Hulk was not saved."
            expect(error).to_contain_text(saved if is_change else "The search failed.")
            expect(error).to_contain_text(f"The text of {reason}.")
            advice = "The page continues by itself." if reason == "DRAINING" else ADVICE.get(code, "Try again in a moment.")
            if code == "resource_exhausted":
                # Without a delay, the text names a limit that stays.
                expect(error).not_to_contain_text("Try again in")
            else:
                expect(error).to_contain_text(advice)
            if code == "unauthenticated":
                expect(page.get_by_role("dialog")).to_contain_text("This server needs a token")
                page.get_by_role("button", name="Cancel").click()
            assert page.input_value("#query") == ("hulk" if is_change else "hulk smash")
            page.unroute(f"**/{method}")
            page.get_by_role("button", name="Close the message").click()
            page.fill("#query", "hulk")
            page.press("#query", "Enter")
            expect(card(page, "Hulk")).to_have_attribute("aria-pressed", "false")


@behavior
def a_watch_that_fails_says_why(browser, server):
    # Permanent errors are shown immediately, and others after some attempts.
    for code, reason in (("permission_denied", "SCOPE_MISSING"), ("out_of_range", "REVISION_COMPACTED"), ("unavailable", "STORE_UNREADABLE")):
        with window(browser, server) as one:
            info = {"type": "google.rpc.ErrorInfo", "value": "", "debug": {"reason": reason}}
            end = json.dumps({"error": {"code": code, "message": f"the text of {reason}", "details": [info]}}).encode()
            body = b"\x02" + len(end).to_bytes(4, "big") + end
            one.context.route("**/WatchFavorites", lambda route: route.fulfill(body=body, content_type="application/connect+json"))
            page = one.open("?q=hulk", is_live=False)
            expect(page.locator(f"#error[data-reason={reason}]")).to_contain_text(f"The favorites are not up to date. The text of {reason}.")
            expect(card(page, "Hulk")).to_be_visible()


@behavior
def a_dialog_hides_no_message(browser, server):
    with window(browser, server) as one:
        page = one.open("?q=hulk&list=dialogs")
        details = page.get_by_role("dialog", name="Hulk", exact=True)
        page.get_by_role("button", name="Details of Hulk", exact=True).click()
        keep = details.get_by_role("button", name="Favorite")
        keep.click()
        expect(details.get_by_role("status")).to_have_text("Hulk saved.")
        details.get_by_role("button", name="Undo").click()
        expect(keep).to_have_attribute("aria-pressed", "false")
        expect(details.get_by_role("status")).to_have_text("Hulk removed.")
        page.route("**/ToggleFavorite", lambda route: refuse(route, "unavailable", "STORE_READ_ONLY", "the store is read-only", 503))
        keep.click()
        expect(page.locator("#error")).to_contain_text("Hulk was not saved. The store is read-only.")
        expect(details).to_be_hidden()


@behavior
def what_is_loaded_later_is_loaded_by_the_first_use_and_again_after_a_failure(browser, server):
    with window(browser, server) as one:
        loaded = []
        one.context.on("request", lambda request: "/later." in request.url and loaded.append(request.url.rpartition("/")[2]))
        page = one.open("?q=hulk&list=later")
        expect(card(page, "Hulk")).to_be_visible()
        page.wait_for_timeout(200)
        assert not loaded, loaded
        page.get_by_role("button", name="Details of Hulk", exact=True).click()
        expect(page.get_by_role("dialog", name="Hulk")).to_be_visible()
    for file in ("later.js", "later.css"):
        with window(browser, server) as one:
            page = one.open("?q=hulk&list=later")
            page.route(f"**/{file}*", lambda route: route.abort())
            page.get_by_role("button", name="Details of Hulk", exact=True).click()
            expect(page.locator("#error")).to_contain_text("The dialog was not loaded. The server cannot be reached.")
            page.unroute(f"**/{file}*")
            page.get_by_role("button", name="Try again").click()
            expect(page.get_by_role("dialog", name="Hulk")).to_be_visible()
            assert page.locator("#details").evaluate("node => getComputedStyle(node).borderRadius") == "12px"


@behavior
def what_is_loaded_later_may_be_late(browser, server):
    for file in ("later.js", "later.css"):
        with window(browser, server) as one:
            one.context.clock.install()
            page = one.open("?q=hulk&list=late")
            held = []
            page.route(f"**/{file}*", lambda route: route.fallback() if held else held.append(route))
            page.get_by_role("button", name="Details of Hulk", exact=True).click()
            wait_until(lambda: page.wait_for_timeout(20) or held, "it is not loaded")
            expect(page.locator("#bar")).to_be_visible()
            one.context.clock.run_for(10_000)
            expect(page.locator("#error")).to_contain_text("The dialog was not loaded. The server did not answer in time.")
            expect(page.locator("#bar")).to_be_hidden()
            page.get_by_role("button", name="Try again").click()
            expect(page.get_by_role("dialog", name="Hulk")).to_be_visible()
            held[0].fallback()
            page.wait_for_timeout(500)
            expect(page.locator("#toast")).to_have_count(1)
            expect(page.get_by_role("dialog", name="Hulk")).to_be_visible()


@behavior
def an_error_names_the_time_of_a_retry(browser, server):
    with window(browser, server) as one:
        page = one.open()
        for delay, text in (("89.5s", "Try again in 90 seconds."), ("7200s", "Try again in 120 minutes.")):
            info = {"type": "google.rpc.RetryInfo", "value": "", "debug": {"retryDelay": delay}}
            page.route("**/SearchCharacters", lambda route: refuse(route, "resource_exhausted", "BUDGET_SPENT", "no calls are left", 429, [info]))
            page.fill("#query", text)
            expect(page.locator("#error")).to_contain_text(text)
            page.unroute("**/SearchCharacters")
        page.route("**/SearchCharacters", lambda route: route.fulfill(status=502, body="<html>Bad gateway"))
        page.fill("#query", "iron")
        expect(page.locator("#error")).to_contain_text("The server answered with the HTTP status 502.")
        page.unroute("**/SearchCharacters")
        page.get_by_role("button", name="Try again").click()
        expect(card(page, "Iron Man").first).to_be_visible()
        expect(page.locator("#error")).to_be_hidden()


# Views


@behavior
def the_address_holds_the_state(browser, server):
    with window(browser, server) as one:
        page = one.open("?list=address")
        page.fill("#query", "spider")
        expect(page).to_have_url(server.url("?q=spider&list=address"))
        page.fill("#query", "spider-m")
        expect(page).to_have_url(server.url("?q=spider-m&list=address"))
        page.select_option("#match", label="contains")
        expect(page).to_have_url(server.url("?q=spider-m&match=substring&list=address"))
        page.get_by_role("tab", name="Favorites").click()
        expect(page).to_have_url(server.url("?q=spider-m&match=substring&list=address#favorites"))
        page.reload()
        expect(page.get_by_role("tab", name="Favorites")).to_have_attribute("aria-selected", "true")
        page.go_back()
        expect(page.locator("#results .toggle").first).to_be_visible()
        expect(page.locator("#match")).to_have_value("substring")
        page.go_back()
        expect(page.locator("#match")).to_have_value("prefix")
        expect(page.locator("#query")).to_have_value("spider-m")
        page.go_forward()
        expect(page.locator("#found")).to_contain_text("characters")
        expect(page.locator("#match")).to_have_value("substring")
        expect(page).to_have_title("spider-m – Marvel characters")


@behavior
def back_from_the_favorites_keeps_the_results(browser, server):
    with window(browser, server) as one:
        page = one.open("?q=spider&list=back")
        wait_until(lambda: page.mouse.wheel(0, 20_000) or page.locator("#end").is_visible(), "the results do not end")
        page.get_by_role("tab", name="Favorites").click()
        searches = []
        page.on("request", lambda request: "SearchCharacters" in request.url and searches.append(request))
        page.go_back()
        expect(page.locator("#results .toggle").first).to_be_visible()
        expect(page).to_have_title("spider – Marvel characters")
        page.wait_for_timeout(200)
        assert page.locator("#results .toggle").count() == 21
        assert not searches, "the first page is loaded again"


@behavior
def grid_or_list_is_kept(browser, server):
    with window(browser, server) as one:
        page = one.open("?q=spider")
        page.get_by_role("button", name="Show as a list").click()
        picture = page.locator("#results .picture").first
        assert picture.bounding_box()["width"] == 56
        page.reload()
        expect(page.get_by_role("button", name="Show as a list")).to_have_attribute("aria-pressed", "true")
        assert page.locator("#results .picture").first.bounding_box()["width"] == 56


@behavior
def details_have_text_counts_and_safe_links(browser, server):
    with window(browser, server) as one:
        page = one.open("?q=spider-&list=details")
        page.get_by_role("button", name="Details of Spider-Man", exact=True).click()
        details = page.get_by_role("dialog", name="Spider-Man")
        expect(details).to_contain_text("Bitten by a radioactive spider")
        expect(details.locator("dd")).to_have_text(["3,954", "unknown", "unknown", "unknown"])
        expect(details).to_contain_text("Character names and ids: Marvel.")
        keep = details.get_by_role("button", name="Favorite")
        expect(keep).to_have_attribute("aria-pressed", "false")
        keep.click()
        expect(keep).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("Escape")
        expect(details).to_be_hidden()
        expect(page.get_by_role("button", name="Details of Spider-Man", exact=True)).to_be_focused()
        urls = [{"type": "wiki", "url": "https://example.org/"}, {"type": "x", "url": "javascript:alert(1)"}]
        linked = {"id": "1010727", "name": "Spider-dok", "urls": urls, "storyCount": 2}
        page.route("**/SearchCharacters", lambda route: answer(route, characters=[linked], total=1))
        page.fill("#query", "spider-d")
        expect(page.locator("#results .toggle")).to_have_count(1)
        page.get_by_role("button", name="Details of Spider-dok").click()
        links = page.get_by_role("dialog").get_by_role("link")
        expect(links).to_have_text(["Wiki"])
        expect(links).to_have_attribute("rel", "noopener noreferrer")


@behavior
def characters_are_registered_and_edited_with_checked_input(browser, server):
    with window(browser, server) as one:
        page = one.open("?q=qwerty")
        page.get_by_role("button", name="Register").click()
        editor = page.get_by_role("dialog", name="Register a character")
        editor.get_by_label("Wiki").fill("ftp://example.org")
        editor.get_by_label("Stories").fill("-4")
        editor.get_by_label("Description").fill("Typed once.")
        editor.get_by_role("button", name="Save").click()
        expect(editor.locator("#nameProblem")).to_contain_text("Name must have 1 to 200 letters")
        expect(editor.locator("#wikiProblem")).to_contain_text("It does not begin with http://")
        expect(editor.locator("#storyCountProblem")).not_to_be_empty()
        expect(editor.get_by_label("Name")).to_be_focused()
        expect(editor.get_by_label("Description")).to_have_value("Typed once.")
        for name in ("a" * 4000, "\u202eevil\u2066 name"):
            editor.get_by_label("Name").fill(name)
            editor.get_by_role("button", name="Save").click()
            expect(editor.locator("#nameProblem")).not_to_contain_text("Name has 0")
            expect(editor.locator("#nameProblem")).not_to_be_empty()
            expect(editor.get_by_label("Name")).to_have_value(name)
        editor.get_by_label("Name").fill("Qwerty-Man")
        editor.get_by_label("Wiki").fill("https://example.org/wiki")
        editor.get_by_label("Stories").fill("4")
        sent = []
        page.on("request", lambda request: request.url.endswith("/CreateCharacter") and sent.append(request))
        editor.get_by_role("button", name="Save").dblclick()
        expect(page.get_by_role("status")).to_contain_text("character")
        expect(page.locator("#toast")).to_have_text(re.compile("Qwerty-Man registered."))
        assert len(sent) == 1, "a second press of the button is another request"
        page.get_by_role("button", name="Details of Qwerty-Man").click()
        expect(page.get_by_role("dialog").locator("#links")).to_have_text("Wiki")
        page.get_by_role("button", name="Edit").click()
        editor = page.get_by_role("dialog", name="Edit a character")
        expect(editor.get_by_label("Name")).to_have_value("Qwerty-Man")
        id = server.call("SearchCharacters", query="qwerty-man")["characters"][0]["id"]
        server.call("UpdateCharacter", character={"id": id, "storyCount": 5}, updateMask="storyCount")
        editor.get_by_label("Description").fill("Typed twice.")
        editor.get_by_role("button", name="Save").click()
        expect(editor.get_by_role("alert")).to_contain_text("Somebody changed this character meanwhile.")
        editor.get_by_role("button", name="Save").click()
        expect(editor).to_be_hidden()
        current = server.call("GetCharacter", id=id)["character"]
        assert (current["description"], current["storyCount"], len(current["urls"])) == ("Typed twice.", 5, 1), current
        links = [{"type": type, "url": f"https://example.org/{number}"} for number, type in enumerate(("wiki", "blog", "wiki"))]
        server.call("UpdateCharacter", character={"id": id, "urls": links}, updateMask="urls")
        page.get_by_role("button", name="Details of Qwerty-Man").click()
        page.get_by_role("button", name="Edit").click()
        editor.get_by_label("Wiki").fill("https://example.org/new")
        editor.get_by_role("button", name="Save").click()
        expect(editor).to_be_hidden()
        links[0]["url"] = "https://example.org/new"
        assert server.call("GetCharacter", id=id)["character"]["urls"] == links, "the form has only the first link of a type"
        for reason, code in errors_of_the_api().items():
            if not reason.startswith(("EDITS_", "EDIT_LIMIT", "CHARACTER_EXISTS")):
                continue
            page.get_by_role("button", name="Register").click()
            editor = page.get_by_role("dialog", name="Register a character")
            page.route("**/CreateCharacter", lambda route: refuse(route, code, reason, f"the text of {reason}"))
            editor.get_by_label("Name").fill("Azerty-Man")
            editor.get_by_role("button", name="Save").click()
            advice = "" if code == "resource_exhausted" else " " + ADVICE.get(code, "Try again in a moment.")
            expect(editor.get_by_role("alert")).to_have_text(f"The text of {reason}.{advice}")
            expect(editor.get_by_label("Name")).to_have_value("Azerty-Man")
            editor.get_by_role("button", name="Cancel").click()
            page.unroute("**/CreateCharacter")


def png(red, green, blue):
    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    rows = (b"\0" + bytes((red, green, blue)) * 64) * 64
    header = (64).to_bytes(4, "big") * 2 + b"\x08\x02\0\0\0"
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@behavior
def a_form_keeps_what_is_typed_when_the_server_is_back(browser, server):
    with window(browser, server) as one:
        page = one.open("?list=forms&q=hulk")
        page.route("**/GetCharacter", lambda route: route.abort())
        page.get_by_role("button", name="Details of Hulk", exact=True).click()
        page.get_by_role("button", name="Edit").click()
        expect(page.get_by_role("alert")).to_contain_text("Hulk cannot be edited.")
        page.get_by_role("button", name="Register").click()
        editor = page.get_by_role("dialog", name="Register a character")
        editor.get_by_label("Description").fill("Typed once.")
        page.unroute("**/GetCharacter")
        asked = []
        page.on("request", lambda request: "GetCharacter" in request.url and asked.append(request))
        for count, id in enumerate((HULK, IRON_MAN), start=1):
            server.save("forms", id)
            expect(page.locator("#count")).to_contain_text(f"{count} of")
        assert not asked
        expect(editor.get_by_label("Description")).to_have_value("Typed once.")


@behavior
def a_picture_is_uploaded_in_the_form(browser, server):
    with window(browser, server) as one:
        page = one.open("?q=pixel-man")
        register, edit = page.get_by_role("dialog", name="Register a character"), page.get_by_role("dialog", name="Edit a character")

        def choose(editor, data, kind="image/png"):
            editor.get_by_label("Picture").set_input_files({"name": "picture", "mimeType": kind, "buffer": data})
            editor.get_by_role("button", name="Save").click()

        def has_color(*color):
            return page.evaluate("""color => {
                const image = document.querySelector('#results img')
                if (!image?.naturalWidth) return false
                const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
                canvas.getContext('2d').drawImage(image, 0, 0, 1, 1)
                return `${[...canvas.getContext('2d').getImageData(0, 0, 1, 1).data].slice(0, 3)}` === `${color}`
            }""", color)

        page.get_by_role("button", name="Register").click()
        register.get_by_label("Name").fill("Pixel-Man")
        choose(register, b"no picture")
        expect(register.locator("#pictureProblem")).not_to_be_empty()
        choose(register, bytes((1 << 20) + 1))
        expect(register.locator("#pictureProblem")).to_have_text("It has more than 1 MiB. Choose a smaller one. ")
        expect(register.get_by_label("Name")).to_have_value("Pixel-Man")
        choose(register, png(255, 0, 0))
        expect(page.locator("#toast")).to_contain_text("Pixel-Man registered.")
        wait_until(lambda: page.wait_for_timeout(20) or has_color(255, 0, 0), "not red")
        page.get_by_role("button", name="Details of Pixel-Man").click()
        page.get_by_role("button", name="Edit").click()
        # The address of a picture has the second of its change.
        page.wait_for_timeout(1000)
        choose(edit, png(0, 0, 255))
        expect(page.locator("#toast")).to_contain_text("Pixel-Man changed.")
        wait_until(lambda: page.wait_for_timeout(20) or has_color(0, 0, 255), "not blue")
        page.reload()
        wait_until(lambda: page.wait_for_timeout(20) or has_color(0, 0, 255), "not blue after it is loaded again")


@behavior
def nothing_can_be_edited_where_the_operator_forbids_it(browser, server):
    with window(browser, server) as one:
        one.context.route("**/GetCatalogInfo", lambda route: answer(route, matches=["MATCH_PREFIX", "MATCH_FUZZY"], characterCount=7))
        page = one.open("?q=hulk")
        expect(page.locator("#register")).to_be_hidden()
        page.get_by_role("button", name="Details of Hulk", exact=True).click()
        expect(page.get_by_role("dialog", name="Hulk")).to_be_visible()
        expect(page.locator("#edit")).to_be_hidden()
        page.keyboard.press("Escape")
        assert page.locator("#match option:not(:disabled)").all_inner_texts() == ["begins with", "similar"]


@behavior
def the_attribution_is_on_every_view(browser, server):
    with window(browser, server) as one:
        for path in ("", "?q=hulk", "?q=zzzzz", "#favorites"):
            page = one.open(path)
            expect(page.get_by_role("contentinfo")).to_contain_text("Character names and ids: Marvel.")


@behavior
def strange_names_are_text(browser, server):
    strange = ["<img src=x onerror=alert(1)>", "\u202eevil\u2066 name", "a" * 4000, "&amp; <b>", "עברית (Hebrew)"]
    characters = [{"id": f"{index + 1}", "name": name, "description": name} for index, name in enumerate(strange)]
    with window(browser, server, viewport={"width": 320, "height": 640}) as one:
        page = one.open("?list=strange")
        page.route("**/SearchCharacters", lambda route: answer(route, characters=characters, total=5))
        page.route("**/ToggleFavorite", lambda route: answer(route, isFavorite=True, evicted=[{"character": characters[2]}]))
        page.fill("#query", "strange")
        expect(page.locator("#results .toggle")).to_have_count(5)
        assert page.locator("#results bdi").evaluate_all("nodes => nodes.map(node => node.textContent)") == strange
        for index, name in enumerate(strange):
            page.locator("#results .icon").nth(index).click()
            expect(page.locator("#details")).to_be_visible()
            assert page.locator("#name").evaluate("node => node.textContent") == name
            assert_fits(page)
            page.keyboard.press("Escape")
        page.locator("#results .toggle").first.click()
        expect(page.locator("#toast")).to_contain_text(strange[0])
        assert_fits(page)
        assert page.locator("#toast").bounding_box()["height"] < 200
        assert page.locator("main img[src=x], main b").count() == 0
        page.unroute("**/SearchCharacters")
        for query in ("a" * 4000, "<b>" + "\u202e" * 50):
            page.fill("#query", query)
            page.press("#query", "Enter")
            expect(page.locator("#error, #start").filter(visible=True)).to_contain_text(re.compile("letters|No character found"))
            expect(page.locator("#query")).to_have_value(query)
            assert_fits(page)


def assert_fits(page):
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{wide} pixels to scroll sideways at {page.viewport_size}"


@behavior
def every_width_fits_and_every_target_is_large(browser, server):
    small = """() => [...document.querySelectorAll('button, select, input, a[href]')].filter(node => {
        const box = node.getBoundingClientRect()
        return box.width && !node.matches('#skip') && (box.height < 43.5 || box.width < 43.5)
    }).map(node => node.outerHTML.slice(0, 80))"""
    server.save("widths", SPIDER_MAN, HULK)
    for width, columns in ((320, 2), (360, 2), (768, 3), (1600, 6), (3840, 12)):
        with window(browser, server, viewport={"width": width, "height": 700}) as one:
            page = one.open("?q=spider&list=widths")
            expect(page.locator("#results .toggle").first).to_be_visible()
            tops = page.locator("#results .toggle").evaluate_all("nodes => nodes.map(node => node.getBoundingClientRect().top)")
            assert min(tops.count(tops[0]), 10) == min(columns, 10), (width, tops)
            assert_fits(page)
            assert page.evaluate(small) == []
            page.locator("#results .icon").first.click()
            expect(page.get_by_role("dialog")).to_be_visible()
            assert_fits(page)
            assert page.evaluate(small) == []
            page.keyboard.press("Escape")
            page.get_by_role("tab", name="Favorites").click()
            assert_fits(page)
            assert page.evaluate(small) == []


@behavior
def no_view_breaks_a_rule_of_access(browser, server):
    axe = Axe()
    server.save("access", SPIDER_MAN, HULK)

    def check(page, view):
        found = [
            (violation["id"], [node["html"][:120] for node in violation["nodes"]])
            for violation in axe.run(page).response["violations"]
        ]
        assert not found, (view, found)

    for scheme in ("light", "dark"):
        with window(browser, server, color_scheme=scheme) as one:
            page = one.open("?list=access")
            check(page, "start")
            page.fill("#query", "spider")
            expect(page.get_by_role("option").first).to_be_visible()
            expect(card(page, "Spider-dok")).to_be_visible()
            page.keyboard.press("ArrowDown")
            check(page, "suggestions")
            page.keyboard.press("Escape")
            card(page, "Spider-dok").click()
            expect(page.locator("#toast")).to_be_visible()
            page.mouse.move(0, 0)
            check(page, "results")
            page.get_by_role("button", name="Show as a list").click()
            check(page, "list")
            page.get_by_role("button", name="Details of Spider-Man", exact=True).click()
            check(page, "details")
            page.keyboard.press("Escape")
            page.get_by_role("button", name="Register").click()
            page.get_by_role("button", name="Save", exact=True).click()
            expect(page.locator("#nameProblem")).not_to_be_empty()
            check(page, "editor")
            page.keyboard.press("Escape")
            page.get_by_role("tab", name="Favorites").click()
            check(page, "favorites")
            page.get_by_role("tab", name="Search").click()
            page.fill("#query", "qqqxxx")
            expect(page.locator("#start")).to_be_visible()
            check(page, "nothing")
            page.route("**/SearchCharacters", lambda route: refuse(route, "unauthenticated", "TOKEN_INVALID", "the token is unknown", 401))
            page.fill("#query", "hulk")
            expect(page.get_by_role("dialog")).to_be_visible()
            check(page, "token")
            page.keyboard.press("Escape")
            check(page, "error")
            server.call("ToggleFavorite", list="access", characterId="1010727", desired="DESIRED_REMOVED")


@behavior
def all_of_it_works_by_keyboard(browser, server):
    with window(browser, server) as one:
        page = one.open("?list=keys")
        press = page.keyboard.press

        def focus():
            return page.evaluate("(({ ariaLabel, title, textContent }) => ariaLabel ?? (title || textContent.trim()))(document.activeElement)")

        press("Tab")
        assert focus() == "Skip to the characters"
        # The first use loads the rest of the page.
        # Playwright's own wait evaluates a text in the page more than once, which its policy forbids.
        wait_until(lambda: page.evaluate("!!document.querySelector('#tabs').onkeydown"), "the rest is not loaded")
        press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"
        press("Shift+Tab")
        assert focus() == "Show as a list"
        press("Shift+Tab")
        assert focus() == "Search"
        press("ArrowRight")
        assert focus().startswith("Favorites") and page.locator("#favorites").is_visible()
        press("Home")
        assert focus() == "Search" and page.locator("#search").is_visible()
        press("End")
        assert page.locator("#favorites").is_visible()
        press("ArrowLeft")
        press("Tab")
        press("Tab")
        assert focus() == "Name of a character"
        page.keyboard.type("hulk")
        expect(card(page, "Hulk")).to_be_visible()
        press("Escape")
        for _ in range(3):
            press("Tab")
        assert focus() == "Hulk1,669 comics" or focus().startswith("Hulk"), focus()
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid"
        press("Space")
        expect(page.get_by_role("status")).to_have_text("Hulk saved.")
        press("Tab")
        assert focus() == "Details of Hulk"
        press("Enter")
        expect(page.get_by_role("dialog", name="Hulk")).to_be_visible()
        press("Escape")
        assert focus() == "Details of Hulk"
        press("Control+z")
        expect(page.get_by_role("status")).to_have_text("Hulk removed.")
        assert server.favorites("keys") == []


@behavior
def a_page_is_drawn_at_once_below_ten_thousand_rows(browser, server):
    figures = page_speed.measure(browser, server.http, scrolls=0)
    print(f"   {figures}")
    assert figures["drawn"] < 100 * SLOWNESS


# The files, and client.js for other pages


@behavior
def the_files_have_their_headers(browser, server):
    policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; " \
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    kinds = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
    size = 0
    for path in [*page_speed.FILES, "later.css", "later.js"]:
        with urllib.request.urlopen(server.url(path), timeout=60) as response:
            size += len(response.read()) if path in page_speed.FILES else 0
            headers = response.headers
        kind = kinds[path.rpartition(".")[2] or "html"]
        assert headers["content-type"].startswith(kind), headers
        assert headers["content-security-policy"] == policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-cache"
        request = urllib.request.Request(server.url(path), headers={"If-None-Match": headers["etag"]})
        try:
            urllib.request.urlopen(request, timeout=60)
            assert False, "not 304"
        except urllib.error.HTTPError as error:
            assert error.code == 304
    assert size <= 40 * 1024, f"{size:,} bytes are loaded at first"


@behavior
def the_pure_parts_of_the_client_are_right(browser, server):
    with window(browser, server) as one:
        page = one.open()
        wrong = page.evaluate("""async () => {
            const { envelope, EnvelopeReader, backoff, merge, MarvelError } = await import('./client.js')
            const wrong = []
            const check = (name, value, expected) => {
                if (JSON.stringify(value) !== JSON.stringify(expected)) wrong.push([name, value, expected])
            }
            // Envelopes, in one piece and byte by byte.
            const bytes = new Uint8Array([...envelope({ a: 'ü' }), ...envelope({}), 2, 0, 0, 0, 2, 123, 125])
            check('prefix', [...bytes.subarray(0, 5)], [0, 0, 0, 0, 10])
            const expected = [{ isLast: false, message: { a: 'ü' } }, { isLast: false, message: {} }, { isLast: true, message: {} }]
            check('whole', [...new EnvelopeReader().read(bytes)], expected)
            const reader = new EnvelopeReader()
            check('bytes', [...bytes].flatMap(byte => [...reader.read(new Uint8Array([byte]))]), expected)
            // Back-off.
            check('backoff', [0, 1, 2, 6, 60].map(attempt => backoff(attempt, 1)), [500, 1000, 2000, 30000, 30000])
            check('least', backoff(3, 0), 2000)
            // Merging.
            const favorite = id => ({ character: { id } })
            const ids = list => list && list.favorites.map(({ character }) => character.id).join()
            const first = merge(null, { snapshot: { favorites: [favorite('1'), favorite('2')], revision: '4', capacity: 2 }, place: 'p4' })
            check('early', merge(null, { changed: { revision: '1' } }), null)
            check('empty', merge(null, { snapshot: { capacity: 5 }, place: 'p' }), { favorites: [], revision: '0', capacity: 5, place: 'p' })
            const second = merge(first, { changed: { revision: '5', saved: favorite('3'), evicted: [favorite('1')] }, place: 'p5' })
            check('saved', [ids(second), second.revision, second.place], ['2,3', '5', 'p5'])
            check('again', merge(second, { changed: { revision: '5', saved: favorite('9') }, place: 'p5' }), second)
            check('removed', ids(merge(second, { changed: { revision: '6', removed: favorite('2') } })), '3')
            check('cleared', ids(merge(second, { changed: { revision: '6', deleted: true, cleared: [favorite('2'), favorite('3')] } })), '')
            check('large', ids(merge({ ...second, revision: '9007199254740993' }, { changed: { revision: '9007199254740994', saved: favorite('4') } })), '2,3,4')
            check('progress', merge(second, { progress: {}, place: 'p6' }), { ...second, place: 'p6' })
            check('reset', ids(merge(second, { snapshot: { revision: '4294967296' } })), '')
            // Errors.
            const error = MarvelError.from({ code: 'resource_exhausted', message: 'm', details: [
                { type: 'google.rpc.ErrorInfo', value: '', debug: { reason: 'RATE_LIMIT', metadata: { a: 'b' } } },
                { type: 'google.rpc.RetryInfo', value: '', debug: { retryDelay: '3.500s' } },
                { type: 'google.rpc.BadRequest', value: '', debug: { fieldViolations: [{ field: 'a', description: 'b' }] } },
                { type: 'unknown', value: 'AAAA' }] })
            check('error', [error.reason, error.metadata, error.retryAfter, error.fields],
                ['RATE_LIMIT', { a: 'b' }, 3500, [{ field: 'a', description: 'b' }]])
            return wrong
        }""")
        assert not wrong, wrong


@behavior
def a_page_of_another_origin_uses_the_client(browser, server):
    # The example of the HTTP port's article.
    example = re.search(r"^    <!doctype html>\n(?:    .*\n|\n)+", ARTICLE.read_text(), re.M).group()
    assert example.count("\n") <= 21, example
    port = free_port()
    with own_server(server.programs, "--cors-origin", f"http://127.0.0.1:{port}") as own:
        class Page(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("content-type", "text/html")
                self.end_headers()
                self.wfile.write(example.replace("https://marvel.example.org", own.url().rstrip("/")).encode())

            def log_message(self, *_):
                pass

        site = HTTPServer(("127.0.0.1", port), Page)
        threading.Thread(target=site.serve_forever, daemon=True).start()
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}/")
        expect(page.locator("#found")).to_have_text("21 spiders")
        expect(page.locator("#favorites")).to_have_text("Spider-Man")
        own.stop(signal.SIGKILL)
        own.start()
        own.save("team", HULK)
        expect(page.locator("#favorites")).to_have_text("Spider-ManHulk", timeout=60_000)
        page.context.close()
        site.shutdown()


# Measured times may be so many times longer on a machine that does other work.
SLOWNESS = float(os.environ.get("MARVEL_TEST_SLOWNESS", "3"))


def run(names, http, framed, programs):
    """Runs tests in their own browser, and returns the names of the failed ones."""
    expect.set_options(timeout=60_000)
    server = Server(http, framed, programs)
    failed = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for name in names:
            begin = time.monotonic()
            try:
                globals()[name](browser, server)
                print(f"ok {name} ({time.monotonic() - begin:.1f} s)", flush=True)
            except Exception:
                failed.append(name)
                print(f"FAILED {name} ({time.monotonic() - begin:.1f} s)\n{traceback.format_exc()}", flush=True)
                for context in browser.contexts:
                    context.close()
        browser.close()
    return failed


def main(http, framed, programs, *wanted):
    names = [test.__name__ for test in TESTS if not wanted or any(part in test.__name__ for part in wanted)]
    # Most of them wait most of the time.
    with ProcessPoolExecutor(2) as pool:
        parts = [pool.submit(run, names[first::2], http, framed, programs) for first in range(2)]
        failed = [name for part in parts for name in part.result()]
    if failed:
        raise SystemExit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
