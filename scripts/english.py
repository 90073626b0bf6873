# SPDX-License-Identifier: Apache-2.0
"""Checks the English of all text that a person reads, and prints FILE:LINE of each problem.

    python3 scripts/english.py            checks all files of the repository
    python3 scripts/english.py FILE …     checks these files

Reads the prose of Markdown, and the comments and strings of code, as help texts and errors are
strings. Text between backticks is code. Checks its own examples first: they are at the end.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Files that programs write, and this one, which quotes what it refuses.
SKIPPED = ("indexer/assets/", "scripts/english.py")

# Stands for each character of code, so that prose keeps its place.
CODE = "\0"
# Where a paragraph, an item, a heading, a quotation or a row of a table begins.
BLOCK = r"\n[ \t]*(?:\n|(?:[-*+>|]|\d+\.|\#+)[ \t])"
START = rf"(?:\A|{CODE}|{BLOCK}|\||[.!?:][\"')*_”]*\s)[\s\"'“(\[*_#>|-]*"
# The rest of a sentence, which a point within a word does not end.
REST = rf"(?:(?!{BLOCK})(?:[^.!?|{CODE}]|[.!](?=[\w/])))*"
RULES = [
    (re.compile(r"\b((?:that|those)\s+of)\b", re.IGNORECASE), "name the thing"),
    (re.compile(r"(,\s+too,)", re.IGNORECASE), "write 'also', or leave it out"),
    (re.compile(rf"{START}((?:What|Who)\s+\w+)\b(?!{REST}\?)"), "begin with a noun"),
    # Errors begin in lower case.
    (re.compile(rf"{CODE}\s*((?:what|who)\s+[a-z]+)\b(?!{REST}\?)"), "begin with a noun"),
]
SUMMARY = re.compile(r"\s*((?:That|Whether|Who|What|How)\s+\w+)")

# Comments and strings. Comments on lines that follow each other are one text.
RUST = re.compile(
    r"""(?P<line>//[^\n]*)|/\*.*?\*/"""
    r"""|\bb?r(?P<raw>\#*)".*?"(?P=raw)|"(?:\\.|[^"\\])*"|'(?:\\[^'\n]+|[^'\\\n])'""",
    re.DOTALL,
)
SCRIPT = re.compile(
    r"""(?P<line>//[^\n]*)|/\*.*?\*/|`(?:\\.|[^`\\])*`"""
    r"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|>[^<>{}=;()]*</""",
    re.DOTALL,
)
SHELL = re.compile(
    r"""(?P<line>(?<!\S)\#[^\n]*)|'{3}.*?'{3}|"{3}.*?"{3}"""
    r"""|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\\n])*'""",
    re.DOTALL,
)
LANGUAGES = {
    **dict.fromkeys(("rs", "rust", "hbs"), RUST),
    **dict.fromkeys(("ts", "tsx", "js", "mjs", "css"), SCRIPT),
    **dict.fromkeys(("py", "sh", "bash", "toml", "yml", "yaml"), SHELL),
}
# What begins a comment, or a line of one.
MARK = re.compile(r"//[/!]?|\#!?|/\*+|^[ \t]*\*+/?", re.MULTILINE)
FENCE = re.compile(r"^[ \t]*(```+)(\w*).*?(?:^[ \t]*\1|\Z)", re.MULTILINE | re.DOTALL)
SPAN = re.compile(rf"(?<!`)(`+)(?!`)([^{CODE}]+?)(?<!`)\1(?!`)")


def hide(text, by=CODE):
    return re.sub(r"[^\n]", by, text)


def hide_fences(text, default):
    """Hides blocks of code. Their comments and strings stay if their language is known."""

    def hide_fence(fence):
        language = fence[2] or default
        return prose(language, fence[0])[0] if language in LANGUAGES else hide(fence[0])

    return FENCE.sub(hide_fence, text)


def prose(language, text):
    """Returns `text` with its code hidden, and the places where documentation of Rust begins."""
    if language == "md":
        return hide_fences(text, None), []
    parts, summaries, end, mark_before = [], [], 0, None
    for token in LANGUAGES[language].finditer(text):
        between = text[end : token.start()]
        end = token.end()
        mark = MARK.match(token[0])
        if not mark:
            # A line feed in a string, or a string that continues on the next line.
            body = token[0][1:-1].replace("\\n", " \n").replace("\\\n", " \n")
            parts += [hide(between), CODE, body, CODE if len(token[0]) > 1 else ""]
            mark_before = None
            continue
        marks = 0 if "*" in mark[0] else 1
        body = MARK.sub(lambda found: hide(found[0], " "), token[0], count=marks)
        joined = token["line"] and mark[0] == mark_before and between.count("\n") == 1
        if joined and between.isspace():
            parts += [between, body]
        else:
            parts += [hide(between), CODE, body[1:]]
            if mark[0] in ("///", "//!"):
                summaries.append(token.start() + 1)
        mark_before = mark[0]
    parts.append(hide(text[end:]))
    return hide_fences("".join(parts), "rust" if language == "rs" else None), summaries


def problems(language, text):
    """Returns the place of each problem, and what it is."""
    masked, summaries = prose(language, text)
    masked = SPAN.sub(lambda span: hide(span[0], "x"), masked)
    found = [
        (match.start(1), f"{advice}, not '{' '.join(match[1].split())}'")
        for rule, advice in RULES
        for match in rule.finditer(masked)
    ]
    for place in summaries:
        match = SUMMARY.match(masked, place)
        if match:
            found.append((match.start(1), f"begin with a verb or a noun, not '{match[1]}'"))
    return sorted(set(found))


def language_of(name):
    ending = pathlib.PurePath(name).suffix.removeprefix(".")
    if ending:
        return ending if ending == "md" or ending in LANGUAGES else None
    return "sh" if name.startswith(("scripts/", ".ci/")) else None


def files():
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


EXAMPLES = [
    ("md", "It has the id of the tenant. The tenants, too. Everything that offers help.", 0),
    ("md", "The id is that of\nthe tenant, and the keys are those of the node.", 2),
    ("md", "The name `that of` and `a\nthat of b` are code.\n\n```\nthat of\n```\n", 0),
    ("md", "A node, too, has one. A tenant,\ntoo, has one.", 2),
    ("md", "## What is a muid?\n\n**Who pays?** The root. What does 1.5 cost, and who\npays it?", 0),
    ("md", "What the chain stores is final. Does it?", 1),
    ("md", "One. *Who pays* is the root.\n\n- What it does\n\n1. Who signs\n\n| a | What it is |", 4),
    ("md", "| what | who |\n| What | Who |\n\nIt shows what the chain has, and who pays.", 0),
    ("md", "```rust\n// What it is.\nlet what = 1; // Those of a.\n```", 2),
    ("rs", "/// Returns the keys. Those\n/// of a tenant are sorted.\nfn that_of() {}", 1),
    ("rs", "/// Returns what is left.\nfn a() {}\n// What it does\n// is this.\n\n//! Who signs?", 2),
    ("rs", "/// Whether it is open.\n/// How it is open.\n", 1),
    ("rs", "/// Reads.\n///\n/// ```\n/// // What is read.\n/// let what = that of b;\n/// ```", 1),
    ("rs", '/// That which is.\nlet a = "it is that \\\n\tof";\nfn that() { of }', 2),
    ("rs", "let a: &'a str = r#\"those of \"quotes\"\"#; let b = '\"'; that of", 1),
    ("rs", 'assert!(a, "what is left is b"); "a: what is left"; "what is it?";', 1),
    ("rs", 'help = "Prints a.\\n\\nWhat it prints is b."', 1),
    ("ts", "/**\n * Reads\n * what is there.\n * What is it?\n */\nconst a = `that of ${b}`;", 1),
    ("tsx", "<p>What the index has</p>", 1),
    ("py", '"""Reads it.\n\nWho reads it is free."""\na = that of  # Those of b', 2),
    ("sh", "a=${#that} of # that of\ndie \"Who are you? Who you are is unknown.\"", 2),
    ("toml", 'a = "1" # What\n# What it is\n', 1),
]


def main():
    for language, text, expected in EXAMPLES:
        found = problems(language, text)
        if len(found) != expected:
            sys.exit(f"{sys.argv[0]}: an example has {found}, expected {expected}:\n{text}")
    for name in sys.argv[1:]:
        if language_of(name) is None or not (ROOT / name).is_file():
            sys.exit(f"{name} is not a text or program of the repository, in a known language")
    bad = False
    for name in sys.argv[1:] or files():
        language = language_of(name)
        if language is None or name.startswith(SKIPPED):
            continue
        text = (ROOT / name).read_text(encoding="utf-8")
        for place, problem in problems(language, text):
            print(f"{name}:{text.count(chr(10), 0, place) + 1}: {problem}")
            bad = True
    if bad:
        sys.exit(1)


main()
