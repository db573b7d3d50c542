"""The Swift of services: a descriptor of each method, and the list of them."""

import re

from layout import Call, doc_comment
from names import camel_case, quoted, snake_case


def methods(service):
    """Returns the lines of a service's descriptors, with the first paragraph of each comment."""
    lines = doc_comment(f"The methods of `{service.full_name}`.")
    lines += [f"package enum {service.name}Methods {{", f'    package static let serviceName = "{service.full_name}"']
    names = [quoted(camel_case(snake_case(method.name))) for method in service.methods]
    for name, method in zip(names, service.methods):
        messages = f"{method.request.swift_name}, {method.response.swift_name}"
        arguments = ["service: serviceName", f'name: "{method.name}"', f"kind: .{method.kind}"]
        arguments += ["hasNoSideEffects: true"] if method.has_no_side_effects else []
        arguments += [f'scope: "{method.scope}"'] if method.scope else []
        lines += [""] + doc_comment(re.split(r"\n[ \t]*\n", method.doc.strip())[0], 4)
        lines += Call(f"package static let {name} = MethodDescriptor<{messages}>(", arguments).lines(4)
    head = "    package static let all: [any DeclaredMethod] = ["
    if len(names) == 1:
        return lines + ["", f"{head}{names[0]}]", "}"]
    return lines + ["", head] + [f"        {name}," for name in names] + ["    ]", "}"]
