"""The .proto files as the generator sees them: messages, enums and services with their Swift names and comments."""

import re
from functools import cached_property

from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Proto
from google.protobuf.descriptor_pb2 import MethodOptions

from mapping import EXISTING, PROPERTY_NAMES, TYPE_NAMES
from names import c_type, camel_case, is_keyword, quoted, snake_case

NUMBERS = {
    Proto.TYPE_DOUBLE: "Double",
    Proto.TYPE_FLOAT: "Float",
    Proto.TYPE_INT32: "Int32",
    Proto.TYPE_SINT32: "Int32",
    Proto.TYPE_SFIXED32: "Int32",
    Proto.TYPE_UINT32: "UInt32",
    Proto.TYPE_FIXED32: "UInt32",
    Proto.TYPE_INT64: "Int64",
    Proto.TYPE_SINT64: "Int64",
    Proto.TYPE_SFIXED64: "Int64",
    Proto.TYPE_UINT64: "UInt64",
    Proto.TYPE_FIXED64: "UInt64",
}


class Unsupported(Exception):
    """Something in a .proto file that the generator does not support."""


class Schema:
    """All files that protoc has read."""

    def __init__(self, files):
        self.types = {}
        self.services = []
        for file in files:
            comments = {
                tuple(location.path): location.leading_comments.replace("\n ", "\n").strip()
                for location in file.source_code_info.location
            }
            scope = Scope(self, file, comments)
            for index, message in enumerate(file.message_type):
                scope.add(Message(scope, message, None, (4, index)))
            for index, enum in enumerate(file.enum_type):
                scope.add(Enum(scope, enum, None, (5, index)))
            for index, service in enumerate(file.service):
                self.services.append(Service(scope, service, (6, index)))

    def type(self, name):
        """Finds a message or enum by a field's type name, which begins with a dot."""
        return self.types[name.removeprefix(".")]

    @property
    def methods(self):
        return [method for service in self.services for method in service.methods]


class Scope:
    """One file."""

    def __init__(self, schema, file, comments):
        self.schema = schema
        self.name = file.name
        self.package = file.package
        self.comments = comments

    def add(self, type):
        self.schema.types[type.full_name] = type
        for nested in type.nested:
            self.add(nested)


class Declaration:
    """A message or an enum."""

    def __init__(self, scope, proto, parent, path):
        self.schema = scope.schema
        self.file = scope.name
        self.package = scope.package
        self.proto = proto
        self.parent = parent
        self.doc = scope.comments.get(path, "")
        self.full_name = f"{parent.full_name if parent else scope.package}.{proto.name}"
        self.existing = EXISTING.get(self.full_name)
        self.c_type = c_type(self.full_name)

    @property
    def swift_name(self):
        """The full name in Swift."""
        if self.existing:
            return self.existing.name
        name = TYPE_NAMES.get(self.full_name, self.proto.name)
        return f"{self.parent.swift_name}.{name}" if self.parent else name

    @property
    def own_name(self):
        """The name without that of the type around it."""
        return self.swift_name.rpartition(".")[2]

    @property
    def is_generated(self):
        """Whether there is anything to generate for it, types within it aside."""
        return not (self.existing and self.existing.has_own_coding)


class Enum(Declaration):
    nested = []

    def __init__(self, scope, proto, parent, path):
        super().__init__(scope, proto, parent, path)
        self.cases = []
        for index, value in enumerate(proto.value):
            if value.number < 0:
                # C's enum would be another type.
                raise Unsupported(f"{self.full_name}.{value.name}: negative enum values are not supported")
            # Most values have the enum's name before their own.
            name = camel_case(value.name.removeprefix(snake_case(proto.name).upper() + "_"))
            self.cases.append((quoted(name), value.number, scope.comments.get((*path, 2, index), "")))


class Message(Declaration):
    def __init__(self, scope, proto, parent, path):
        super().__init__(scope, proto, parent, path)
        nested = [Message(scope, inner, self, (*path, 3, index)) for index, inner in enumerate(proto.nested_type)]
        nested += [Enum(scope, inner, self, (*path, 4, index)) for index, inner in enumerate(proto.enum_type)]
        self.nested = nested
        self.fields = [
            Field(self, field, scope.comments.get((*path, 2, index), ""))
            for index, field in enumerate(proto.field)
        ]
        self.oneofs = [
            Oneof(self, index, oneof, scope.comments.get((*path, 8, index), ""))
            for index, oneof in enumerate(proto.oneof_decl)
        ]

    @property
    def members(self):
        """The properties in order: fields, and each oneof where its first field is."""
        members = []
        for field in self.fields:
            member = self.oneofs[field.proto.oneof_index] if field.proto.HasField("oneof_index") else field
            if member not in members:
                members.append(member)
        return members

    @property
    def is_plain(self):
        """Whether it is read in place: a request of a few texts and numbers, numbered in their order."""
        numbers = [field.proto.number for field in self.fields]
        return (
            bool(self.requests and self.fields)
            and all(field.is_plain for field in self.fields)
            and numbers == sorted(numbers)
        )

    @property
    def requests(self):
        """The methods that have it as their request."""
        return [method for method in self.schema.methods if method.request is self]

    @property
    def responses(self):
        """The methods that have it as their response."""
        return [method for method in self.schema.methods if method.response is self]

    @property
    def summary(self):
        """The text of its documentation comment."""
        texts = []
        if self.requests:
            texts.append(f"The request of {' and '.join(map(str, self.requests))}.")
        if self.responses:
            is_streamed = all(method.kind != "unary" for method in self.responses)
            kind = "A streamed response" if is_streamed else "The response"
            texts.append(f"{kind} of {' and '.join(map(str, self.responses))}.")
        texts += [self.doc] if self.doc else []
        return "\n\n".join(texts) or f"`{self.full_name}`."


class Field:
    """A field; `kind` is number, bool, string, bytes, enum or message."""

    def __init__(self, message, proto, doc):
        self.proto = proto
        self.message = message
        self.name = proto.name
        self.property = PROPERTY_NAMES.get(f"{message.full_name}.{proto.name}", camel_case(proto.name))
        self.own_doc = doc
        self.is_repeated = proto.label == Proto.LABEL_REPEATED
        kinds = {
            Proto.TYPE_BOOL: "bool",
            Proto.TYPE_STRING: "string",
            Proto.TYPE_BYTES: "bytes",
            Proto.TYPE_ENUM: "enum",
            Proto.TYPE_MESSAGE: "message",
        }
        self.kind = "number" if proto.type in NUMBERS else kinds.get(proto.type)
        if self.kind is None or proto.proto3_optional:
            name = f"{message.full_name}.{proto.name}"
            raise Unsupported(f"{name}: groups and optional scalars are not supported")
        if is_keyword(proto.name):
            raise Unsupported(f"{message.full_name}.{proto.name}: the name is a keyword of C or Swift")

    @property
    def is_plain(self):
        """Whether it can be read in place, by a tag of one byte."""
        types = (Proto.TYPE_STRING, Proto.TYPE_ENUM, Proto.TYPE_INT32, Proto.TYPE_INT64)
        in_oneof = self.proto.HasField("oneof_index")
        is_known = self.proto.type in types or self.proto.type_name == ".google.protobuf.FieldMask"
        return is_known and self.proto.number < 16 and not (self.is_repeated or in_oneof)

    @property
    def is_map(self):
        """Whether its elements are the entries of a map."""
        return self.kind == "message" and self.type.proto.options.map_entry

    @cached_property
    def type(self):
        """The enum or message, for a field of one."""
        return self.message.schema.type(self.proto.type_name)

    def element(self, *scopes):
        """Returns the Swift type of the value, or of one of the values, as it is called within these types."""
        names = {"bool": "Bool", "string": "String", "bytes": "ByteBuffer"}
        if self.kind in ("enum", "message"):
            outer, _, own_name = self.type.swift_name.rpartition(".")
            return own_name if outer in [scope.swift_name for scope in scopes if scope] else self.type.swift_name
        return names.get(self.kind) or NUMBERS[self.proto.type]

    @property
    def is_optional(self):
        return self.kind == "message" and not self.is_repeated and self.unset is None

    @property
    def unset(self):
        """For a message: the value of an unset field, if not nil."""
        return self.type.existing.unset if self.type.existing else None

    @property
    def swift_type(self):
        """The type of the property."""
        element = self.element(self.message, self.message.parent)
        return f"[{element}]" if self.is_repeated else element + ("?" if self.is_optional else "")

    @property
    def default(self):
        if self.is_repeated:
            return "[]"
        if self.kind == "enum":
            return "." + self.type.cases[0][0]
        if self.kind == "message":
            return self.unset or "nil"
        return {"bool": "false", "string": '""', "bytes": "ByteBuffer()", "number": "0"}[self.kind]

    @property
    def doc(self):
        return f"{self.own_doc} Nil if the peer did not set it." if self.is_optional else self.own_doc


class Oneof:
    """A oneof: in Swift an enum with a case for each field, nested in its message."""

    is_repeated = False
    kind = "oneof"
    default = "nil"

    def __init__(self, message, index, proto, doc):
        self.message = message
        self.name = proto.name
        self.property = camel_case(proto.name)
        self.case_type = camel_case("_" + proto.name)
        self.swift_type = self.case_type + "?"
        self.own_doc = doc
        self.fields = [
            field for field in message.fields
            if field.proto.HasField("oneof_index") and field.proto.oneof_index == index
        ]

    @property
    def doc(self):
        return f"{self.own_doc} Nil if the peer set none, or one that this build does not know."


class Service:
    def __init__(self, scope, proto, path):
        self.file = scope.name
        self.name = proto.name
        self.full_name = f"{scope.package}.{proto.name}"
        self.doc = scope.comments.get(path, "")
        self.methods = [
            Method(scope.schema, self, method, scope.comments.get((*path, 2, index), ""))
            for index, method in enumerate(proto.method)
        ]


class Method:
    def __init__(self, schema, service, proto, doc):
        self.service = service
        self.name = proto.name
        self.doc = doc
        self.request = schema.type(proto.input_type)
        self.response = schema.type(proto.output_type)
        if proto.client_streaming and not proto.server_streaming:
            raise Unsupported(f"{self}: client streaming without server streaming is not supported")
        self.has_no_side_effects = proto.options.idempotency_level == MethodOptions.NO_SIDE_EFFECTS
        self.scope = self.declared_scope()
        self.kind = "bidirectional" if proto.client_streaming else "serverStreaming" if proto.server_streaming else "unary"

    def declared_scope(self):
        """Returns the scope that its comment names; None if it needs none. Other projects name no scopes."""
        if not self.service.full_name.startswith("marvel."):
            return None
        found = re.search(r"^ *Scope: (none|[a-z]+(?::[a-z]+(?::L)?)?)\b", self.doc, re.MULTILINE)
        if not found or not self.doc[:found.start()].strip():
            raise Unsupported(f"{self}: its comment needs a description and a line such as `Scope: catalog:read.`")
        return None if found[1] == "none" else found[1]

    def __str__(self):
        return f"`{self.service.full_name}/{self.name}`"

