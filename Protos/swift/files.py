"""The Swift files: which declarations are together in one, its name, and its imports."""

from messages import has_declarations
from schema import Enum, Message


def generated_messages(schema, files):
    """Finds the messages whose Swift type is generated."""
    types = [type for type in schema.types.values() if isinstance(type, Message)]
    return [message for message in types if message.file in files and not message.existing]


def parent_modules(messages):
    """Returns the imports of a file that names messages within types of other modules."""
    parents = [message.parent.existing for message in messages if message.parent and message.parent.existing]
    return {parent.module: "internal" for parent in parents if parent.module}


def groups(schema, files):
    """Puts the types at the top of the files into groups, each of which becomes a Swift file."""
    types = [type for type in schema.types.values() if type.file in files and not type.parent]
    result = {}
    for type in filter(has_declarations, types):
        result.setdefault(group(type, types), []).append(type)
    return result.values()


def group(type, types):
    """Returns the group of a type. A method's request, response and the types that only they use share a group."""
    users = {group(user, types) for user in types if has_declarations(user) and type in used(user)}
    return users.pop() if len(users) == 1 and not is_of_method(type) else stem(type)


def is_of_method(type):
    """Returns whether this is a method's request or response."""
    return isinstance(type, Message) and bool(type.requests or type.responses)


def stem(type):
    """Drops `Request` or `Response` from the name of a method's message."""
    name = type.own_name
    return name.removesuffix("Request").removesuffix("Response") if is_of_method(type) else name


def used(message):
    """Finds the messages and enums that fields of a message have, or fields of messages nested in it."""
    if isinstance(message, Enum):
        return []
    types = [field.type for field in message.fields if field.kind in ("enum", "message")]
    return types + [type for inner in message.nested for type in used(inner)]


def first_generated(type):
    """Finds the first type, of a type and those nested in it, that something is generated for."""
    if type.is_generated:
        return type
    return next(first_generated(inner) for inner in type.nested if has_declarations(inner))


def file_name(types):
    if is_of_method(types[0]):
        return stem(types[0]) + ".swift"
    first = first_generated(types[0])
    return first.swift_name.replace(".", "+") + ("+Coding" if first.existing else "") + ".swift"


def imports(types):
    """Returns the modules that a file imports, and with which access."""
    result = {}

    def use(module, access):
        if module and result.get(module) != "package":
            result[module] = access

    def visit(type):
        if isinstance(type, Message) and type.is_generated:
            use("CMarvelMessages", "internal")
            use(type.existing and type.existing.module, "internal")
            for field in type.fields:
                access = "internal" if type.existing else "package"
                use("NIOCore" if field.kind == "bytes" else None, access)
                if field.kind == "message" and field.type.existing:
                    use(field.type.existing.module, access)
        if type.parent and type.parent.existing:
            use(type.parent.existing.module, "internal" if type.existing else "package")
        for inner in type.nested:
            visit(inner)

    for type in types:
        visit(type)
    return result
