"""The layout of Swift source, as swift-format would have it."""

import re
import textwrap

WIDTH = 120


class Call:
    """Something with arguments in parentheses: on one line if it fits, or else with a line for each argument."""

    def __init__(self, head, arguments, tail=")"):
        self.head = head
        self.arguments = arguments
        self.tail = tail

    def __str__(self):
        return self.head + ", ".join(str(argument) for argument in self.arguments) + self.tail

    def lines(self, indentation, suffix=""):
        """Returns the lines; `suffix` follows the last one."""
        line = " " * indentation + str(self) + suffix
        if len(line) <= WIDTH or not self.arguments:
            return [line]
        result = [" " * indentation + self.head]
        for argument in self.arguments:
            comma = "" if argument is self.arguments[-1] else ","
            if isinstance(argument, Call):
                result += argument.lines(indentation + 4, comma)
            else:
                result.append(" " * (indentation + 4) + argument + comma)
        return result + [" " * indentation + self.tail + suffix]


def getter(declaration, expression, indentation=4):
    """Returns the lines of a computed property of one expression."""
    margin = " " * indentation
    line = f"{margin}{declaration} {{ {expression} }}"
    if len(line) <= WIDTH:
        return [line]
    return [f"{margin}{declaration} {{", f"{margin}    {expression}", f"{margin}}}"]


def doc_comment(text, indentation=0):
    """Returns the lines of a documentation comment; paragraphs and list items of `text` stay apart."""
    lines = []
    for paragraph in re.split(r"\n[ \t]*\n", text.strip()):
        if not paragraph:
            continue
        lines += [""] if lines else []
        for item in re.split(r"\n(?=- )", paragraph):
            lines += textwrap.wrap(
                " ".join(item.split()),
                width=WIDTH - indentation - len("/// "),
                subsequent_indent="  " if item.startswith("- ") else "",
                break_long_words=False,
                break_on_hyphens=False,
            )
    return [(" " * indentation + "/// " + line).rstrip() for line in lines]
