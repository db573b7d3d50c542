"""The Swift of the messages of services as tables of fields, for their JSON."""

from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Proto

from layout import Call
from schema import Message, Unsupported

KINDS = {
    Proto.TYPE_BOOL: ".bool",
    Proto.TYPE_BYTES: ".bytes",
    Proto.TYPE_INT32: ".int32",
    Proto.TYPE_INT64: ".int64",
    Proto.TYPE_STRING: ".string",
    Proto.TYPE_UINT32: ".uint32",
    Proto.TYPE_UINT64: ".uint64",
}
# Messages that are a text in JSON.
TEXTS = {
    "google.protobuf.Duration": ".duration",
    "google.protobuf.FieldMask": ".fieldMask",
    "google.protobuf.Timestamp": ".timestamp",
}


def json_messages(schema):
    """Returns the lines of the tables of all messages that a request or a response may hold."""
    types = types_of_services(schema)
    messages = [type for type in types if isinstance(type, Message)]
    lines = ["extension JSONMessage {", "    /// The messages of the services by their full names."]
    lines += ["    static let all: [String: JSONMessage] = ["]
    lines += [f'        "{message.full_name}": {constant(message)},' for message in messages]
    lines += ["    ]"]
    for message in messages:
        lines += declaration(message, "JSONMessage", [field(item) for item in message.fields])
    return lines + ["}"]


def json_enums(schema):
    """Returns the lines of the tables of all enums that a request or a response may hold."""
    lines = []
    for type in types_of_services(schema):
        if not isinstance(type, Message):
            values = [("(", [str(value.number), f'"{value.name}"']) for value in type.proto.value]
            lines += declaration(type, "JSONEnum", values)
    return ["extension JSONEnum {", *lines[1:], "}"]


def types_of_services(schema):
    """Finds the messages and enums that a request or a response may hold, sorted by their full names."""
    found = {}

    def visit(type):
        if type.full_name in found or type.full_name in TEXTS:
            return
        found[type.full_name] = type
        for field in type.fields if isinstance(type, Message) else []:
            if field.kind in ("enum", "message"):
                visit(field.type)

    for method in schema.methods:
        visit(method.request)
        visit(method.response)
    return [found[name] for name in sorted(found)]


def declaration(type, kind, items):
    """Returns an empty line and the lines of a constant with a list of items: the beginnings and arguments of calls."""
    head = f"    static let {constant(type)} = {kind}("
    if not items:
        return ["", head + ")"]
    comma = "," if len(items) > 1 else ""
    lines = [line for call, arguments in items for line in Call(call, arguments, ")" + comma).lines(8)]
    return ["", head + "[", *lines, "    ])"]


def constant(type):
    """Names the constant of a message or an enum: `marvelV1CharacterUrl`."""
    first, *others = type.full_name.split(".")
    return first + "".join(part[0].upper() + part[1:] for part in others)


def field(field):
    """Returns the call that makes a field: its number, its names, its kind, and whether it is repeated or in a oneof."""
    arguments = [str(field.proto.number), f'"{field.name}"']
    if field.proto.json_name != field.name:
        arguments.append(f'json: "{field.proto.json_name}"')
    arguments.append(kind(field))
    if field.is_repeated:
        arguments.append("isMap: true" if field.is_map else "isRepeated: true")
    if field.proto.HasField("oneof_index"):
        arguments.append(f'oneof: "{field.message.oneofs[field.proto.oneof_index].name}"')
    return "JSONField(", arguments


def kind(field):
    if field.kind == "message":
        return TEXTS.get(field.type.full_name) or f".message({constant(field.type)})"
    if field.kind == "enum":
        return f".enumeration(.{constant(field.type)})"
    if field.proto.type not in KINDS:
        name = f"{field.message.full_name}.{field.name}"
        raise Unsupported(f"{name}: floating point, fixed and zigzag integers have no JSON form here")
    return KINDS[field.proto.type]
