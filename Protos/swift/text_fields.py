"""The Swift code for text fields, which protoc-c's descriptors call bytes."""

from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Proto

from schema import Message


def text_fields(schema):
    """Returns the lines of a table of the numbers of each message's texts."""
    lines = ["/// The fields of type `string`, which the C descriptors call bytes."]
    lines += ["enum TextFields {", "    /// Their numbers by the full names of their messages."]
    lines += ["    static let numbers: [String: Set<UInt32>] = ["]
    for message in sorted(filter(is_message, schema.types.values()), key=lambda message: message.full_name):
        numbers = [str(field.proto.number) for field in message.fields if field.proto.type == Proto.TYPE_STRING]
        if numbers:
            lines.append(f'        "{message.full_name}": [{", ".join(numbers)}],')
    return lines + ["    ]", "}"]


def is_message(type):
    return isinstance(type, Message)

