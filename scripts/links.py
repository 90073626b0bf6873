# SPDX-License-Identifier: Apache-2.0
"""Checks what the Markdown files of the repository refer to.

    python3 scripts/links.py        checks all of them, and prints FILE:LINE of each problem
    python3 scripts/links.py --web  prints the links to the web, which are not checked

Links lead to files that git tracks, and to headings that exist. References are defined once, and
used. Paths between backticks and in commands exist, in the repository, beside the page, or as the
end of a longer path. Tests exist: those named after a link to a source file in that file, those in
a column `test` in any. Packages, targets, and features of `cargo` commands exist. Paths to pages of
`docs` in all other files exist, too. The README of a package that has a table of features, headed
`| feature | adds |`, names all of them there. Each page is listed once, in `docs/README.md` or
among the decisions, and begins with a line that names its readers.
"""

import fnmatch
import itertools
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A path that ends like this is one of the repository, even without a folder.
SOURCES = (".rs", ".ts", ".tsx", ".py", ".hbs", ".md")
# Folders of a user or of a machine, which nobody else has. The user of examples is `me`.
MACHINE = re.compile(r"(?<![\w.~$/-])/(?:home/(?!me/)|root/|work/|tmp/|mnt/|Users/)[\w.-]|file://")
DEFINITION = re.compile(r"^ {0,3}\[([^\]]+)\]:\s*(\S+)")
TEXT = r"(?:[^\[\]`]|`[^`]*`|!\[[^\]]*\]\([^)]*\))*"
LINK = re.compile(rf"\[({TEXT})\](?:\(([^()\s]*)\)|\[([^\]]*)\])?")
SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
# A page of documentation in another file.
MENTION = re.compile(r"(?<![\w/-])(docs/[\w/-]+\.md|[A-Z]{4,}\.md)(?:#([\w-]+))?")
# A name of this form names a function.
FUNCTION = re.compile(r"^[a-z0-9]+(?:_[a-z0-9]+)+$")
# A link to a file, and names between backticks after it, up to the end of the sentence or the cell.
AFTER_LINK = re.compile(r"\](?:\[([^\]]+)\]|\(([^)]+)\))((?:(?:,|\s|and)*`[a-z0-9_]+`)+)")


def git_files():
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return sorted(name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file())


FILES = git_files()
FOLDERS = {str(parent) for name in FILES for parent in pathlib.PurePath(name).parents}
PATHS = set(FILES) | FOLDERS
TOP = {name.split("/")[0] for name in FILES if "/" in name}
ENDS = {path.split("/", start)[start] for path in PATHS for start in range(path.count("/") + 1)}


def slug(heading):
    """Returns the anchor of a heading, as the usual forges make it."""
    text = re.sub(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", text.replace("`", "").strip().lower()).replace(" ", "-")


class Page:
    """A Markdown file, with its blocks of code and its prose apart."""

    def __init__(self, name):
        self.name = name
        self.folder = str(pathlib.PurePath(name).parent)
        self.lines = (ROOT / name).read_text(encoding="utf-8").split("\n")
        self.blocks = []  # the language, and the lines with their numbers
        prose, fence = [], None
        for number, line in enumerate(self.lines, 1):
            mark = re.match(r"\s*(```+|~~~+)\s*(\w*)", line)
            if fence is None and mark:
                fence = mark[1]
                self.blocks.append((mark[2], []))
                line = ""
            elif fence is not None:
                if mark and mark[1].startswith(fence) and line.strip() == mark[1]:
                    fence = None
                else:
                    self.blocks[-1][1].append((number, line))
                line = ""
            prose.append(line)
        self.open_fence = fence
        self.prose = "\n".join(prose)
        # Without the text between backticks, which has no links. Places stay the same.
        self.plain = SPAN.sub(lambda span: re.sub(r"[^\n]", "x", span[0]), self.prose)
        self.anchors = set()
        for line in prose:
            heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
            if heading:
                anchor, count = slug(heading[1]), 0
                while (anchor if count == 0 else f"{anchor}-{count}") in self.anchors:
                    count += 1
                self.anchors.add(anchor if count == 0 else f"{anchor}-{count}")
        self.definitions = {}

    def line_of(self, place):
        return self.prose.count("\n", 0, place) + 1

    def resolve(self, target):
        """Returns the path of a link of this page, or None if it leaves the repository."""
        parts = []
        for part in (*pathlib.PurePath(self.folder).parts, *target.split("/")):
            if part == "..":
                if not parts:
                    return None
                parts.pop()
            elif part not in ("", "."):
                parts.append(part)
        return "/".join(parts) or "."


PAGES = {name: Page(name) for name in FILES if name.endswith(".md")}
# The pages that list all others, in the order in which a person reads them.
MENU, RECORDS = "docs/README.md", "docs/adr/README.md"


def listed(name):
    """Returns the section, the title and the path of each page that a page lists in its tables."""
    section = None
    for line in PAGES[name].lines:
        if line.startswith("## "):
            section = line[3:]
        row = re.match(r"\| \[([^\]]+)\]\(([^)#]+\.md)\) \|", line)
        if row:
            yield section, row[1], PAGES[name].resolve(row[2])


FUNCTIONS = {
    name: set(re.findall(r"\bfn\s+(\w+)", (ROOT / name).read_text(encoding="utf-8")))
    for name in FILES
    if name.endswith(".rs")
}
ALL_FUNCTIONS = set().union(*FUNCTIONS.values())

problems = []
web = []


def problem(page, line, text):
    problems.append((page, line, text))


def check_target(page, line, target):
    if re.match(r"[a-z][a-z0-9+.-]*:", target):
        if target.startswith(("http:", "https:")):
            web.append((page.name, line, target))
        return
    path, _, anchor = target.partition("#")
    if target.startswith("/"):
        problem(page.name, line, f"the link '{target}' begins with a slash: make it relative")
        return
    resolved = page.resolve(path) if path else page.name
    if resolved is None or resolved not in PATHS:
        problem(page.name, line, f"the link '{target}' leads to no file of the repository")
        return
    # The documentation of a package has its README without the rest of the repository.
    packaged = page.name == f"{page.folder}/README.md" and page.folder in FOLDERS_OF_PACKAGES
    if packaged and not f"{resolved}/".startswith(f"{page.folder}/"):
        text = f"the link '{target}' leaves the package, and is broken in its documentation"
        problem(page.name, line, text)
    if anchor and (resolved not in PAGES or anchor not in PAGES[resolved].anchors):
        problem(page.name, line, f"'{resolved}' has no heading with the anchor '#{anchor}'")


def check_links(page):
    spans = [span.span() for span in SPAN.finditer(page.prose)]
    for number, line in enumerate(page.plain.split("\n"), 1):
        found = DEFINITION.match(line)
        if found:
            label = found[1].lower()
            if label in page.definitions:
                problem(page.name, number, f"the reference '[{label}]' is defined twice")
            page.definitions[label] = (number, page.lines[number - 1].split("]:", 1)[1].split()[0])
    used = set()
    prose = re.sub(r"(?m)^ {0,3}\[[^\]]+\]:.*$", lambda line: " " * len(line[0]), page.prose)
    for link in LINK.finditer(prose):
        if any(start < link.start() < end for start, end in spans):
            continue
        line = page.line_of(link.start())
        text = link[1]
        # An image that is a link, too.
        for inner in re.finditer(r"!\[[^\]]*\]\(([^)\s]*)", text):
            check_target(page, line, inner[1])
        if link[2] is not None:
            check_target(page, line, link[2])
            continue
        label = " ".join((link[3] or text).split()).lower()
        if label in page.definitions:
            used.add(label)
        elif link[3] is not None:
            problem(page.name, line, f"the reference '[{label}]' is not defined")
    for label, (line, target) in page.definitions.items():
        check_target(page, line, target)
        if label not in used:
            problem(page.name, line, f"the reference '[{label}]' is not used")
    for address in re.finditer(r"<(https?://[^>]+)>", page.plain):
        web.append((page.name, page.line_of(address.start()), address[1]))


def exists(page, path):
    path = path.removeprefix("./").rstrip("/")
    if "*" in path:
        return any(fnmatch.fnmatchcase(end, path) for end in ENDS)
    return path in ENDS or page.resolve(path) in PATHS


def is_path(word):
    """Returns whether a word looks like a path of the repository."""
    if not re.fullmatch(r"[\w@*.-]+(?:/[\w@*.-]+)*/?", word) or word.startswith("*."):
        return False
    return word.endswith(SOURCES) or ("/" in word and word.split("/")[0] in TOP)


def check_paths(page):
    for span in SPAN.finditer(page.prose):
        for word in span[2].split():
            word = word.split("::")[0].split("#")[0].strip("\"'(),;:")
            if is_path(word) and not exists(page, word):
                problem(page.name, page.line_of(span.start()), f"the path '{word}' does not exist")
        check_cargo(page, page.line_of(span.start()), span[2].split())
    for language, lines in page.blocks:
        if language in ("sh", "console", "bash", ""):
            check_commands(page, lines)
    for number, line in enumerate(page.lines, 1):
        found = MACHINE.search(line)
        if found:
            problem(page.name, number, f"'{found[0]}…' is a path of one machine")


def check_commands(page, lines):
    joined, start = "", None
    for number, line in lines:
        start = start or number
        line = line.split(" #")[0]
        if line.endswith("\\"):
            joined += line[:-1] + " "
            continue
        words, joined = (joined + line).removeprefix("$ ").split(), ""
        for word in words:
            word = word.strip("\"'(),;:")
            if word.split("/")[0] in TOP and is_path(word) and not exists(page, word):
                problem(page.name, start, f"the path '{word}' does not exist")
        check_cargo(page, start, words)
        start = None


def read_packages():
    """Returns the folder and the manifest of each package."""
    packages = {}
    for name in FILES:
        if pathlib.PurePath(name).name != "Cargo.toml":
            continue
        manifest = tomllib.loads((ROOT / name).read_text(encoding="utf-8"))
        if "package" in manifest:
            packages[manifest["package"]["name"]] = (str(pathlib.PurePath(name).parent), manifest)
    return packages


PACKAGES = read_packages()
FOLDERS_OF_PACKAGES = {folder for folder, _ in PACKAGES.values()}


def targets(folder, manifest, kind):
    """Returns the names of a package's examples, tests or benchmarks."""
    names = {target["name"] for target in manifest.get(kind, [])}
    place = f"{folder}/{dict(example='examples', test='tests', bench='benches')[kind]}/"
    for name in FILES:
        if name.startswith(place):
            parts = name.removeprefix(place).split("/")
            if len(parts) == 1 and parts[0].endswith(".rs"):
                names.add(parts[0].removesuffix(".rs"))
            elif len(parts) == 2 and parts[1] == "main.rs":
                names.add(parts[0])
    return names


def check_cargo(page, line, words):
    """Checks the packages, targets and features in a command of cargo."""
    if "cargo" not in words:
        return
    words = words[words.index("cargo") + 1 :]
    end = words.index("--") if "--" in words else None
    words = [word for given in words[:end] for word in given.split("=", 1)]
    options = list(zip(words, words[1:]))
    packages = [value for option, value in options if option in ("-p", "--package")]
    for package in packages:
        if package not in PACKAGES:
            problem(page.name, line, f"cargo has no package '{package}' here")
    selected = [PACKAGES[package] for package in packages if package in PACKAGES]
    selected = selected or list(PACKAGES.values())
    for option, value in options:
        if option in ("--example", "--test", "--bench"):
            kind = option.removeprefix("--")
            if not any(value in targets(*package, kind) for package in selected):
                problem(page.name, line, f"cargo has no {kind} '{value}' here")
        elif option == "--features":
            features = {name for _, manifest in selected for name in manifest.get("features", {})}
            for feature in value.split(","):
                if feature.split("/")[-1] not in features:
                    problem(page.name, line, f"cargo has no feature '{feature}' here")


def check_tests(page):
    column = None
    for number, line in enumerate(page.prose.split("\n"), 1):
        # Names after a link to a source file are in that file.
        for found in AFTER_LINK.finditer(line):
            _, target = page.definitions.get((found[1] or "").lower(), (0, found[2] or ""))
            path = page.resolve(target.split("#")[0])
            if path in FUNCTIONS:
                for test in re.findall(r"`([a-z0-9_]+)`", found[3]):
                    if test not in FUNCTIONS[path]:
                        problem(page.name, number, f"'{path}' has no function '{test}'")
        # A column `test` has names of tests.
        if not line.lstrip().startswith("|"):
            column = None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if column is None:
            column = cells.index("test") if "test" in cells else -1
        elif 0 <= column < len(cells):
            for test in re.findall(r"`([^`]+)`", cells[column]):
                if FUNCTION.match(test) and test not in ALL_FUNCTIONS:
                    problem(page.name, number, f"no test is named '{test}'")


def check_features():
    """Checks that tables of features have all features of their packages, and no others."""
    for folder, manifest in PACKAGES.values():
        page = PAGES.get(f"{folder}/README.md")
        if page is None or "| feature | adds |" not in page.lines:
            continue
        first = page.lines.index("| feature | adds |") + 1
        rows = itertools.takewhile(lambda line: line.startswith("|"), page.lines[first + 1 :])
        listed = {name for row in rows for name in re.findall(r"`([\w-]+)`", row.split("|")[1])}
        for name in sorted(listed ^ (set(manifest.get("features", {})) - {"default"})):
            where = "only in this table" if name in listed else "missing in this table"
            problem(page.name, first, f"the feature '{name}' is {where}")


def check_mentions():
    """Checks the pages that other files name."""
    for name in FILES:
        if name.endswith((".md", ".lock", ".json")) or name.startswith("indexer/assets/"):
            continue
        try:
            content = (ROOT / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for found in MENTION.finditer(content):
            line = content.count("\n", 0, found.start()) + 1
            if found[1] not in PAGES and found[1] not in ENDS:
                problem(name, line, f"the page '{found[1]}' does not exist")
            elif found[2] and found[2] not in PAGES[found[1]].anchors:
                problem(name, line, f"'{found[1]}' has no heading with the anchor '#{found[2]}'")


def check_readers():
    """Checks that each page is listed once, and begins with a line that names its readers."""
    paths = [path for name in (MENU, RECORDS) for _, _, path in listed(name)]
    for name, page in PAGES.items():
        if paths.count(name) != 1:
            text = f"the page is listed {paths.count(name)} times in {MENU} and {RECORDS}"
            problem(name, 1, f"{text}, expected once")
        if page.folder == str(pathlib.PurePath(RECORDS).parent) and name != RECORDS:
            continue
        if not re.match(r"# [^\n]+\n\n\*For [^*]+\.\*\n\n", "\n".join(page.lines)):
            problem(name, 3, "the first line below the title is not '*For READERS.*'")


def main():
    arguments = sys.argv[1:]
    if arguments not in ([], ["--web"]):
        sys.exit("usage: python3 scripts/links.py [--web]")
    for page in PAGES.values():
        if page.open_fence:
            problem(page.name, len(page.lines), "a block of code does not end")
        check_links(page)
        check_paths(page)
        check_tests(page)
    check_features()
    check_mentions()
    check_readers()
    if arguments:
        for name, line, address in sorted(set(web)):
            print(f"{name}:{line}: {address}")
        return
    for name, line, text in sorted(set(problems)):
        print(f"{name}:{line}: {text}")
    if problems:
        sys.exit(1)
    print(f"{len(PAGES)} pages, and what they refer to, are sound")


if __name__ == "__main__":
    main()
