"""Names: from the .proto files to Swift, and to the C that protoc-c makes of them."""

import re

ACRONYMS = {"id": "ID", "ids": "IDs", "url": "URL", "urls": "URLs"}
KEYWORDS_OF_SWIFT = set(
    "as break case catch class continue default defer do else enum extension fallthrough false for func guard if import "
    "in init internal is let nil operator private protocol public repeat return self static struct subscript super "
    "switch throw throws true try var where while".split()
)
# protoc-c gives these other names.
KEYWORDS_OF_C = set(
    "and asm auto bool char const delete double explicit export extern float friend goto inline int long mutable "
    "namespace new not or register short signed sizeof template this typedef typename union unsigned using virtual void "
    "volatile xor".split()
)


def camel_case(name):
    """Writes `request_id` or `NOT_SERVING` as `requestID`, `notServing`."""
    first, *others = name.lower().split("_")
    return first + "".join(ACRONYMS.get(word, word.capitalize()) for word in others)


def quoted(name):
    """Puts backticks around a name that is a keyword."""
    return f"`{name}`" if name in KEYWORDS_OF_SWIFT else name


def is_keyword(name):
    """Returns whether a field's name is reserved in C or Swift."""
    return name in KEYWORDS_OF_SWIFT or name in KEYWORDS_OF_C


def snake_case(camel):
    """Separates the words of `CharacterUrl` as protoc-c does."""
    return re.sub(r"(?<=[^A-Z])(?=[A-Z])", "_", camel)


def c_type(full_name):
    """Names the C struct or enum: `Marvel__V1__CharacterUrl`."""
    return "__".join(part[0].upper() + part[1:] for part in full_name.split("."))


def c_function(full_name, function):
    """Names a C function of a message: `marvel__v1__character_url__init`."""
    return "__".join(snake_case(part).lower() for part in full_name.split(".")) + "__" + function


def c_case(full_name, oneof, field):
    """Names the C constant of a oneof's field."""
    prefix = "__".join(snake_case(part).upper() for part in full_name.split("."))
    return f"{prefix}__{oneof.upper()}_{field.upper()}"
