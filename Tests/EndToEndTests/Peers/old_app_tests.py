"""An app of the retired API in a browser, unchanged but for the host: the manner of the React apps around a
"MarvelService", which send the `apikey` alone and read fields without looking whether they are there.

Usage: old_app_tests.py PROGRAMS

PROGRAMS is the folder of `marvel-gateway` and `marvel-server`. Every test opens the app at another origin than the
gateway's, and fails by an assertion, or by an error in the browser's console.
"""

import contextlib
import json
import ssl
import subprocess
import sys
import tempfile
import threading
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import sync_playwright

PROGRAMS = Path(sys.argv[1])
TESTS = []

APP = """<!doctype html><meta charset="utf-8"><title>Old app</title><link rel="icon" href="data:,">
<main></main>
<script>
class MarvelService {
  #base = `${new URLSearchParams(location.search).get("gateway")}/v1/public/`;
  #key = "apikey=0123456789abcdef";

  #ask = async (url) => {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`Could not fetch ${url}, status: ${response.status}`);
    return (await response.json()).data.results;
  };
  random = () => this.character(Math.floor(Math.random() * (1011400 - 1011000) + 1011000));
  characters = async (offset = 210) =>
    (await this.#ask(`${this.#base}characters?limit=9&offset=${offset}&${this.#key}`)).map(this.#hero);
  named = async (name) => (await this.#ask(`${this.#base}characters?name=${name}&${this.#key}`)).map(this.#hero);
  character = async (id) => this.#hero((await this.#ask(`${this.#base}characters/${id}?${this.#key}`))[0]);
  comics = async (offset = 0) =>
    (await this.#ask(`${this.#base}comics?orderBy=issueNumber&limit=8&offset=${offset}&${this.#key}`)).map(this.#comic);
  comicsOf = async (id) =>
    (await this.#ask(`${this.#base}characters/${id}/comics?orderBy=issueNumber&${this.#key}`)).map(this.#comic);
  comic = async (id) => this.#comic((await this.#ask(`${this.#base}comics/${id}?${this.#key}`))[0]);

  #hero = (it) => ({
    id: it.id, name: it.name,
    description: it.description ? `${it.description.slice(0, 210)}...` : "There is no description",
    picture: `${it.thumbnail.path}.${it.thumbnail.extension}`,
    homepage: it.urls[0].url, wiki: it.urls[1].url, comics: it.comics.items.map((comic) => comic.name),
    firstComic: it.comics.items.map((comic) => comic.resourceURI.split("/").pop())[0],
  });
  #comic = (it) => ({
    id: it.id, title: it.title, description: it.description || "There is no description",
    pages: it.pageCount ? `${it.pageCount} p.` : "unknown", picture: `${it.thumbnail.path}.${it.thumbnail.extension}`,
    language: it.textObjects[0]?.language || "en-us", price: it.prices[0].price ? `${it.prices[0].price}$` : "none",
  });
}
window.service = new MarvelService();
// Shows the pictures of what was asked, and returns it when they are there.
window.show = async (question) => {
  const found = await question(window.service);
  document.querySelector("main").replaceChildren();
  // One after the other: a debug build draws one for seconds beside other work, and a request is refused after ten.
  for (const it of [found].flat()) {
    const picture = Object.assign(new Image(), { src: it.picture, alt: it.name ?? it.title });
    document.querySelector("main").append(picture);
    await picture.decode();
  }
  return found;
};
</script>
"""


def behavior(function):
    TESTS.append(function)
    return function


class Site(BaseHTTPRequestHandler):
    """The origin of the app, with a picture for the imported comics."""

    def do_GET(self):
        svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
        is_picture = self.path.endswith(".svg")
        self.send_response(200)
        self.send_header("content-type", "image/svg+xml" if is_picture else "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(svg if is_picture else APP.encode())

    def log_message(self, *arguments):
        pass


@contextlib.contextmanager
def site(folder=None):
    """Serves the app; with a folder for the certificate over TLS."""
    server = ThreadingHTTPServer(("localhost", 0), Site)
    if folder:
        command = "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -days 2 -keyout key -out certificate"
        subprocess.run(command.split(), cwd=folder, check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "certificate", folder / "key")
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"{'https' if folder else 'http'}://localhost:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@contextlib.contextmanager
def gateway(*arguments):
    command = [PROGRAMS / "marvel-gateway", "--any-key", "--address", "127.0.0.1:0", *arguments]
    program = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        yield "http://" + json.loads(program.stderr.readline())["address"]
    finally:
        program.terminate()
        program.communicate(timeout=20)


class App:
    def __init__(self, page, origin, gateway):
        self.page, self.gateway, self.errors = page, gateway, []
        page.on("console", lambda message: message.type == "error" and self.errors.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(f"{origin}/?gateway={gateway}")

    def show(self, question):
        return self.page.evaluate(f"show((service) => service.{question})")


def check_character(app, random=0.5):
    """A random character, as the app draws it: from a range of ids."""
    app.page.evaluate(f"Math.random = () => {random}")
    hero = app.show("random()")
    assert hero["name"] and hero["homepage"].startswith("http") and hero["wiki"].startswith("http"), hero
    return hero


@behavior
def the_built_in_catalog_carries_the_app(open_app, folder):
    with gateway() as address, site() as origin:
        app = open_app(origin, address)
        for random in (0, 0.9999):
            hero = check_character(app, random)
            assert app.show(f"character({hero['id']})") == hero
        first, second = app.show("characters()"), app.page.evaluate("service.characters(219)")
        assert len({hero["id"] for hero in first + second}) == 18
        assert [hero["id"] for hero in app.show("named('spider-man')")] == [1009610]
        assert app.show("comics()") == [] and app.show("comicsOf(1009610)") == []
        assert app.show("character(1009610)")["comics"] == []
        assert app.errors == [], app.errors


@behavior
def imported_comics_are_shown(open_app, folder):
    with site() as origin, gateway("--catalog", imported(origin, folder)) as address:
        app = open_app(origin, address)
        check_character(app)
        comics = app.show("comics()") + app.show("comics(8)")
        assert [comic["title"] for comic in comics] == [f"Tales (2014) #{number}" for number in range(12)]
        assert app.show("comicsOf(1009610)") == comics
        spider_man = app.show("character(1009610)")
        assert sorted(spider_man["comics"]) == sorted(comic["title"] for comic in comics), spider_man
        comic = app.show(f"comic({spider_man['firstComic']})")
        assert comic in comics and (comic["pages"], comic["price"]) == ("32 p.", "3.99$"), comic
        assert app.errors == [], app.errors


@behavior
def a_page_over_tls_may_ask_a_gateway_on_its_own_machine(open_app, folder):
    with site(folder) as origin, gateway() as address:
        app = open_app(origin, address)
        check_character(app)
        assert app.errors == [], app.errors


@behavior
def the_app_is_told_what_is_not_there(open_app, folder):
    """A refusal may be read from another origin: the app shows its own error, and not a failed connection."""
    with gateway() as address, site() as origin:
        app = open_app(origin, address)
        answer = app.page.evaluate("service.comic(5).catch((error) => error.message)")
        assert answer.endswith("comics/5?apikey=0123456789abcdef, status: 404"), answer
        preflight = f"fetch('{address}/v1/public/comics?apikey=k', {{headers: {{'X-Old': '1'}}}}).then((it) => it.status)"
        assert app.page.evaluate(preflight) == 200


def imported(origin, folder):
    """A catalog of saved answers: the built-in characters, and twelve comics, of which Spider-Man is in all."""

    def uri(kind, id):
        return f"http://gateway.marvel.com/v1/public/{kind}/{id}"

    def items(*items):
        return {"available": len(items), "collectionURI": "", "items": items, "returned": len(items)}

    comics = [
        {
            "id": 500 + number * 7 % 12,
            "title": f"Tales (2014) #{number}",
            "issueNumber": number,
            "description": None,
            "pageCount": 32,
            "textObjects": [],
            "resourceURI": uri("comics", 500 + number * 7 % 12),
            "prices": [{"type": "printPrice", "price": 3.99}],
            "thumbnail": {"path": f"{origin}/{number}", "extension": "svg"},
            "characters": items({"resourceURI": uri("characters", 1009610), "name": "Spider-Man (Peter Parker)"}),
        }
        for number in range(12)
    ]
    answer = {"code": 200, "status": "Ok", "data": {"offset": 0, "limit": 20, "total": 12, "count": 12, "results": comics}}
    (folder / "comics.json").write_text(json.dumps(answer, indent=2))
    server = PROGRAMS / "marvel-server"
    (folder / "characters.jsonl").write_bytes(subprocess.run([server, "export"], check=True, capture_output=True).stdout)
    command = [server, "import", "characters.jsonl", "comics.json", "--into", "catalog"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "catalog"


def main():
    failures = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for test in TESTS:
            with browser.new_context(ignore_https_errors=True) as context, tempfile.TemporaryDirectory() as folder:
                try:
                    test(lambda origin, address: App(context.new_page(), origin, address), Path(folder))
                except Exception:
                    failures += 1
                    print(f"{test.__name__}\n{traceback.format_exc()}")
        browser.close()
    return failures


sys.exit(main())
