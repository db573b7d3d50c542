"""The Swift of the .proto files as data, for reflection."""

import base64

from google.protobuf.descriptor_pb2 import FileDescriptorProto

from layout import WIDTH


def proto_files(files):
    """Returns the lines of a table of all files, each after those that it imports; comments are left out."""
    lines = ["/// The `.proto` files, each after those that it imports.", "package enum ProtoFiles {"]
    lines.append("    package static let all = [")
    for file in files:
        bare = FileDescriptorProto()
        bare.CopyFrom(file)
        bare.ClearField("source_code_info")
        text = base64.urlsafe_b64encode(bare.SerializeToString(deterministic=True)).decode().rstrip("=")
        lines += ["        ProtoFile(", f'            name: "{file.name}",']
        lines += array("imports", file.dependency) + array("symbols", list(symbols(file)))
        width = WIDTH - 17
        parts = [text[start : start + width] for start in range(0, len(text), width)]
        # One line to Swift.
        lines += ['            base64: """', "\\\n".join(" " * 16 + part for part in parts)]
        lines += ['                """', "        ),"]
    return lines + ["    ]", "}"]


def array(label, texts):
    """Returns the lines of an argument that is an array of texts."""
    quoted = ", ".join(f'"{text}"' for text in texts)
    line = f"            {label}: [{quoted}],"
    if len(line) <= WIDTH:
        return [line]
    return [f"            {label}: [", *[f'                "{text}",' for text in texts], "            ],"]


def symbols(file):
    """Returns the full names of what a file declares: messages, enums, services and methods."""

    def within(message, scope):
        name = f"{scope}.{message.name}"
        yield name
        for inner in message.nested_type:
            yield from within(inner, name)
        yield from (f"{name}.{enum.name}" for enum in message.enum_type)

    for message in file.message_type:
        yield from within(message, file.package)
    yield from (f"{file.package}.{enum.name}" for enum in file.enum_type)
    for service in file.service:
        yield f"{file.package}.{service.name}"
        yield from (f"{file.package}.{service.name}.{method.name}" for method in service.method)
