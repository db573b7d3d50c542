"""The OpenAPI document of the JSON calls, as a Swift text."""

import json
import re

from schema import Enum, Message

SCALARS = {
    "TYPE_BOOL": {"type": "boolean"},
    "TYPE_BYTES": {"type": "string", "contentEncoding": "base64"},
    "TYPE_INT32": {"type": "integer", "format": "int32"},
    "TYPE_INT64": {"type": "string", "format": "int64", "pattern": "^-?[0-9]+$"},
    "TYPE_STRING": {"type": "string"},
    "TYPE_UINT32": {"type": "integer", "format": "uint32", "minimum": 0},
    "TYPE_UINT64": {"type": "string", "format": "uint64", "pattern": "^[0-9]+$"},
}
# Messages that are a text in JSON.
TEXTS = {
    "google.protobuf.Duration": {"type": "string", "pattern": "^-?[0-9]+([.][0-9]+)?s$"},
    "google.protobuf.FieldMask": {"type": "string", "pattern": "^([*]|[a-zA-Z.]+(,[a-zA-Z.]+)*)?$"},
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
}
# Values of fields, by their names in JSON.
EXAMPLES = {"characterId": "1009610", "id": "1009610", "query": "spider", "variant": "standard_large"}
# Whole requests.
REQUESTS = {
    "marvel.v1.CreateCharacterRequest": {"character": {"name": "The New One", "description": "Not known yet."}},
    "marvel.v1.UpdateCharacterRequest": {"character": {"id": "1009610", "description": "Climbs walls."}},
}
# The responses to what fails, and what their statuses stand for (connectrpc.com/docs/protocol, "Error Codes").
ERRORS = {
    "4XX": """The call is refused.

- 400: INVALID_ARGUMENT, FAILED_PRECONDITION or OUT_OF_RANGE
- 401: UNAUTHENTICATED
- 403: PERMISSION_DENIED; a text if a web page of an origin that may not call sends the request
- 404: NOT_FOUND; UNIMPLEMENTED if there is no such method
- 405: the method of HTTP is not one of this path
- 409: ALREADY_EXISTS or ABORTED
- 415: the content type, or the encoding of a GET, is not supported
- 429: RESOURCE_EXHAUSTED
- 431: the headers are too large
- 499: CANCELLED""",
    "5XX": """The server cannot answer.

- 500: INTERNAL
- 501: UNIMPLEMENTED
- 503: UNAVAILABLE
- 504: DEADLINE_EXCEEDED""",
}
CODES = [
    "canceled", "unknown", "invalid_argument", "deadline_exceeded", "not_found", "already_exists", "permission_denied",
    "resource_exhausted", "failed_precondition", "aborted", "out_of_range", "unimplemented", "internal", "unavailable",
    "data_loss", "unauthenticated",
]
ERROR_SCHEMA = {
    "type": "object",
    "required": ["code"],
    "properties": {
        "code": {"type": "string", "enum": CODES},
        "message": {"type": "string", "description": "What went wrong, for people."},
        "details": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["type", "value"],
                "properties": {
                    "type": {"type": "string", "description": "The name of a message: `google.rpc.ErrorInfo`."},
                    "value": {"type": "string", "description": "Its encoding, in base64 without padding."},
                    "debug": {
                        "description": "The contents of ErrorInfo, BadRequest or RetryInfo.",
                        "anyOf": [
                            {
                                "type": "object",
                                "required": ["reason", "domain"],
                                "properties": {
                                    "reason": {"type": "string", "examples": ["CHARACTER_NOT_FOUND"]},
                                    "domain": {"type": "string"},
                                    "metadata": {"type": "object", "additionalProperties": {"type": "string"}},
                                },
                                "additionalProperties": False,
                            },
                            {
                                "type": "object",
                                "required": ["fieldViolations"],
                                "properties": {
                                    "fieldViolations": {
                                        "type": "array",
                                        "items": {
                                            "type": "object",
                                            "properties": {
                                                "field": {"type": "string"},
                                                "description": {"type": "string"},
                                            },
                                        },
                                    },
                                },
                                "additionalProperties": False,
                            },
                            {
                                "type": "object",
                                "required": ["retryDelay"],
                                "properties": {"retryDelay": TEXTS["google.protobuf.Duration"]},
                                "additionalProperties": False,
                            },
                        ],
                    },
                },
            },
        },
    },
}
ERROR_JSON = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
ERROR_CONTENT = {"4XX": {**ERROR_JSON, "text/plain": {"schema": {"type": "string"}}}, "5XX": ERROR_JSON}
CACHE_HEADERS = {"ETag": {"$ref": "#/components/headers/ETag"}, "Cache-Control": {"$ref": "#/components/headers/CacheControl"}}
HEADERS = {
    "ETag": {"description": "The tag for If-None-Match.", "schema": {"type": "string"}},
    "CacheControl": {"description": "Who may store the answer.", "schema": {"type": "string"}},
}
PARAMETERS = {
    "connect": {
        "name": "connect",
        "in": "query",
        "description": "The version of the protocol.",
        "schema": {"type": "string", "enum": ["v1"]},
    },
    "encoding": {
        "name": "encoding",
        "in": "query",
        "required": True,
        "description": "The encoding of the message.",
        "schema": {"type": "string", "enum": ["json"]},
    },
}
PICTURE_PATH = "/pictures/{id}/{variant}"


def openapi(schema):
    """Returns the lines of the document."""
    methods = [method for method in schema.methods if method.kind != "bidirectional"]
    schemas = Schemas(methods)
    paths = {f"/{method.service.full_name}/{method.name}": path(method, schemas) for method in methods}
    paths[PICTURE_PATH] = pictures()
    services = list(dict.fromkeys(method.service for method in methods))
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "marvel-rpc",
            "version": "v1",
            "summary": "Marvel characters, and durable lists of favorites.",
            "description": "Each method is called by POST with a message in JSON. Methods without side effects have GET too.",
        },
        "tags": [{"name": service.name, "description": text(service.doc)} for service in services],
        "security": [{}, {"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "headers": HEADERS,
            "parameters": PARAMETERS,
            "responses": {
                "304": {"description": "The caller has the answer that If-None-Match names.", "headers": CACHE_HEADERS},
                **{
                    status: {"description": description, "content": ERROR_CONTENT[status]}
                    for status, description in ERRORS.items()
                },
            },
            "schemas": {**schemas.components, "Error": ERROR_SCHEMA},
        },
    }
    lines = json.dumps(document, ensure_ascii=False, indent=1).split("\n")
    head = ["/// The OpenAPI document of the calls with JSON, and of pictures.", "package enum OpenAPI {"]
    return head + ['    package static let json: StaticString = #"""', *[f"        {line}" for line in lines], '        """#', "}"]


class Schemas:
    """The JSON Schemas of messages. Those of requests have all forms that the server reads, and no further properties."""

    def __init__(self, methods):
        self.components = {}
        self.in_requests = reachable(method.request for method in methods)
        self.in_responses = reachable(method.response for method in methods)

    def of(self, type, is_request):
        """Returns a reference to the schema of a message or an enum, which it adds if necessary."""
        both = type in self.in_requests and type in self.in_responses and isinstance(type, Message)
        name = type.full_name.removeprefix(type.package).lstrip(".") + ("Input" if both and is_request else "")
        if name not in self.components:
            self.components[name] = {}
            declared = enum(type) if isinstance(type, Enum) else self.message(type, is_request)
            self.components[name] = with_text(declared, type.doc)
        return {"$ref": f"#/components/schemas/{name}"}

    def message(self, message, is_request):
        properties = {field.proto.json_name: self.field(field, is_request) for field in message.fields}
        result = {"type": "object", "properties": properties}
        if not is_request:
            return result
        examples = {"examples": [REQUESTS[message.full_name]]} if message.full_name in REQUESTS else {}
        return {**result, "additionalProperties": False, **examples}

    def field(self, field, is_request):
        if field.is_map:
            result = {"type": "object", "additionalProperties": self.value(field.type.fields[1], is_request)}
        elif field.is_repeated:
            result = {"type": "array", "items": self.value(field, is_request)}
        else:
            result = self.value(field, is_request)
            example = EXAMPLES.get(field.proto.json_name) if is_request else None
            result = {**result, "examples": [example]} if example else result
        if is_request:
            result = accepted(result, field)
        return with_text(result, field.own_doc)

    def value(self, field, is_request):
        if field.kind in ("enum", "message"):
            return TEXTS.get(field.type.full_name) or self.of(field.type, is_request)
        return SCALARS[field.proto.Type.Name(field.proto.type)]


def accepted(schema, field):
    """Returns the schema of a field in a request, which has more forms than one in a response."""
    if "$ref" in schema:
        others = {"type": ["integer", "null"]} if field.kind == "enum" else {"type": "null"}
        return {"anyOf": [schema, others]}
    if schema.get("format") in ("int64", "uint64"):
        return {**schema, "type": ["string", "integer", "null"]}
    if schema["type"] == "integer":
        return {**schema, "type": ["integer", "string", "null"], "pattern": "^-?[0-9]+$"}
    return {**schema, "type": [schema["type"], "null"]}


def reachable(messages):
    """Finds the messages that these hold."""
    found, pending = set(), list(messages)
    while pending:
        message = pending.pop()
        if message not in found:
            found.add(message)
            pending += [field.type for field in message.fields if field.kind == "message"]
    return found


def enum(type):
    values = [value.name for value in type.proto.value]
    docs = [f"- `{value.name}`: {text(doc)}" for value, (_, _, doc) in zip(type.proto.value, type.cases) if doc]
    return with_text({"type": "string", "enum": values}, "\n".join(docs))


def path(method, schemas):
    """Returns the operations of a method."""
    request = schemas.of(method.request, True)
    response = schemas.of(method.response, False)
    doc = text(method.doc)
    if method.kind != "unary":
        doc += "\n\nAs a call with one answer, it returns the first message of its stream."
    name = method.name if method.service.name == "MarvelService" else f"{method.service.name}{method.name}"
    common = {"tags": [method.service.name], "summary": re.split(r"(?<=\.)\s", doc)[0]}
    content = {"application/json": {"schema": request}}
    success = {"description": "The answer.", "content": {"application/json": {"schema": response}}}
    post = {
        "operationId": name,
        **common,
        "description": doc,
        "requestBody": {"required": True, "content": content},
        "responses": responses(success),
    }
    if not method.has_no_side_effects:
        return {"post": post}
    get = {
        "operationId": f"{name}ByGet",
        **common,
        "description": "The same as by POST.",
        "parameters": [
            {"$ref": "#/components/parameters/connect"},
            {"$ref": "#/components/parameters/encoding"},
            {"name": "message", "in": "query", "required": True, "description": "The request.", "content": content},
        ],
        "responses": cached(success),
    }
    return {"post": post, "get": get}


def pictures():
    parameters = [
        {
            "name": "id",
            "in": "path",
            "required": True,
            "description": "The character's id.",
            "schema": {"type": "integer", "format": "int64", "minimum": 1, "examples": [1009610]},
        },
        {
            "name": "variant",
            "in": "path",
            "required": True,
            "description": "Marvel's name of a size, or `full`.",
            "schema": {"type": "string", "pattern": "^[a-z_]+$", "examples": ["standard_large"]},
        },
    ]
    types = ["image/png", "image/jpeg", "image/gif"]
    success = {"description": "The picture.", "content": {type: {"schema": {"type": "string"}} for type in types}}
    get = {
        "operationId": "GetPicture",
        "tags": ["MarvelService"],
        "summary": "Returns the picture of a character.",
        "parameters": parameters,
        "responses": cached(success),
    }
    return {"get": get}


def responses(success):
    return {"200": success, **{status: {"$ref": f"#/components/responses/{status}"} for status in ERRORS}}


def cached(success):
    """Returns the responses to a GET."""
    return {"304": {"$ref": "#/components/responses/304"}, **responses({**success, "headers": CACHE_HEADERS})}


def with_text(schema, doc):
    texts = [schema.get("description", ""), text(doc)]
    description = "\n\n".join(filter(None, reversed(texts)))
    return {**schema, "description": description} if description else schema


def text(doc):
    """Joins the lines of each paragraph and of each list item."""
    paragraphs = [re.split(r"\n(?=- )", paragraph) for paragraph in re.split(r"\n[ \t]*\n", doc.strip())]
    return "\n\n".join("\n".join(" ".join(item.split()) for item in items) for items in paragraphs)
