"""The Swift of messages and enums: values, their decoding and their encoding."""

from layout import WIDTH, Call, doc_comment, getter
from names import c_case, c_function
from schema import Enum, Oneof


def declaration(type):
    """Returns the lines of a type and its nested types, including their coding."""
    lines = []
    if isinstance(type, Enum):
        return nested_in(type.parent, open_enum(type, 4 if type.parent else 0))
    if not type.existing:
        lines += nested_in(type.parent, struct(type, 4 if type.parent else 0))
        for oneof in type.oneofs:
            lines += [""] + nested_in(type, oneof_enum(oneof))
    if type.is_generated:
        lines += [""] + coding(type)
    for inner in type.nested:
        lines += [""] + declaration(inner) if has_declarations(inner) else []
    return lines[1:] if lines and not lines[0] else lines


def table(messages):
    """Returns the lines of a list of the generated messages, for tests that go through all of them."""
    lines = ["/// Every generated message.", "package enum GeneratedMessages {"]
    lines.append("    package static let all: [any WireMessage.Type] = [")
    return lines + [f"        {message.swift_name}.self," for message in messages] + ["    ]", "}"]


def has_declarations(type):
    """Returns whether anything is generated for a type or its nested types."""
    return type.is_generated or any(has_declarations(inner) for inner in type.nested)


def nested_in(parent, lines):
    return [f"extension {parent.swift_name} {{", *lines, "}"] if parent else lines


def open_enum(enum, indentation):
    margin = " " * indentation
    name = enum.own_name
    doc = "\n\n".join(text for text in [enum.doc, "A value that this build does not know is kept."] if text)
    lines = doc_comment(doc, indentation) + [
        f"{margin}package struct {name}: RawRepresentable, Sendable, Hashable {{",
        f"{margin}    package let rawValue: Int32",
        f"{margin}    package init(rawValue: Int32) {{ self.rawValue = rawValue }}",
        "",
    ]
    for case, number, doc in enum.cases:
        lines += doc_comment(doc, indentation + 4)
        lines.append(f"{margin}    package static let {case} = {name}(rawValue: {number})")
    return lines + [margin + "}"]


def struct(message, indentation):
    margin = " " * indentation
    lines = doc_comment(message.summary, indentation)
    lines.append(f"{margin}package struct {message.own_name}: Sendable, Hashable {{")
    for member in message.members:
        lines += doc_comment(member.doc, indentation + 4)
        lines.append(f"{margin}    package var {member.property}: {member.swift_type}")
    lines += [""] if message.members else []
    # The cases of a oneof say enough without a label.
    parameters = [
        f"{'_ ' if member.kind == 'oneof' else ''}{member.property}: {member.swift_type} = {member.default}"
        for member in message.members
    ]
    lines += Call("package init(", parameters, ") {").lines(indentation + 4)
    lines += [f"{margin}        self.{member.property} = {member.property}" for member in message.members]
    return lines + [margin + "    }", margin + "}"]


def coding(message):
    """Returns the conformance: messages of the .proto files are `ProtobufMessage`s, domain types only coded."""
    protocol = "ProtobufCoded" if message.existing else "PlainMessage" if message.is_plain else "ProtobufMessage"
    lines = [f"/// Encoded as `{message.full_name}`."] if message.existing else []
    lines.append(f"extension {message.swift_name}: {protocol} {{")
    if not message.existing:
        lines += [f'    package static let fullName = "{message.full_name}"', ""]
    initializer = c_function(message.full_name, "init")
    lines += getter(f"static var initialize: CInitializer<{message.c_type}>", initializer)
    lines += ["", f"    init(copying message: {message.c_type}) throws(WireError) {{"]
    lines += Call("self.init(", [decoded(member) for member in message.members]).lines(8)
    lines += ["    }", ""]
    if message.is_plain:
        lines.append("    init(scanning fields: inout FieldScanner) {")
        lines += Call("self.init(", [scanned(field) for field in message.fields]).lines(8)
        lines += ["    }", ""]
    parameters = [f"_ message: inout {message.c_type}", "in arena: inout EncodingArena"]
    lines += Call("func fill(", parameters, ") {").lines(4)
    for member in message.members:
        lines += encoded_oneof(member) if isinstance(member, Oneof) else encoded(member, own(member.property), 8)
    lines.append("    }")
    for oneof in message.oneofs:
        lines += [""] + oneof_decoding(oneof)
    return lines + ["}"]


def own(property):
    """Refers to a property where parameters may have its name."""
    return f"self.{property}" if property in ("message", "arena") else property


def decoded(member):
    """Returns the argument that decodes a member for its message's initializer."""
    if isinstance(member, Oneof):
        return f"try Self.{member.property}(copying: message)"
    return value(member, f"{member.property}: ")


def value(field, label=""):
    """Returns the expression that decodes a field of the C struct `message`."""
    c = f"message.{field.name}"
    element = field.element(field.message)
    if field.is_repeated:
        copying, count = f"copying: {c}", f"count: message.n_{field.name}"
        buffer = [f"start: {c}", count]
        match field.kind:
            case "message" | "string" | "bytes":
                return Call(f"{label}try [{element}](", [copying, count, f'field: "{field.name}"'])
            case "number":
                return Call(f"{label}[{element}](", [Call("UnsafeBufferPointer(", buffer)])
            case "bool":
                return Call(f"{label}UnsafeBufferPointer(", buffer, ").map { $0 != 0 }")
            case "enum":
                each = f"{element}(rawValue: Int32(bitPattern: $0.rawValue))"
                return Call(f"{label}UnsafeBufferPointer(", buffer, f").map {{ {each} }}")
    match field.kind:
        case "number":
            return label + c
        case "bool":
            return f"{label}{c} != 0"
        case "string":
            return f'{label}try {c}.text("{field.name}")'
        case "bytes":
            return f"{label}{c}.buffer"
        case "enum":
            return Call(f"{label}{element}(", [f"rawValue: Int32(bitPattern: {c}.rawValue)"])
        case "message":
            tail = f") ?? {field.unset}" if field.unset else ")"
            return Call(f"{label}try {element}(", [f"copying: {c}", f'field: "{field.name}"'], tail)


def scanned(field):
    """Returns the argument that reads a field in place for its message's initializer."""
    function = {"string": "text", "enum": "int32", "message": "fieldMask"}.get(field.kind) or field.element().lower()
    value = f"fields.{function}({field.proto.number})"
    if field.kind == "enum":
        value = f"{field.element(field.message)}(rawValue: {value})"
    return f"{field.property}: {value}"


def encoded(field, value, indentation, is_set=False):
    """Returns the lines that set a field of the C struct `message` to `value`, which is not nil if it `is_set`."""
    c = f"message.{field.name}"
    if field.is_repeated:
        function, argument = {
            "message": ("messages", value),
            "string": ("texts", value),
            "bytes": ("buffers", value),
            "number": ("numbers", value),
            "bool": ("numbers", f"{value}.map {{ $0 ? 1 : 0 }}"),
            "enum": ("numbers", f"{value}.map {{ .init(rawValue: UInt32(bitPattern: $0.rawValue)) }}"),
        }[field.kind]
        count = f"{' ' * indentation}message.n_{field.name} = {value}.count"
        return [count] + Call(f"{c} = arena.{function}(", [argument]).lines(indentation)
    if field.kind == "enum":
        argument = f"rawValue: UInt32(bitPattern: {value}.rawValue)"
        return Call(f"{c} = {field.type.c_type}(", [argument]).lines(indentation)
    expression = {
        "number": value,
        "bool": f"{value} ? 1 : 0",
        "string": f"arena.text({value})",
        "bytes": f"arena.buffer({value})",
        "message": f"arena.message({value})",
    }[field.kind]
    if field.is_optional and not is_set:
        expression = f"{value}.map {{ arena.message($0) }}"
    return [f"{' ' * indentation}{c} = {expression}"]


def oneof_enum(oneof):
    doc = oneof.own_doc or f"The field that is set of the oneof `{oneof.name}`."
    lines = doc_comment(doc, 4) + [f"    package enum {oneof.case_type}: Sendable, Hashable {{"]
    for field in oneof.fields:
        lines += doc_comment(field.own_doc, 8)
        lines.append(f"        case {field.property}({field.element(oneof.message)})")
    return lines + ["    }"]


def oneof_decoding(oneof):
    message = oneof.message
    doc = f"Copies the field that is set: the members of C's union overlap, and `{oneof.name}_case` tells which it is."
    lines = doc_comment(doc, 4)
    parameters = [f"copying message: {message.c_type}"]
    tail = f") throws(WireError) -> {oneof.swift_type} {{"
    lines += Call(f"private static func {oneof.property}(", parameters, tail).lines(4)
    lines.append(f"        switch message.{oneof.name}_case {{")
    for field in oneof.fields:
        lines.append(f"        case {c_case(message.full_name, oneof.name, field.name)}:")
        case = f"{oneof.case_type}.{field.property}"
        if field.is_optional:
            lines += value(field, "return ").lines(12, f".map({case})")
        else:
            lines += Call(f"return {case}(", [value(field)]).lines(12)
    return lines + ["        default:", "            return nil", "        }", "    }"]


def encoded_oneof(oneof):
    lines = [f"        switch {own(oneof.property)} {{"]
    for field in oneof.fields:
        lines.append(f"        case .{field.property}(let value):")
        constant = c_case(oneof.message.full_name, oneof.name, field.name)
        line = f"            message.{oneof.name}_case = {constant}"
        lines += [line] if len(line) <= WIDTH else [line[: -len(constant)].rstrip(), " " * 16 + constant]
        lines += encoded(field, "value", 12, is_set=True)
    return lines + ["        case nil:", "            break", "        }"]
