# SPDX-License-Identifier: Apache-2.0
"""Prepares the pages of the repository for mdBook, and finishes the site that it builds.

    python3 scripts/site.py lay-out BOOK   writes the pages, their menu and the settings of mdBook
    python3 scripts/site.py finish SITE    corrects the links of the pages that mdBook has made,
                                           and checks them; prints each problem

Pages keep their paths, and `docs/README.md` is the menu. A link to a file that is not in the site
leads to the repository that the root `Cargo.toml` names. Without one, the path is shown.
"""

import html
import html.parser
import json
import os.path
import pathlib
import re
import shutil
import sys
import tomllib
import urllib.parse

from links import FILES, MENU, PAGES, RECORDS, ROOT, listed

MANIFEST = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
REPOSITORY = MANIFEST["workspace"]["package"]["repository"].rstrip("/")
# Where each page is in the site.
PLACES = {name: re.sub(r"(^|/)README\.md$", r"\1index.md", name)[:-3] + ".html" for name in PAGES}
SETTINGS = """\
[book]
title = "Content Fabric"
language = "en"
src = "pages"

[build]
use-default-preprocessors = false

[preprocessor.index]

[output.html]
additional-css = ["site.css"]
fold = { enable = true }
no-section-label = true
# A page of errors works only at an address that is known when the site is built.
input-404 = ""
playground = { runnable = false }
print = { enable = false }
"""
# Wide tables need more room than mdBook gives.
STYLE = ":root { --content-max-width: 900px; }\npre.mermaid { text-align: center; }\n"
# Draws the diagrams of a page.
DRAW = """
<script src="{root}mermaid.js"></script>
<script>
const dark = document.documentElement.matches(".coal, .navy, .ayu");
mermaid.initialize({{ startOnLoad: true, theme: dark ? "dark" : "neutral" }});
</script>
"""


def lay_out(book):
    menu, part = ["# Summary"], None
    for section, title, path in listed(MENU):
        if section != part:
            menu.append(f"\n# {section}\n")
            part = section
        menu.append(f"- [{title}]({path})")
        if path == RECORDS:
            menu.extend(f"  - [{title}]({path})" for _, title, path in listed(RECORDS))
    # The menu names all pages. Their pictures and tables are in the same folder.
    for name in FILES:
        if name in PAGES or name.startswith("docs/"):
            copy = book / "pages" / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, copy)
    (book / "pages/SUMMARY.md").write_text("\n".join(menu) + "\n", encoding="utf-8")
    (book / "book.toml").write_text(SETTINGS, encoding="utf-8")
    (book / "site.css").write_text(STYLE, encoding="utf-8")


def finished(page, text):
    """Returns the text of a page of the site, with its links and diagrams as the site needs them."""

    def link_to(path, anchor, content):
        if path in PLACES:
            folder = str(pathlib.PurePath(PLACES[page]).parent)
            return f'<a href="{os.path.relpath(PLACES[path], folder)}{anchor}">{content}</a>'
        if REPOSITORY:
            return f'<a href="{REPOSITORY}/blob/HEAD/{path}{anchor}">{content}</a>'
        named = pathlib.PurePath(path).stem in content
        return content if named else f"{content} (<code>{path}</code>)"

    def correct(found):
        whole, link, content, named = found[0], found["link"], found["content"], found["named"]
        if named:
            return link_to(named, "", f"<code>{named}</code>") if named in PLACES else whole
        if link.startswith("#") or re.match(r"[a-z]+:", link):
            return whole
        link, mark, anchor = html.unescape(link).partition("#")
        path = PAGES[page].resolve(re.sub(r"\.html$", ".md", link))
        if path.startswith("docs/") and path not in PLACES:
            return whole
        return link_to(path, mark + anchor, content)

    before, main, after = re.split(r"(<main>.*</main>)", text, maxsplit=1, flags=re.DOTALL)
    main = re.sub(
        r'<a href="(?P<link>[^"]*)">(?P<content>.*?)</a>|<code>(?P<named>[\w/-]+\.md)</code>',
        correct,
        main,
        flags=re.DOTALL,
    )
    diagram = r'<pre><code class="language-mermaid">(.*?)</code></pre>'
    main, diagrams = re.subn(diagram, r'<pre class="mermaid">\1</pre>', main, flags=re.DOTALL)
    if diagrams:
        after = after.replace("</body>", DRAW.format(root="../" * page.count("/")) + "</body>")
    return before + main + after


class Links(html.parser.HTMLParser):
    """The anchors of a page, and the links with their lines."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.anchors.add(value)
            elif name in ("href", "src") and not re.match(r"[a-z]+:", value):
                self.links.append((self.getpos()[0], value))


def finish(site):
    problems = 0
    for page, path in PLACES.items():
        text = (site / path).read_text(encoding="utf-8")
        (site / path).write_text(finished(page, text), encoding="utf-8")
    pages = {
        path: Links(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))
    }
    for path, page in pages.items():
        for line, link in page.links:
            address = urllib.parse.urlsplit(link)
            to = path.parent / urllib.parse.unquote(address.path) if address.path else path
            to = pathlib.Path(os.path.normpath(to))
            if to.is_dir() or not to.exists():
                text = "leads to no file of the site"
            elif address.fragment and address.fragment not in pages[to].anchors:
                text = "leads to no heading"
            else:
                continue
            print(f"{path.relative_to(site)}:{line}: the link '{link}' {text}")
            problems += 1
    if problems:
        sys.exit(1)
    print(f"{len(PLACES)} pages, and the links of {len(pages)} files, are sound")


match sys.argv[1:]:
    case ["lay-out", book]:
        lay_out(pathlib.Path(book))
    case ["finish", site]:
        finish(pathlib.Path(site))
    case _:
        sys.exit("usage: python3 scripts/site.py lay-out BOOK | finish SITE")
