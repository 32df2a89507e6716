"""Parse a file's XML into elements, within bounds, without document types and entities (19.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.parsers import expat

from engine.core.printable import composed
from engine.core.ruleset import ScenarioFault
from engine.rulesets.lordsawar.files.archive import ArchiveMember

RULE: Final = "LW-19.2"

DEEPEST: Final = 24
"""Maximum depth of nested elements; the original has 9."""

MOST_ELEMENTS: Final = 500_000
"""Maximum elements of a file, skipped ones included; a save of 51 rounds has 139,000."""

MOST_KEPT: Final = 100_000
"""Maximum elements kept of a scenario; a map or save of the original has 13,000."""

MOST_OF_SET: Final = 10_000
"""Maximum elements kept of a set; those of the original have 1,200."""

MOST_ATTRIBUTES: Final = 8
"""Maximum attributes of an element; the original has 1."""

LONGEST_TEXT: Final = 200_000
"""Maximum characters of an element's text; allows two digits per tile of the largest map."""

MOST_TEXT: Final = 4_000_000
"""Maximum characters of all kept texts; a map or save of the original has 0.3 million."""

CHUNK: Final = 1 << 16
"""Number of bytes given to the parser at a time, and maximum length of a tag."""

SCENARIO: Final = "lordsawar"
"""Root of scenarios and saved games. See: LW-19.3."""

SKIPPED: Final = frozenset(
    (
        "action",
        "d_styles",
        "history",
        "path",
        "smallmap",
        "tilestyleset",
        "triumphs",
        "turnlist",
    )
)
"""Elements that are skipped; most of a save are its moves in ``turnlist``. See: LW-19.3."""


class Element:
    """An XML element: tag, text, child elements, and its line in the file."""

    __slots__ = ("children", "file", "line", "parent", "tag", "text", "version")

    def __init__(self, tag: str, parent: Element | None, file: str, line: int) -> None:
        self.tag = tag
        self.parent = parent
        self.file = file
        self.line = line
        self.version = ""
        self.text = ""
        self.children: tuple[Element, ...] = ()

    def first(self, tag: str) -> Element | None:
        """Return the first child with a tag, or None."""
        return next(self.every(tag), None)

    def every(self, *tags: str) -> Iterator[Element]:
        """Yield the children with one of the tags, in the order of the file."""
        return (child for child in self.children if child.tag in tags)

    @property
    def path(self) -> str:
        """Path below the root; elements that share a tag are numbered."""
        if self.parent is None:
            return self.tag
        same = tuple(self.parent.every(self.tag))
        number = f"[{same.index(self)}]" if len(same) > 1 else ""
        above = "" if self.parent.parent is None else f"{self.parent.path}/"
        return f"{above}{self.tag}{number}"

    def fault(self, text: str, rule: str) -> ScenarioFault:
        """Return a fault with the file, line and path of this element."""
        return ScenarioFault(f"{self.file}, line {self.line}, {self.path}", text, rule)


def parse(member: ArchiveMember, root: str, versions: tuple[str, ...]) -> Element:
    """Parse a member's XML and return its root, which must have this tag and version.

    Leave out translations (``xml:lang``), and read ``_d_name`` as ``d_name``.
    Rules: LW-19.2. See: LW-19.3, LW-19.4.

    Raises:
        ScenarioFault: the member is no XML, exceeds a bound, or has another root or version.
    """
    found = _Builder(member, MOST_KEPT if root == SCENARIO else MOST_OF_SET).element
    if found.tag != root:
        raise found.fault(f"the root of such a file is {root}", RULE)
    if found.version not in versions:
        known = ", ".join(versions)
        raise found.fault(f"unknown version {shown(found.version)}; known: {known}", RULE)
    return found


def shown(text: str) -> str:
    """Return a file's text in quotes for a message: on one line, of bounded length."""
    return ascii(text if len(text) <= 30 else f"{text[:30]}...")


class _Builder:
    """Builder of elements; the parser calls its methods."""

    def __init__(self, member: ArchiveMember, most: int) -> None:
        self._file = member.name
        self._most = most
        self._open: list[tuple[Element, list[Element]]] = []
        self._words: list[str] = []
        self._length = self._total = self._count = self._kept = self._depth = self._skipping = 0
        self._roots: list[Element] = []
        parser = self._parser = expat.ParserCreate("UTF-8")
        parser.ordered_attributes = True
        parser.buffer_text = True
        parser.XmlDeclHandler = self._declaration
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        self._feed(member.data)
        if not self._roots:
            raise self._fault("the root is of no file of the original")
        self.element = self._roots[0]

    def _feed(self, data: memoryview) -> None:
        parser = self._parser
        try:
            for at in range(0, len(data), CHUNK):
                parser.Parse(bytes(data[at : at + CHUNK]), False)  # noqa: FBT003
                if at - parser.CurrentByteIndex > CHUNK:
                    raise self._fault(f"a tag of more than {CHUNK} bytes")
            parser.Parse(b"", True)  # noqa: FBT003
        except expat.ExpatError as problem:
            reason = expat.ErrorString(problem.code)
            raise self._fault(f"no well-formed XML: {reason}") from None

    def _fault(self, text: str) -> ScenarioFault:
        line = self._parser.CurrentLineNumber
        return ScenarioFault(f"{self._file}, line {line}", text, RULE)

    def _declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        del version, standalone
        if encoding is not None and encoding.upper() not in {"UTF-8", "US-ASCII"}:
            raise self._fault(f"the encoding {shown(encoding)}; the original writes UTF-8")

    def _doctype(self, *_: object) -> None:
        raise self._fault("a document type; the original writes none, so it is not read")

    def _start(self, tag: str, attributes: list[str]) -> None:
        self._count += 1
        self._depth += 1
        if self._count > MOST_ELEMENTS:
            raise self._fault(f"more than {MOST_ELEMENTS} elements")
        if self._depth > DEEPEST:
            raise self._fault(f"more than {DEEPEST} elements inside of each other")
        if len(attributes) > 2 * MOST_ATTRIBUTES:
            raise self._fault(f"more than {MOST_ATTRIBUTES} attributes of an element")
        if self._skipping or tag in SKIPPED or "xml:lang" in attributes[::2]:
            self._skipping += 1
            return
        self._kept += 1
        if self._kept > self._most:
            raise self._fault(f"more than {self._most} elements to keep")
        self._open.append((self._element(tag, attributes), []))
        self._words.clear()
        self._length = 0

    def _element(self, tag: str, attributes: list[str]) -> Element:
        parent = self._open[-1][0] if self._open else None
        name = tag[1:] if tag.startswith("_d_") else tag
        made = Element(name[:40], parent, self._file, self._parser.CurrentLineNumber)
        if parent is None and "version" in attributes[::2]:
            made.version = attributes[attributes[::2].index("version") * 2 + 1]
        return made

    def _characters(self, text: str) -> None:
        if self._skipping or not self._open or not self._open[-1][0].tag.startswith("d_"):
            return
        self._length += len(text)
        self._total += len(text)
        if self._length > LONGEST_TEXT:
            raise self._fault(f"a text of more than {LONGEST_TEXT} characters")
        if self._total > MOST_TEXT:
            raise self._fault(f"texts of more than {MOST_TEXT} characters")
        self._words.append(text)

    def _end(self, _: str) -> None:
        self._depth -= 1
        if self._skipping:
            self._skipping -= 1
            return
        element, children = self._open.pop()
        element.children = tuple(children)
        element.text = composed("".join(self._words))
        self._words.clear()
        if self._open:
            self._open[-1][1].append(element)
        else:
            self._roots.append(element)


def section(parent: Element, tag: str) -> Element | None:
    """Return the section with a tag, or None.

    Raises:
        ScenarioFault: there are several.
    """
    found = tuple(parent.every(tag))
    if len(found) > 1:
        raise found[1].fault("this section stands there twice", "LW-19.3")
    return found[0] if found else None


def needed(parent: Element, tag: str) -> Element:
    """Return the section with a tag.

    Raises:
        ScenarioFault: it is missing, or there are several.
    """
    found = section(parent, tag)
    if found is None:
        raise parent.fault(f"the section {tag} is missing", "LW-19.3")
    return found


def rows(parent: Element, tag: str, *tags: str) -> tuple[Element, ...]:
    """Return the elements with one of ``tags`` in a section; empty if the section is missing."""
    found = section(parent, tag)
    return tuple(found.every(*tags)) if found else ()
